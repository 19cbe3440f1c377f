/** Files of a window, and the SELECT over them that exports copy: only what the window needs, in the documented order. */

import { describe, expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/rate-columns.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt } from "#domain/time/day.ts";
import { ticksSelect } from "#store/archive/quotes.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, MINUTE, query, quote } from "./sample.ts";
import { partOf } from "./table-log.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");
const QUOTES = [0, 1, 2].flatMap((day) =>
  ["USD/EUR", "EUR/USD", "USD/JPY"].flatMap((pair) =>
    Array.from({ length: 30 }, (_, nth) =>
      quote(pair, `0.8${String(nth).padStart(4, "0")}`, NOON + day * DAY + nth * MINUTE),
    ).reverse(),
  ),
);
const WINDOW = { from: NOON + 5 * MINUTE, to: NOON + DAY + 3 * MINUTE };
const ALL: QuotesPlan = { kind: "quotes", ...WINDOW, pairs: null, order: "asc" };

async function flushedArchive() {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  await archive.append(QUOTES);
  await archive.flush();
  return { directory, archive };
}

/** What the documentation says of the order: by UTC date, then base, quote, observed_at. */
function inFileOrder(quotes: readonly LiveQuote[]): readonly string[] {
  return quotes
    .toSorted(
      (a, b) =>
        dayAt(a.observedAt) - dayAt(b.observedAt) ||
        compare(a.base, b.base) ||
        compare(a.quote, b.quote) ||
        a.observedAt - b.observedAt,
    )
    .map(({ base, quote, observedAt }) => `${base} ${quote} ${observedAt}`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

describe("filesBetween", () => {
  test("names the files of the dates that a window meets, by ascending date", async () => {
    const { directory, archive } = await flushedArchive();
    const [first, second, third] = [
      partOf(directory, "2026-03-02"),
      partOf(directory, "2026-03-03"),
      partOf(directory, "2026-03-04"),
    ];
    const midnight = at("2026-03-03T00:00:00Z");
    expect(await archive.filesBetween(WINDOW.from, WINDOW.to)).toEqual([first, second]);
    expect(await archive.filesBetween(midnight - 1, midnight)).toEqual([first]);
    expect(await archive.filesBetween(midnight, midnight + 1)).toEqual([second]);
    expect(await archive.filesBetween(0, midnight + 1000 * DAY)).toEqual([first, second, third]);
    expect(await archive.filesBetween(midnight + 5 * DAY, midnight + 9 * DAY)).toEqual([]);
  });
});

describe("ticksSelect", () => {
  test("gives the stored quotes of the window and pairs in its documented order", async () => {
    const { directory, archive } = await flushedArchive();
    const files = await archive.filesBetween(WINDOW.from, WINDOW.to);
    const read = async (order: "asc" | "desc", pairs: QuotesPlan["pairs"]) => {
      const select = ticksSelect({ kind: "quotes", ...WINDOW, pairs, order }, files);
      const rows = await query(
        directory,
        `SELECT concat_ws(' ', base, quote, epoch_ms(observed_at)) AS line FROM (${select})`,
      );
      return rows.map(({ line }) => String(line));
    };
    const expected = inFileOrder(
      QUOTES.filter(({ observedAt }) => observedAt >= WINDOW.from && observedAt < WINDOW.to),
    );
    expect(await read("asc", null)).toEqual([...expected]);
    expect(await read("desc", null)).toEqual(expected.toReversed());
    expect(await read("asc", [[currencyIndex("USD"), currencyIndex("EUR")]])).toEqual(
      expected.filter((line) => line.startsWith("USD EUR")),
    );
    expect(await read("asc", [])).toEqual([]);
  });

  test("has its columns, with decimals as they were before the table, also where there is no file", async () => {
    const { directory, archive } = await flushedArchive();
    const files = await archive.filesBetween(WINDOW.from, WINDOW.to);
    const columnsOf = async (of: readonly string[]) => {
      const described = await query(directory, `DESCRIBE ${ticksSelect(ALL, of)}`);
      return described.map((row) => `${row["column_name"]} ${row["column_type"]}`);
    };
    const columns = await columnsOf(files);
    expect(columns).toEqual([
      "observed_at TIMESTAMP WITH TIME ZONE",
      "retrieved_at TIMESTAMP WITH TIME ZONE",
      "feed VARCHAR",
      "base VARCHAR",
      "quote VARCHAR",
      "bid DOUBLE",
      "ask DOUBLE",
      "mid DOUBLE",
      "decimals UTINYINT",
    ]);
    expect(await columnsOf([])).toEqual(columns);
    expect(await query(directory, ticksSelect(ALL, []))).toEqual([]);
  });
});
