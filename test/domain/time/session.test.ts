import { expect, test } from "bun:test";
import { marketSession } from "#domain/time/calendar.ts";

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
