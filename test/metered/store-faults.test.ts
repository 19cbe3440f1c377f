/** Postgres and Redis killed and paused under two replicas that are being called: the documented refusals, and every served call in the ledger. */

import { expect, test } from "bun:test";
import { WIDTHS } from "#domain/limits/counts.ts";
import { ageLife } from "#test/store/counters/fixtures.ts";
import { until } from "#test/support/until.ts";
import { bearer, statusOf as callStatus, from, join, post } from "./client.ts";
import { outcomesOf } from "./load.ts";
import { underLoad } from "./pair.ts";

underLoad((at) => {
  test.each(["killed", "paused"] as const)(
    "Postgres %s: known keys work for 60 s more, unknown ones and sessions are 503, callers without a key are not affected, and every served call is written in the end",
    async (how) => {
      const { pair, postgres } = at;
      const { begin, moreOf, servedNext, untilDatabase, statusOf, settle, urls, clock, members } = pair;
      const running = await begin();
      const [member] = members;
      const late = await join(pair.replicas()[1]?.url ?? "");
      if (how === "paused") postgres.pause();
      else await postgres.kill();
      const [url] = urls() as [string];
      const refused: readonly (readonly [string, RequestInit])[] = [
        ["/v1/latest", { headers: bearer(late.key) }],
        ["/compat/oxr/latest.json", { headers: bearer(late.key) }],
        ["/v1/account", { headers: bearer(member.token) }],
        ["/v1/auth/me", { headers: bearer(member.token) }],
        ["/v1/keys/rotate", { method: "POST", headers: bearer(member.token) }],
        ["/v1/auth/sign-in", post({ email: member.email, password: "seven kites above the harbour" })],
      ];
      // Each of these waits for a ledger that does not answer; so do the probes beside them.
      const answering = Promise.all(refused.map(([path, init]) => fetch(`${url}${path}`, init)));
      await untilDatabase("failed");
      const answers = await answering;
      // The last lookup is no longer fresh, but still trusted.
      clock.at += 30_000;
      await servedNext(running, 80);
      for (const answer of answers) {
        const text = await answer.text();
        expect([answer.url, answer.status]).toEqual([answer.url, 503]);
        if (!answer.url.includes("/compat/"))
          expect(JSON.parse(text).code).toMatch(/^(auth|service)_unavailable$/);
        expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      }
      // The minute is over: no key is trusted any more, and none is counted as a caller without a key.
      clock.at += 60_000;
      const over = performance.now();
      const since = () => running.answered.filter(({ beganAt }) => beganAt > over);
      const statuses = Promise.all(urls().map(statusOf));
      await until("all keys have called since", () => since().filter(({ who }) => who === "key").length >= 4);
      expect(outcomesOf(since())).toEqual(["key 503 auth_unavailable", "stranger 200"]);
      for (const [status, { status: health, checks }] of await statuses)
        expect([status, health, checks.database.status]).toEqual([503, "unready", "failed"]);
      if (how === "paused") postgres.resume();
      else await postgres.start();
      await untilDatabase("ok");
      await until("keys are believed again", async () => {
        running.sinceLast();
        await moreOf(running, 4);
        return outcomesOf(running.sinceLast()).join() === "key 200,stranger 200";
      });
      await settle(running);
    },
  );

  test("Redis paused: no caller is refused, each replica grants its share, /status says so, and every served call is written", async () => {
    const { begin, servedNext, untilLimits, statusOf, settle, urls, redis } = at.pair;
    const running = await begin();
    redis.pause();
    await untilLimits("degraded");
    await servedNext(running, 80);
    for (const url of urls()) {
      const [status, { status: health, checks }] = await statusOf(url);
      const states = [status, health, checks.limits.status, checks.database.status];
      expect(states).toEqual([200, "degraded", "degraded", "ok"]);
      expect(checks.limits.detail).toStartWith("Redis: ");
      // Of the twelve calls a minute without a key each of the two replicas grants half.
      const passed = [];
      for (let nth = 0; nth < 12; nth++)
        passed.push(await callStatus(`${url}/v1/latest?symbols=USD`, { headers: from("192.0.2.200") }));
      expect(passed.filter((one) => one === 200)).toHaveLength(6);
    }
    redis.goOn();
    await untilLimits("ok");
    await servedNext(running, 50);
    await settle(running);
  });

  test("Redis and Postgres both away: minutes by shares, the month counted on from what was last seen; nothing is lost", async () => {
    const { postgres, pair } = at;
    const { begin, moreOf, servedNext, untilLimits, untilDatabase, settle, redis } = pair;
    const running = await begin();
    await Promise.all([redis.kill(), postgres.kill()]);
    await untilLimits("degraded");
    await untilDatabase("failed");
    await servedNext(running, 50);
    await Promise.all([redis.start(), postgres.start()]);
    await untilDatabase("ok");
    // Redis came back empty: shares hold until it has counted for a minute.
    await until("keys pass by shares", async () => {
      running.sinceLast();
      await moreOf(running, 4);
      return outcomesOf(running.sinceLast()).join() === "key 200,stranger 200";
    });
    await untilLimits("degraded");
    await ageLife(redis, WIDTHS.minute);
    await untilLimits("ok");
    await servedNext(running, 20);
    await settle(running);
  });
});
