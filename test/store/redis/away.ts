/** All nodes away at once, wrong passwords, emptied script caches: commands fail at once, and work again by themselves. */

import { expect, test } from "bun:test";
import { probeRedis } from "#store/redis/connection/connection.ts";
import {
  fill,
  grant,
  grantedOf,
  org,
  take,
  untilAnswered,
  untilApart,
} from "#test/store/counters/fixtures.ts";
import { mids, quote } from "#test/store/hot-book/sample.ts";
import { until } from "#test/support/until.ts";
import type { Deployment } from "./deployment.ts";
import type { Pair } from "./processes.ts";

/** `passwords` are all that the address holds. */
export function testAway(passwords: readonly string[], deployment: () => Deployment, pair: Pair): void {
  test("scripts that the master no longer has are sent again", async () => {
    const [a] = await pair.linkedCounters(false);
    const [first] = await pair.books();
    const caller = org("org_scripts", 10, 1_000);
    for (let call = 0; call < 3; call++) {
      await (await deployment().master()).ask("SCRIPT", "FLUSH");
      expect((await grant(a, caller)).by).toBe("shared");
      await first.publish([quote("NOK", `10.${call}`, call)]);
    }
    expect(mids(first.read())).toContain("NOK 10.2");
    expect(pair.emitted).toEqual([]);
  });

  test.each(passwords)("a wrong password instead of %s is said, and is not repeated", async (password) => {
    const wrong = deployment().url.replace(encodeURIComponent(password), "not-this-one");
    const other = pair.at(wrong);
    const [a] = other.counters();
    const [first] = await other.books();
    const details = () => [a.state().detail, first.state().detail].join(" ");
    await until("both say why", () => (details().match(/WRONGPASS/g) ?? []).length === 2);
    await until("it is logged", () => other.emitted.length > 0);
    await expect(probeRedis(wrong)).rejects.toThrow("WRONGPASS");
    expect([details(), ...other.emitted].join(" ")).not.toContain("not-this-one");
  });

  test("all nodes die: shares and memory at once, also in a process that starts now, and Redis again when they are back", async () => {
    const [a, b] = await pair.linkedCounters();
    const [first] = await pair.books();
    const caller = org("org_away", 100, 1_000_000);
    await first.publish([quote("EUR", "0.9", 1)]);
    await Promise.all(deployment().nodes.map((node) => node.kill()));
    await Promise.all([a, b].map(untilApart));
    await expect(probeRedis(deployment().url)).rejects.toThrow("ECONNREFUSED");
    const [late] = pair.counters();
    const [newBook] = await pair.books();
    expect([newBook.state().status, late.state().status]).toEqual(["degraded", "degraded"]);
    const calls = Array.from({ length: 200 }, () => take(a, caller));
    expect(grantedOf(await Promise.all(calls))).toBe(50);
    expect((await grant(late, caller)).by).toBe("process");
    await newBook.publish([quote("CHF", "0.7", 1)]);

    await Promise.all(deployment().nodes.map((node) => node.start()));
    await Promise.all([a, b, late].map(untilAnswered));
    await until("the books agree", () =>
      [first, newBook].every(
        (book) => /CHF 0.7, EUR 0.9/.test(mids(book.read())) && book.state().status === "ok",
      ),
    );
    // It was emptied or set back: what was granted counts on.
    expect(await fill(a, caller)).toBe(0);
  });
}
