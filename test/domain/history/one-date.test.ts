/** The figures of one source inside a rate are of one observation date: every rate beside a slow oracle, over histories with holes. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { crossRate, isUnfilled } from "#domain/history/cross.ts";
import { FILL_DAYS, type History } from "#domain/history/history.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import { datasetAsOf } from "#domain/point-in-time/dataset.ts";
import { spotRate } from "#domain/spot/rates.ts";
import { spotTable } from "#domain/spot/table.ts";
import { type Day, dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { datasetOfLives, type RevisionRow, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { EVERYTHING, NOON, randomFigures } from "#test/domain/spot/worlds.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { datasetOf, day, ecb, historyOf, type PlainObservation } from "./columns.ts";
import { type Oracle, type OracleRate, oracleOf } from "./one-date-oracle.ts";
import { type Random, wholeHistory, withHoles } from "./one-date-worlds.ts";

/** The whole history takes minutes with every pair: CROSS_PAIRS=930 asks for it. */
const PAIRS_A_DAY = Number(process.env["CROSS_PAIRS"] ?? 3);

const index = (code: CurrencyCode) => currencyIndex(code);

function figureNames(figures: readonly PlainObservation[]): string {
  return figures
    .map(({ source, base, quote, date }) => `${source} ${base}/${quote} ${formatDay(date)}`)
    .sort()
    .join(", ");
}

function rowNames({ observations }: History, rows: readonly number[]): string {
  return rows
    .map((row) => {
      const source = observations.source[row] === 0 ? "ecb_daily" : "fred_daily";
      const [base, quote] = [observations.base[row] as number, observations.quote[row] as number];
      return `${source} ${CURRENCY_CODES[base]}/${CURRENCY_CODES[quote]} ${formatDay(observations.date[row] as Day)}`;
    })
    .sort()
    .join(", ");
}

/** Digits, figures and fill of a pair on a day beside the oracle's. */
function assertCross(history: History, oracle: Oracle, date: Day, from: CurrencyCode, to: CurrencyCode) {
  const cross = crossRate(history, date, index(from), index(to));
  const wanted = oracle.daily(date, from, to);
  const found = cross === null ? null : `${cross.text} of ${rowNames(history, cross.rows)}`;
  const expected = wanted === null ? null : `${wanted.text} of ${figureNames(wanted.figures)}`;
  if (found !== expected)
    throw new Error(`${formatDay(date)} ${from}→${to}: ${found}, the rule says ${expected}`);
  if (cross !== null && wanted !== null) expect(isUnfilled(history, date, cross)).toBe(!wanted.filled);
  return wanted === null ? 0 : 1;
}

function somePairs(random: Random, count: number): (readonly [CurrencyCode, CurrencyCode])[] {
  const one = () => CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as CurrencyCode;
  const pairs = Array.from({ length: count }, () => [one(), one()] as const);
  // The pivots are where holes matter most.
  const pivots = [["USD", one()] as const, [one(), "USD"] as const, ["EUR", one()] as const];
  return [...pairs, ...pivots, ["TWD", one()] as const].filter(([from, to]) => from !== to);
}

describe("named days", () => {
  const silent = historyOf([
    ecb("2026-04-07", "USD", "1.1600"),
    ecb("2026-04-07", "JPY", "185.00"),
    ecb("2026-04-07", "GBP", "0.87000"),
    ecb("2026-04-08", "JPY", "187.39"),
    ecb("2026-04-08", "GBP", "0.87100"),
    ecb("2026-04-09", "USD", "1.1700"),
    ecb("2026-04-09", "JPY", "187.00"),
  ]);
  const rate = (history: History, date: string, from: CurrencyCode, to: CurrencyCode) =>
    crossRate(history, day(date), index(from), index(to));

  test("a day without the ECB's dollar has the dollar rates of the day before, and its own of all others", () => {
    expect(rate(silent, "2026-04-08", "USD", "JPY")?.text).toBe("159.4827586");
    expect(rate(silent, "2026-04-08", "EUR", "USD")?.text).toBe("1.1600");
    expect(rate(silent, "2026-04-08", "EUR", "JPY")?.text).toBe("187.39");
    expect(rate(silent, "2026-04-08", "GBP", "JPY")?.text).toBe("215.1435132");
  });
  test("fourteen days count from the date that both have", () => {
    const apart = historyOf([
      ecb("2026-04-01", "USD", "1.1600"),
      ecb("2026-04-01", "JPY", "185.00"),
      ecb("2026-04-10", "JPY", "187.00"),
    ]);
    expect(rate(apart, "2026-04-15", "USD", "JPY")?.text).toBe("159.4827586");
    expect(rate(apart, "2026-04-16", "USD", "JPY")).toBeNull();
    expect(rate(apart, "2026-04-16", "EUR", "JPY")?.text).toBe("187.00");
  });
});

describe("beside the slow oracle", () => {
  test("the whole history with holes, some pairs a day", async () => {
    const random = seededRandom(11);
    const figures = withHoles(random, await wholeHistory());
    const [history, oracle] = [historyOf(figures), oracleOf(figures)];
    let rates = 0;
    for (let date = history.observations.date[0] as Day; date <= history.lastDay + FILL_DAYS; date++) {
      for (const [from, to] of somePairs(random, PAIRS_A_DAY))
        rates += assertCross(history, oracle, date, from, to);
    }
    expect(rates).toBeGreaterThan(3_000);
  });

  test("as of an instant: the rule on what was known then, with a window of days and without", () => {
    let rates = 0;
    for (const seed of [51, 52]) {
      const random = seededRandom(seed);
      const first = day("2026-03-02");
      const rows = randomRevisions({ random, firstDay: first, days: 30, latestRetrievalDays: 5 });
      const dataset = datasetOfLives("lives", rows);
      for (let round = 0; round < 12; round++) {
        const instant = (first + 3 + random() * 36) * MILLISECONDS_PER_DAY;
        const known = rows.filter((row) => isKnownAt(rows, row, instant));
        const oracle = oracleOf(known);
        const last = dayAt(instant);
        for (const window of [null, { first: last - 5, last }]) {
          const { history } = datasetAsOf(dataset, instant, "retrieved", window);
          for (let date = last - 5; date <= last; date++) {
            for (const from of ["EUR", "USD", "GBP", "JPY", "TWD"] as const) {
              for (const to of ["EUR", "USD", "GBP", "JPY", "TWD"] as const)
                if (from !== to) rates += assertCross(history, oracle, date, from, to);
            }
          }
        }
      }
    }
    expect(rates).toBeGreaterThan(3_000);
  });

  test("latest rates: within one source of one date, across sources each by its newest value against the dollar", () => {
    const random = seededRandom(31);
    let [rates, apart] = [0, 0];
    for (let round = 0; round < 6; round++) {
      const figures = randomFigures(random, NOON);
      const oracle = oracleOf(figures);
      const dataset = datasetOf(figures);
      const table = spotTable({
        dataset,
        book: EMPTY_BOOK,
        policy: EVERYTHING,
        now: NOON,
        simulated: false,
      });
      const today = day("2026-04-14");
      for (const from of CURRENCY_CODES) {
        for (const to of CURRENCY_CODES) {
          if (from === to) continue;
          const wanted: OracleRate | null = oracle.latest(today, from, to);
          const rate = spotRate(table, index(from), index(to));
          if (rate?.text !== wanted?.text)
            throw new Error(`round ${round} ${from}→${to}: ${rate?.text}, the rule says ${wanted?.text}`);
          if (rate === null || wanted === null) continue;
          rates += 1;
          if (new Set(wanted.figures.map(({ date }) => date)).size > 1) apart += 1;
          expect(rate.figures.map(({ observedAt }) => observedAt).sort()).toEqual(
            wanted.figures.map((figure) => observedAt(figure)).sort(),
          );
        }
      }
    }
    expect(rates).toBeGreaterThan(4_000);
    expect(apart).toBeGreaterThan(100);
  });
});

function isKnownAt(rows: readonly RevisionRow[], row: RevisionRow, instant: Instant): boolean {
  const isOfFigure = (other: RevisionRow) =>
    other.source === row.source &&
    other.date === row.date &&
    other.base === row.base &&
    other.quote === row.quote;
  const isReplaced = rows.some(
    (other) => isOfFigure(other) && other.revision > row.revision && other.retrievedAt <= instant,
  );
  return (
    row.retrievedAt <= instant && (row.supersededAt ?? Number.POSITIVE_INFINITY) > instant && !isReplaced
  );
}

/** Of test histories: noon New York or 14:15 Frankfurt, in the summer time that these weeks have. */
function observedAt({ source, date }: PlainObservation): number {
  const [winter, summer] = source === "ecb_daily" ? ["13:15", "12:15"] : ["17:00", "16:00"];
  const turn = source === "ecb_daily" ? day("2026-03-29") : day("2026-03-08");
  return Date.parse(`${formatDay(date)}T${date >= turn ? summer : winter}:00Z`);
}
