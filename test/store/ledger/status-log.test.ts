/** The record of the status page: incidents that begin once and end, a count of looks a day; over starts of a ledger. */

import { expect, test } from "bun:test";
import { dayAt, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { NOON, onBothLedgers } from "./ledgers.ts";
import { news } from "./publications/publishing.ts";

const MINUTE = 60_000;
const TODAY = dayAt(NOON);
const parts = ["database", "ecb_daily", "lake"];
const look = (...faults: readonly string[]) => ({ parts, faults });

onBothLedgers("the record of the status page", (bench) => {
  test("survives a start", async () => {
    const log = bench.ledger().status;
    await log.note(look("ecb_daily stale"), NOON);
    await log.note(look("ecb_daily stale", "lake failed"), NOON + MINUTE);
    await log.note(look("lake failed"), NOON + 2 * MINUTE);
    await log.note(look("ecb_daily stale"), NOON + 3 * MINUTE);
    const { incidents, days, delays } = await (await bench.another()).status.read(TODAY);
    expect(incidents).toEqual([
      { fault: "ecb_daily stale", since: NOON + 3 * MINUTE, until: null },
      { fault: "lake failed", since: NOON + MINUTE, until: NOON + 3 * MINUTE },
      { fault: "ecb_daily stale", since: NOON, until: NOON + 2 * MINUTE },
    ]);
    expect(days).toEqual([
      { part: "database", day: TODAY, looks: 4, faults: 0 },
      { part: "ecb_daily", day: TODAY, looks: 4, faults: 3 },
      { part: "lake", day: TODAY, looks: 4, faults: 2 },
    ]);
    expect(delays.size).toBe(0);
  });

  test("an incident begins once, also when two processes see it, and is forgotten 91 days after its end", async () => {
    const both = [bench.ledger().status, (await bench.another()).status] as const;
    await Promise.all(both.map((log) => log.note(look("lake failed"), NOON)));
    await both[0].note(look(), NOON + MINUTE);
    expect((await both[0].read(TODAY)).incidents).toHaveLength(1);
    const later = NOON + 92 * MILLISECONDS_PER_DAY;
    await both[0].note(look(), later);
    expect((await both[0].read(TODAY)).incidents).toHaveLength(1);
    await both[0].prune(later);
    const { incidents, days } = await both[0].read(TODAY);
    expect(incidents).toEqual([]);
    expect(days.map(({ day }) => day)).toEqual(parts.map(() => dayAt(later)));
  });

  test("has the time from publication to collection of what was published since it began", async () => {
    const ledger = bench.ledger();
    const old = { publishedAt: NOON - 5 * MILLISECONDS_PER_DAY, retrievedAt: NOON };
    const fresh = { publishedAt: NOON, retrievedAt: NOON + 4 * MINUTE };
    await ledger.outbox.publish([news("a", 1, old), news("b", 1, fresh), news("c")], NOON);
    expect((await ledger.status.read(TODAY)).delays.size).toBe(0);
    await ledger.status.note(look(), NOON);
    expect([...(await ledger.status.read(TODAY)).delays]).toEqual([["mex_fix", [4 * MINUTE]]]);
  });
});
