import { describe, expect, test } from "bun:test";
import {
  atWallTime,
  ecbObservedAt,
  fredObservedAt,
  isTargetDay,
  isUsFederalDay,
  marketSession,
  openMilliseconds,
} from "#domain/time/calendar.ts";
import { formatDay, formatInstant, parseDay, readInstant } from "#domain/time/day.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { words } from "#test/support/words.ts";

describe("TARGET", () => {
  test.each(
    words(`
    1999-12-31 2001-12-31 2000-04-21 2000-04-24 2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-12-25
    2025-12-26 2026-04-12
  `),
  )("closed on %s", (text) => expect(isTargetDay(day(text))).toBe(false));
  test.each(words("1999-04-02 1999-04-05 1999-12-27 2002-12-31 2025-12-24 2025-12-31 2026-11-20 2026-02-16"))(
    "open on %s",
    (text) => expect(isTargetDay(day(text))).toBe(true),
  );
  const real = sharedDocument("ecb/eurofxref-hist.csv");
  test.skipIf(real === null)("agrees with every date the ECB ever published", async () => {
    const published = new Set(
      (await Bun.file(real as string).text())
        .split("\n")
        .slice(1)
        .map((line) => line.slice(0, 10)),
    );
    for (let at = day("1999-01-04"); at <= day("2026-04-13"); at++) {
      expect(`${formatDay(at)} ${isTargetDay(at)}`).toBe(`${formatDay(at)} ${published.has(formatDay(at))}`);
    }
  });
});

describe("US federal days", () => {
  test.each(
    words(
      "2010-12-24 2010-12-31 2015-07-03 2017-11-10 2020-07-03 2026-07-03 2026-11-26 2026-01-19 2026-05-25",
    ),
  )("no H.10 figure on %s", (text) => expect(isUsFederalDay(day(text))).toBe(false));
  test.each(["2026-11-27", "2020-06-19", "2026-04-03", "2026-12-24"])("a figure on %s", (text) => {
    expect(isUsFederalDay(day(text))).toBe(true);
  });
  const real = sharedDocument("fred/DEXTAUS-spliced.csv");
  test.skipIf(real === null)("never calls a day closed on which H.10 had a figure", async () => {
    for (const line of (await Bun.file(real as string).text()).trim().split("\n").slice(1)) {
      const [date = "", value = "."] = line.split(",");
      const at = parseDay(date);
      if (at === null || value === "." || value === "" || date < "1999-01-04") continue;
      expect(`${date} ${isUsFederalDay(at)}`).toBe(`${date} true`);
    }
  });
});

test("observation instants follow the cities' clocks through summer and winter", () => {
  expect(formatInstant(ecbObservedAt(day("2026-01-15")))).toBe("2026-01-15T13:15:00Z");
  expect(formatInstant(ecbObservedAt(day("2026-07-15")))).toBe("2026-07-15T12:15:00Z");
  expect(formatInstant(fredObservedAt(day("2026-01-15")))).toBe("2026-01-15T17:00:00Z");
  expect(formatInstant(fredObservedAt(day("2026-07-15")))).toBe("2026-07-15T16:00:00Z");
  // Between the two clock changes of March New York is already on summer time and Frankfurt is not.
  expect(formatInstant(ecbObservedAt(day("2026-03-16")))).toBe("2026-03-16T13:15:00Z");
  expect(formatInstant(fredObservedAt(day("2026-03-16")))).toBe("2026-03-16T16:00:00Z");
  expect(formatInstant(atWallTime("America/Mexico_City", day("2026-07-01"), 12, 0))).toBe(
    "2026-07-01T18:00:00Z",
  );
});

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
  ["2026-01-01t00:00:00z", "2026-01-01T00:00:00Z"],
  ["2026-01-01 00:00:00Z", "2026-01-01T00:00:00Z"],
  ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.500Z"],
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123Z"],
  ["2026-01-01T00:00:00.123456789+00:00", "2026-01-01T00:00:00.123Z"],
  ["2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00Z"],
  ["2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00Z"],
  ["2026-01-01T05:30:00+05:30", "2026-01-01T00:00:00Z"],
  ["2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"],
  ["2025-12-31T19:00:00-0500", "2026-01-01T00:00:00Z"],
  ["2026-01-01 01:00:00+01", "2026-01-01T00:00:00Z"],
  // What a plus becomes in a query that was not escaped.
  ["2026-01-01T00:00:00 00:00", "2026-01-01T00:00:00Z"],
  ["2026-01-01 02:00:00.25 02:00", "2026-01-01T00:00:00.250Z"],
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"],
])("%s is %s", (text, instant) => expect(formatInstant(readInstant(text) ?? Number.NaN)).toBe(instant));

test.each([
  "",
  "2026-01-01T00:00:00 UTC",
  ...words(`
  2026-01-01 2026-01-01T00:00:00 2026-01-01T00:00Z 2026-02-30T00:00:00Z 2026-01-01T24:00:00Z
  2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00.Z 2026-01-01T00:00:00.1234567890Z
  2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+01:60 2026-01-01T00:00:00+1:00 2026-01-01T00:00:00Z+01:00
  2026-01-01_00:00:00Z 0000-01-01T00:00:00+01:00 9999-12-31T23:59:59-01:00 1767225600
`),
])("%p is none", (text) => expect(readInstant(text)).toBeNull());

// An instant is read as people's tools print it; what is no instant is read as none.
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
