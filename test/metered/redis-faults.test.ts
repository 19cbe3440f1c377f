/** Redis killed, paused, started empty under two replicas that are being called: no caller is refused, the limits hold, and nothing is lost. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { WIDTHS } from "#domain/limits/counts.ts";
import { ageLife } from "#test/store/counters/fixtures.ts";
import { until } from "#test/support/until.ts";
import { bearer, from, join } from "./client.ts";

import { underLoad } from "./pair.ts";
import { type Replica, runningClock } from "./replica.ts";
import { usageInLedger } from "./usage.ts";

setDefaultTimeout(40_000);

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

  test("Redis away: a replica that has not seen the month takes it from the ledger and counts on, to the unit", async () => {
    const { pair } = at;
    const { untilLimits, urls, redis } = pair;
    // The month that is counted is that of Redis's clock, which is the real one.
    const real = runningClock(Date.now());
    await pair.open(real);
    const [a, b] = urls() as [string, string];
    const tight = await join(a);
    const call = async (url: string) => {
      // There are no rates of today.
      const answer = await fetch(`${url}/v1/lake/manifest.json`, { headers: bearer(tight.key) });
      const text = await answer.text();
      return answer.ok ? "served" : (JSON.parse(text).code as string);
    };
    for (let nth = 0; nth < 250; nth++) expect(await call(a)).toBe("served");
    await until("the ledger has it", async () => {
      return (await usageInLedger(pair.replicas()[0] as Replica, real, [tight.organizationId])).calls === 250;
    });
    await redis.kill();
    await untilLimits("degraded");
    const emitted: string[] = [];
    for (let nth = 0; nth < 160; nth++) emitted.push(await call(b));
    expect(emitted.filter((one) => one === "served")).toHaveLength(150);
    expect(new Set(emitted.slice(150))).toEqual(new Set(["quota_exceeded"]));
    await redis.start();
    await ageLife(redis, WIDTHS.minute);
    await untilLimits("ok");
    expect([await call(a), await call(b)]).toEqual(["quota_exceeded", "quota_exceeded"]);
  });
});
