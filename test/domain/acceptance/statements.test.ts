/** What an operator reads of a held figure: each route once, with what it states for that day. */

import { expect, test } from "bun:test";
import { evidenceOf, type Statement } from "#domain/acceptance/statements.ts";
import { datasetOf, day, ecb } from "#test/domain/history/columns.ts";

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
