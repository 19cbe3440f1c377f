/** A master that dies or hangs under load: what must hold while another takes over, and after. */

import { expect, test } from "bun:test";
import { fill, grant, org, take, untilApart, untilLinked } from "#test/store/counters/fixtures.ts";
import { mids, quote } from "#test/store/hot-book/sample.ts";
import { until } from "#test/support/until.ts";
import type { Deployment } from "./deployment.ts";
import { load, type Pair } from "./processes.ts";

/** `killed` by kill -9; `stopped` takes connections and answers nothing. */
export function testFailover(how: "killed" | "stopped", deployment: () => Deployment, pair: Pair): void {
  test(`the master is ${how}: shares meanwhile, then counts and quotes as before; no call fails, none gets more than one more window`, async () => {
    const [a, b] = await pair.linkedCounters();
    const [first, second] = await pair.books();
    const full = org(`org_full_${crypto.randomUUID()}`, 100, 1_000_000);
    expect(await fill(a, full)).toBe(100);
    await first.publish([quote("EUR", "0.9", 1)]);
    const before = await deployment().master();
    await before.ask("SET", "{crossrate}:test", "1");
    expect(await before.ask("WAIT", 1, 5_000)).toBe(1);

    const busy = load([a, b], first);
    if (how === "killed") await before.kill();
    else before.pause();
    await Promise.all([a, b].map(untilApart));
    expect(await fill(a, full)).toBe(50);
    expect(await fill(b, full)).toBe(50);
    await second.publish([quote("CHF", "0.7", 1)]);
    await until(
      "another is master",
      async () =>
        (await deployment()
          .master()
          .catch(() => before)) !== before,
    );
    await Promise.all([a, b].map(untilLinked));

    expect([(await take(a, full)).outcome, (await take(b, full)).outcome]).toEqual(["refused", "refused"]);
    // A command that takes too long on a busy machine is counted here once more.
    let fresh = 0;
    await until("a new caller is counted by both", async () => {
      fresh += 1;
      return (await grant(a, org(`org_fresh_${fresh}`, 10, 100))).by === "shared";
    });
    await until("all quotes are at both", () =>
      [first, second].every((book) => /CHF 0.7, EUR 0.9/.test(mids(book.read()))),
    );
    await until("the books are shared", () => [first, second].every((book) => book.state().status === "ok"));
    const granted = await busy.end();
    expect(granted + (await fill(a, busy.caller)) + (await fill(b, busy.caller))).toBeLessThanOrEqual(2_000);
    await until("the last quote is at both", () => mids(first.read()) === mids(second.read()));
    // On a busy machine a command may take too long again after the outage: that ends, too, and is logged.
    for (const use of ["limits", "hot_book"]) {
      const times = (kind: string) =>
        pair.emitted.filter((line) => line.includes(`"use":"${use}"`) && line.includes(`"redis_${kind}"`))
          .length;
      expect(times("unavailable")).toBeGreaterThan(0);
      await until(`each outage of ${use} has ended`, () => times("recovered") === times("unavailable"));
    }
  });
}
