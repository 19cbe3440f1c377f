/** Redis killed, paused, started empty under two replicas that are being called: no caller is refused, the limits hold, and nothing is lost. */

import { expect, test } from "bun:test";
import { WIDTHS } from "#domain/limits/counts.ts";
import { ageLife } from "#test/store/counters/fixtures.ts";
import { from } from "./client.ts";
import { underLoad } from "./pair.ts";

underLoad((at) => {
  test.each(["killed and started empty", "paused and gone on"] as const)(
    "Redis %s: no caller is refused, each replica grants its share, /status says so, and every served call is written",
    async (how) => {
      const { begin, servedNext, untilLimits, statusOf, settle, urls, redis } = at.pair;
      const running = await begin();
      if (how.startsWith("killed")) await redis.kill();
      else redis.pause();
      await untilLimits("degraded");
      await servedNext(running, 80);
      for (const url of urls()) {
        const [status, { status: health, checks }] = await statusOf(url);
        expect([status, health, checks.limits.status, checks.database.status]).toEqual([
          200,
          "degraded",
          "degraded",
          "ok",
        ]);
        expect(checks.limits.detail).toStartWith("Redis: ");
        // Of the twelve calls a minute without a key each of the two replicas grants half.
        const passed = [];
        for (let nth = 0; nth < 12; nth++)
          passed.push((await fetch(`${url}/v1/latest?symbols=USD`, { headers: from("192.0.2.200") })).status);
        expect(passed.filter((one) => one === 200)).toHaveLength(6);
      }
      if (how.startsWith("killed")) {
        await redis.start();
        // It has to have counted for a minute.
        await ageLife(redis, WIDTHS.minute);
      } else redis.goOn();
      await untilLimits("ok");
      await servedNext(running, 50);
      await settle(running);
    },
  );
});
