import { expect, test } from "bun:test";
import { marketSession, openMilliseconds } from "#domain/time/calendar.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

test.each([
  ["2026-04-13T16:30:00Z", "open"],
  // Friday 17:00 New York: 21:00Z in summer, 22:00Z in winter.
  ["2026-04-10T20:59:59Z", "open"],
  ["2026-04-10T21:00:00Z", "weekend"],
  ["2026-01-09T21:59:59Z", "open"],
  ["2026-01-09T22:00:00Z", "weekend"],
  ["2026-04-12T20:59:59Z", "weekend"],
  ["2026-04-12T21:00:00Z", "open"],
  // Both clock changes of 2026 fall on a Sunday morning: the week then opens by the new time.
  ["2026-03-08T20:59:59Z", "weekend"],
  ["2026-03-08T21:00:00Z", "open"],
  ["2026-11-01T21:59:59Z", "weekend"],
  ["2026-11-01T22:00:00Z", "open"],
  // 25 December and 1 January run from 17:00 to 17:00 New York.
  ["2025-12-24T21:59:59Z", "open"],
  ["2025-12-24T22:00:00Z", "interbank_closed"],
  ["2025-12-25T21:59:59Z", "interbank_closed"],
  ["2025-12-25T22:00:00Z", "open"],
  ["2026-01-01T12:00:00Z", "interbank_closed"],
  // On a Saturday the weekend wins.
  ["2027-12-25T12:00:00Z", "weekend"],
])("at %s the market is %s", (instant, session) => {
  expect(marketSession(Date.parse(instant))).toBe(session as ReturnType<typeof marketSession>);
});

const HOUR = 3_600_000;
const hours = (from: string, to: string) => openMilliseconds(Date.parse(from), Date.parse(to)) / HOUR;

test("a stretch within a day is itself, and nothing when it is turned round", () => {
  expect(hours("2026-04-14T10:00:00Z", "2026-04-14T13:30:00Z")).toBe(3.5);
  expect(hours("2026-04-14T13:30:00Z", "2026-04-14T10:00:00Z")).toBe(0);
});

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
