/** Event bodies byte by byte, the names in them, which versions are news, and the last day of a publication. */

import { describe, expect, test } from "bun:test";
import { publicationId } from "#domain/official/doubts.ts";
import { LONGEST_NEWS_DAYS, officialEvent, withEnds } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { formatDay } from "#domain/time/day.ts";
import { rowOf, versionOf } from "#test/official/version.ts";
import { day, reasonOf } from "#test/sources/documents.ts";

const TABLE = { id: "pol_a", country: "POL", types: ["a", "daily"], zone: "Europe/Warsaw" };
const VERSION = {
  publication: "041-A-NBP-2026",
  version: 1,
  validFrom: day("2026-03-02"),
  validTo: null,
  retrievedAt: Date.parse("2026-03-02T11:02:03.250Z"),
};

describe("an event", () => {
  test("of a first version is the contract's body, compact, byte by byte", () => {
    expect(officialEvent(TABLE, VERSION)).toEqual({
      id: "evt_pol_a_041-A-NBP-2026_v1",
      type: "official.published",
      createdAt: VERSION.retrievedAt,
      body:
        '{"id":"evt_pol_a_041-A-NBP-2026_v1","type":"official.published","created_at":"2026-03-02T11:02:03.250Z",' +
        '"data":{"country":"POL","types":["a","daily"],"publication":"041-A-NBP-2026","version":1,' +
        '"valid_from":"2026-03-02","valid_to":null}}',
    });
  });

  test("of a later version is a correction of the same publication, with its last day where it has one", () => {
    const corrected = officialEvent(TABLE, { ...VERSION, version: 3, validTo: day("2026-03-08") });
    expect(corrected?.id).toBe("evt_pol_a_041-A-NBP-2026_v3");
    expect(corrected?.type).toBe("official.corrected");
    const { data } = JSON.parse(corrected?.body ?? "");
    expect([data.publication, data.version, data.valid_to]).toEqual(["041-A-NBP-2026", 3, "2026-03-08"]);
  });

  test("is not made for a first version that was valid for more than a month, and for a correction always", () => {
    const retrievedAt = Date.parse("2026-04-02T22:30:00Z"); // 2026-04-03 in Warsaw
    const first = (validFrom: number) => officialEvent(TABLE, { ...VERSION, validFrom, retrievedAt });
    expect(first(day("2026-04-03") - LONGEST_NEWS_DAYS)).not.toBeNull();
    expect(first(day("2026-04-03") - LONGEST_NEWS_DAYS - 1)).toBeNull();
    expect(
      officialEvent(TABLE, { ...VERSION, version: 2, validFrom: day("1999-01-04"), retrievedAt }),
    ).not.toBeNull();
  });

  test("is made for a publication ahead of its validity", () => {
    expect(officialEvent(TABLE, { ...VERSION, validFrom: day("2026-04-01") })?.type).toBe(
      "official.published",
    );
  });
});

describe("the name of a publication", () => {
  test("preserves what fits an address, and replaces slashes by hyphens", () => {
    expect(publicationId("041/A/NBP/2026")).toBe("041-A-NBP-2026");
    for (const fit of ["2026-03-02", "2026_166", "v1.2", "a".repeat(64)])
      expect(publicationId(fit)).toBe(fit);
  });

  test.each(["", ".", "..", "../x", "-1", "latest", "a b", "é", "a%2Fb", "a?b", "a\n", "x".repeat(65)])(
    "%p cannot be one",
    (name) => expect(reasonOf(() => publicationId(name))).toContain("not a name for a publication"),
  );
});

describe("the day where a table is published", () => {
  test.each([
    ["America/Mexico_City", "2026-03-02T05:59:59Z", "2026-03-01"],
    ["America/Mexico_City", "2026-03-02T06:00:00Z", "2026-03-02"],
    ["Europe/Warsaw", "2026-07-01T21:59:59Z", "2026-07-01"],
    ["Europe/Warsaw", "2026-07-01T22:00:00Z", "2026-07-02"],
    ["Europe/Bucharest", "2026-12-31T22:00:00Z", "2027-01-01"],
  ])("%s at %s is %s", (zone, at, expected) => {
    expect(formatDay(dayInZone(zone, Date.parse(at)))).toBe(expected);
  });
});

test("a publication ends the day before the next one, held ones too, and never before its own first day", () => {
  const rows = [rowOf("EUR", "CZK", "25")];
  const begins = (validFrom: number) => versionOf({ table: "CZE_FIXING", validFrom, rows });
  const daily = { cadence: "daily" } as const;
  const ends = withEnds(daily, [begins(12), begins(12), begins(8)], null, [12]).map(({ validTo }) => validTo);
  expect(ends).toEqual([null, 12, 11]);
  expect(withEnds(daily, [begins(8)], 20, [15])[0]?.validTo).toBe(14);
});
