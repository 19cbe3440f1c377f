/** What is not settled is summarized within bounds, however many figures are held. */

import { expect, test } from "bun:test";
import { evidenceOf, type Statement } from "#domain/acceptance/statements.ts";
import { unsettledOf } from "#domain/acceptance/unsettled.ts";
import { formatDay } from "#domain/time/day.ts";
import { datasetOf, day, ecb, fred, historyOf } from "#test/domain/history/columns.ts";
import { held } from "#test/store/lake/sample.ts";

const history = historyOf([
  ...["2026-03-20", "2026-04-09", "2026-04-10"].map((date) => ecb(date, "USD", "1.1671")),
  ecb("2026-04-10", "NOK", "11.8301"),
  ecb("2026-04-09", "SEK", "10.91"),
  ecb("2026-03-26", "ISK", "143.5"),
  ecb("2026-03-20", "TRY", "44.1"),
  fred("2026-04-03", "TWD", "32.1", 2),
]);

const statement = (more: Partial<Statement>): Statement => ({
  source: "ecb_daily",
  route: "files/history zip",
  base: "EUR",
  quote: "NOK",
  first: day("2026-04-10"),
  last: day("2026-04-10"),
  says: "value",
  printed: "11.9301",
  since: 1_776_000_000_000,
  ...more,
});

test("of 45,000 held figures the 50 of the newest days are listed, and all are counted by rule", () => {
  const many = Array.from({ length: 45_000 }, (_, at) => ({
    ...held("2026-04-10", "NOK", "111.5"),
    date: day("2026-04-10") - (at % 9_000),
    rule: at % 3 === 0 ? "distrusted_document" : "unconfirmed_revision",
  }));
  const { ecb_daily, fred_daily } = unsettledOf([], many, history);
  expect(ecb_daily.heldCount).toBe(45_000);
  expect(ecb_daily.held).toHaveLength(50);
  expect([ecb_daily.held[0], ecb_daily.held.at(-1)].map((figure) => formatDay(figure?.date ?? 0))).toEqual([
    "2026-04-10",
    "2026-04-01",
  ]);
  expect([...ecb_daily.heldByRule]).toEqual([
    ["unconfirmed_revision", 30_000],
    ["distrusted_document", 15_000],
  ]);
  expect(fred_daily).toMatchObject({ heldCount: 0, held: [] });
});

test("contradictions are those of the source, with the oldest instant and the newest example", () => {
  const older = statement({ first: day("2026-04-09"), last: day("2026-04-09"), quote: "SEK", since: 5 });
  const { ecb_daily, fred_daily } = unsettledOf([older, statement({})], [], history);
  expect(ecb_daily.contradictions).toEqual({
    source: "ecb_daily",
    count: 2,
    since: 5,
    example: "files/history zip states EUR/NOK 11.9301 for 2026-04-10; 11.8301 is served",
  });
  expect(fred_daily.contradictions).toBeNull();
});

test("currencies behind their source are named, suspended after more than 14 days", () => {
  const { ecb_daily, fred_daily } = unsettledOf([], [], history);
  expect(ecb_daily.behind.map((each) => ({ ...each, lastDate: formatDay(each.lastDate) }))).toEqual([
    { code: "ISK", lastDate: "2026-03-26", days: 15, isSuspended: true },
    { code: "SEK", lastDate: "2026-04-09", days: 1, isSuspended: false },
    { code: "TRY", lastDate: "2026-03-20", days: 21, isSuspended: true },
  ]);
  expect(fred_daily.behind).toEqual([]);
  expect(unsettledOf([], [], null).ecb_daily.behind).toEqual([]);
});

test("a route that states another figure for the day does not state the accepted one, too", () => {
  const series = { source: "ecb_daily", base: "EUR", quote: "USD" } as const;
  const span = { ...series, first: day("2026-04-01"), says: "current", printed: null, since: null } as const;
  const date = day("2026-04-14");
  const slip = { ...span, route: "xml", first: date, last: date, says: "value", printed: "11.684" } as const;
  const statements: Statement[] = [
    { ...span, route: "xml", last: date },
    slip,
    { ...span, route: "csv", last: date },
    { ...span, route: "zip", last: day("2026-04-13") },
  ];
  const held = { ...series, date } as Parameters<typeof evidenceOf>[0];
  const stated = (newest: string) =>
    evidenceOf(held, datasetOf([ecb(newest, "USD", "1.1684")]).history, statements).statements.map(
      ({ route, says, printed }) => [route, says, printed],
    );
  expect(stated("2026-04-14")).toEqual([
    ["xml", "value", "11.684"],
    ["csv", "current", null],
  ]);
  // The accepted figure is of the day before.
  expect(stated("2026-04-13").at(-1)).toEqual(["csv", "nothing", null]);
});
