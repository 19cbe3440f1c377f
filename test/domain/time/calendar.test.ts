import { describe, expect, test } from "bun:test";
import {
  atWallTime,
  ecbObservedAt,
  fredObservedAt,
  isTargetDay,
  isUsFederalDay,
} from "#domain/time/calendar.ts";
import { formatDay, formatInstant, parseDay } from "#domain/time/day.ts";
import { day } from "#test/domain/history/columns.ts";
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
