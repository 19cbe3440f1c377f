/** Crosses in columns are those of crossRate: digits, flags, origin and error bound of every row. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, CURRENCY_COUNT, currencyIndex } from "#domain/currency/currency.ts";
import { type Cross, crossRate, derivationBound, isUnfilled } from "#domain/history/cross.ts";
import { appendCrosses } from "#domain/history/cross-columns.ts";
import { buildHistory, FILL_DAYS, type History, leastFreshRow } from "#domain/history/history.ts";
import { DERIVED, emptyRateColumns, FILLED, type RateColumns } from "#domain/history/rate-columns.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { columnsOf, day, ecb, fred, historyOf, type PlainObservation } from "./columns.ts";
import { FIRST, hardWorld, LAST, printedRate } from "./printed-columns.ts";

/** Throws at the first row of either fill that is not what crossRate and its companions say of the day. */
function compare(history: History, base: number, symbol: number, first: Day, last: Day): number {
  const filled = emptyRateColumns(Math.max(0, last - first + 1));
  const plain = emptyRateColumns(Math.max(0, last - first + 1));
  appendCrosses(filled, history, base, symbol, [first, last], "previous");
  appendCrosses(plain, history, base, symbol, [first, last], "none");
  let [inFilled, inPlain] = [0, 0];
  for (let at = first; at <= last; at++) {
    const cross = crossRate(history, at, base, symbol);
    if (cross === null) continue;
    sameRow(history, filled, inFilled++, at, symbol, cross);
    if (isUnfilled(history, at, cross)) sameRow(history, plain, inPlain++, at, symbol, cross);
  }
  expect([filled.count, plain.count]).toEqual([inFilled, inPlain]);
  return inFilled + inPlain;
}

function sameRow(
  history: History,
  columns: RateColumns,
  row: number,
  date: Day,
  symbol: number,
  cross: Cross,
): void {
  const least = leastFreshRow(history, cross.rows);
  const flags = columns.flags[row] as number;
  const bound = columns.bound[row] as number;
  const same =
    row < columns.count &&
    columns.date[row] === date &&
    columns.symbol[row] === symbol &&
    printedRate(columns, row) === cross.text &&
    ((flags & DERIVED) !== 0) === cross.derived &&
    ((flags & FILLED) !== 0) === !isUnfilled(history, date, cross) &&
    (Number.isNaN(bound) ? null : bound) === derivationBound(history, cross) &&
    columns.source[row] === history.observations.source[least] &&
    columns.observedAt[row] === history.observations.observedAt[least];
  if (same) return;
  const found = { text: row < columns.count ? printedRate(columns, row) : "no row", flags, bound };
  throw new Error(`${formatDay(date)} ${CURRENCY_CODES[symbol]}: ${JSON.stringify({ found, cross })}`);
}

describe("on worlds with gaps, both sources, both directions and near ties", () => {
  test.each([1, 2, 3, 4])("every row of every pair is the cross of its day (%d)", (seed) => {
    const history = historyOf(hardWorld(seededRandom(seed)));
    let rows = 0;
    for (let base = 0; base < CURRENCY_COUNT; base++) {
      for (let symbol = 0; symbol < CURRENCY_COUNT; symbol++) {
        if (base !== symbol) rows += compare(history, base, symbol, FIRST - 5, LAST);
      }
    }
    expect(rows).toBeGreaterThan(5000);
  });
  test("so is every row of a currency against itself, also while nothing links it to another", () => {
    const history = historyOf(hardWorld(seededRandom(1)));
    for (let base = 0; base < CURRENCY_COUNT; base++) compare(history, base, base, FIRST - 5, LAST);
  });
  test("the worlds hold what is hard: exact halves, scales 0 to 6, tiny rates, the dollar as root, compound chains", () => {
    const seen = new Set<string>();
    for (const seed of [1, 2, 3, 4]) {
      const history = historyOf(hardWorld(seededRandom(seed)));
      const { units, scale } = history.observations;
      for (const places of scale) seen.add(`scale ${places}`);
      for (let date = FIRST; date <= LAST; date++) {
        if (history.inForce(date, currencyIndex("USD")) < 0) seen.add("no dollar");
        const cross = crossRate(history, date, currencyIndex("USD"), currencyIndex("GBP"));
        if (cross?.legs.length === 2) {
          const [above, below] = cross.legs.map(({ row }) => row) as [number, number];
          const [top, bottom] = [
            BigInt(units[above] as number) * 10n ** BigInt(scale[below] as number),
            BigInt(units[below] as number) * 10n ** BigInt(scale[above] as number),
          ];
          const places = cross.text.split(".")[1]?.length ?? 0;
          for (const more of [places, places + 1]) {
            const twice = (2n * top * 10n ** BigInt(more)) % (2n * bottom);
            if (twice === bottom) seen.add("exact half");
          }
        }
        if (crossRate(history, date, currencyIndex("TWD"), currencyIndex("JPY"))?.legs.length === 3)
          seen.add("three legs");
        const tiny = crossRate(history, date, currencyIndex("IDR"), currencyIndex("USD"));
        if (tiny !== null && Number(tiny.text) < 1e-4) seen.add("tiny");
      }
    }
    const scales = [0, 1, 2, 3, 4, 5, 6].map((places) => `scale ${places}`);
    for (const hard of [...scales, "no dollar", "exact half", "three legs", "tiny"]) {
      expect([...seen]).toContain(hard);
    }
  });
  test("fills end with the fill, and a window beyond all figures is empty", () => {
    const history = historyOf([ecb("2024-01-02", "USD", "1.0956"), fred("2024-01-02", "TWD", "30.9", 2)]);
    const last = day("2024-01-02") + FILL_DAYS;
    for (const base of [currencyIndex("EUR"), currencyIndex("USD"), currencyIndex("TWD")]) {
      expect(compare(history, base, currencyIndex("TWD"), FIRST, last)).toBe(FILL_DAYS + 2);
      expect(compare(history, base, currencyIndex("GBP"), FIRST, last)).toBe(0);
    }
  });
});

const ecbPath = sharedDocument("ecb/eurofxref-hist.csv");

describe.skipIf(ecbPath === null)("on the real history 1999 … 2026", () => {
  test("all symbols on three bases, every calendar day", async () => {
    const history = await realHistory(ecbPath as string);
    let rows = 0;
    for (const base of (["EUR", "USD", "JPY"] as const).map(currencyIndex)) {
      for (let symbol = 0; symbol < CURRENCY_COUNT; symbol++) {
        rows += compare(history, base, symbol, history.firstDay, history.lastDay + FILL_DAYS);
      }
    }
    expect(rows).toBeGreaterThan(1_200_000);
  });
});

async function realHistory(path: string): Promise<History> {
  const [head = "", ...lines] = (await Bun.file(path).text()).trim().split("\n");
  const codes = head.split(",").map((name) => CURRENCY_CODES.find((code) => code === name));
  const plain: PlainObservation[] = [];
  for (const line of lines) {
    const [text = "", ...cells] = line.split(",");
    const date = parseDay(text) as Day;
    for (const [column, printed] of cells.entries()) {
      const quote = codes[column + 1];
      if (quote !== undefined && /\d/.test(printed)) {
        plain.push({ source: "ecb_daily", date, base: "EUR", quote, printed });
      }
    }
  }
  return buildHistory("real", columnsOf(plain));
}
