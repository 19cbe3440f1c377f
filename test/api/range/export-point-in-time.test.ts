/** Files as of an instant, and files of what changed since: the rows of the JSON pages that answer the same question. */

import { expect, test } from "bun:test";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOfLives, dollar, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { asCells, csvRows, lineRows, text, walkPages } from "./range-pages.ts";

const random = seededRandom(5);
const firstDay = day("2026-03-01");
const lives = randomRevisions({ random, firstDay, days: 25, latestRetrievalDays: 4 });
const known = datasetOfLives("lives", lives);
const app = openTestApp({ world: known, now: (firstDay + 40) * MILLISECONDS_PER_DAY });
const window = "start_date=2026-02-20&end_date=2026-12-31";
const instants = [3, 9, 17, 24, 30].map((days) =>
  new Date((firstDay + days) * MILLISECONDS_PER_DAY + 47_123_000).toISOString().replace(".000", ""),
);
const codes = ["EUR", "GBP", "JPY", "TWD", "USD"];

test.each(["published", "retrieved"])("an export as_of by %s equals the pages as_of", async (basis) => {
  for (const instant of instants) {
    for (const fill of ["none", "previous"]) {
      const path = `/v1/range?base=USD&symbols=EUR,GBP,JPY,TWD&${window}&fill=${fill}&as_of=${instant}&as_of_basis=${basis}`;
      const pages = await walkPages(app.visit, path);
      const response = await app.visit(`${path}&format=csv&layout=wide`);
      expect(response.status).toBe(pages.length === 0 ? 404 : 200);
      if (pages.length === 0) continue;
      expect(response.headers.get("X-As-Of")).toBe(`${instant}; basis=${basis}`);
      expect(csvRows(await response.text()).rows.map(({ base: _, ...row }) => row)).toEqual(
        pages.map(({ date, source, is_forward_filled, rates }) => ({
          date,
          source: source as string,
          is_forward_filled: String(is_forward_filled),
          ...Object.fromEntries(["EUR", "GBP", "JPY", "TWD"].map((code) => [code, rates[code] ?? ""])),
        })),
      );
      expect(lineRows(await text(app.visit, `${path}&format=ndjson&layout=wide`))).toEqual(
        pages.map(({ derived: _, ...row }) => ({ ...row, base: "USD" })),
      );
    }
  }
});

async function changesAgree(fill: string, order: string): Promise<void> {
  for (const since of ["1970-01-01T00:00:00Z", ...instants]) {
    const path = `/v1/range?base=USD&symbols=${codes.join(",")}&${window}&fill=${fill}&updated_after=${since}&order=${order}`;
    const pages = await walkPages(app.visit, path);
    const expected = codes.flatMap((symbol) =>
      pages.flatMap((row) => {
        const rate = row.rates[symbol];
        if (rate === undefined && !row.withdrawn?.includes(symbol)) return [];
        const { [symbol]: at } = row.updated_at ?? {};
        const { [symbol]: revision } = row.revisions ?? {};
        const withdrawn = String(rate === undefined);
        return [{ date: row.date, symbol, rate: rate ?? "", at, revision, withdrawn }];
      }),
    );
    for (const format of ["csv", "ndjson"]) {
      const body = await text(app.visit, `${path}&format=${format}`);
      const rows = format === "csv" ? csvRows(body).rows : body === "" ? [] : lineRows(body).map(asCells);
      expect(
        rows.map(({ date, symbol, rate, withdrawn, updated_at, revision }) =>
          withdrawn === "true"
            ? { date, symbol, rate, withdrawn }
            : { date, symbol, rate, at: instantOf(updated_at as string), revision, withdrawn },
        ),
      ).toEqual(
        expected.map(({ at, revision, ...row }) =>
          row.withdrawn === "true" ? row : { ...row, at: instantOf(at as string), revision },
        ) as never,
      );
    }
  }
}
test.each(["none", "previous"])(
  "an export by updated_after equals the pages by updated_after (fill=%s)",
  (fill) => changesAgree(fill, "asc"),
);
test("an export by updated_after equals the pages, newest first", async () => {
  for (const fill of ["none", "previous"]) await changesAgree(fill, "desc");
});

test("a withdrawn value is listed although no other value is near it", async () => {
  const lonely = datasetOfLives("lonely", [
    dollar("2026-02-02", "1.1671", 1, "2026-02-02T14:20:00Z"),
    dollar("2026-03-02", "1.1671", 1, "2026-03-02T14:20:00Z", {
      at: "2026-03-03T10:00:00Z",
      why: "withdrawn",
    }),
  ]);
  const world = openTestApp({ world: lonely, now: Date.parse("2026-03-04T16:00:00Z") });
  const path = `/v1/range?base=EUR&symbols=USD&${window}&updated_after=2026-03-03T00:00:00Z`;
  const pages = await walkPages(world.visit, path);
  expect(pages.map(({ date, withdrawn }) => [date, withdrawn])).toEqual([["2026-03-02", ["USD"]]]);
  const { rows } = csvRows(await text(world.visit, `${path}&format=csv`));
  expect(rows.map(({ date, withdrawn }) => [date, withdrawn])).toEqual([["2026-03-02", "true"]]);
});

function instantOf(printed: string): number {
  return Date.parse(printed);
}
