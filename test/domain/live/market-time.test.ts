/** Open market time: it stands still on weekends, Christmas and New Year, whatever the clocks do. */

import { expect, test } from "bun:test";
import { marketSession, openMilliseconds } from "#domain/time/calendar.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const HOUR = 3_600_000;
const hours = (from: string, to: string) => openMilliseconds(Date.parse(from), Date.parse(to)) / HOUR;

test("a stretch within a day is itself, and nothing when it is turned round", () => {
  expect(hours("2026-04-14T10:00:00Z", "2026-04-14T13:30:00Z")).toBe(3.5);
  expect(hours("2026-04-14T13:30:00Z", "2026-04-14T10:00:00Z")).toBe(0);
});

// At which minutes it is open: test/domain/time/session.test.ts.
test("it is the sum of the open minutes", () => {
  const random = seededRandom(7);
  for (let round = 0; round < 40; round++) {
    const from = Date.parse("2025-12-01T00:00:00Z") + Math.floor(random() * 150 * 24 * 60) * 60_000;
    const to = from + Math.floor(random() * 6 * 24 * 60) * 60_000;
    let open = 0;
    for (let at = from; at < to; at += 60_000) if (marketSession(at) === "open") open += 60_000;
    expect(openMilliseconds(from, to)).toBe(open);
  }
});
