/** What holds of every served rate of the simulated year, whatever was collected. */

import { expect } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { TestApp } from "#test/api/harness.ts";
import type { PlainObservation } from "#test/domain/history/columns.ts";
import { oracleOf } from "#test/domain/history/one-date-oracle.ts";
import { type Authorities, SERIES } from "./authorities.ts";
import type { Believed } from "./believed.ts";
import type { Delivered } from "./upstreams.ts";

/** Everything that any document has stated so far. */
export interface Statements {
  note(documents: readonly Delivered[]): void;
  /** Whether a document stated it; digits are compared without zeros at the end. */
  has(source: string, day: Day, currency: string, printed: string): boolean;
}

export function newStatements(): Statements {
  const all = new Set<string>();
  const keyOf = (source: string, day: Day, currency: string, printed: string) =>
    `${source} ${day} ${currency} ${Number(printed)}`;
  return {
    note(documents) {
      for (const { source, statements } of documents) {
        for (const { day, currency, printed } of statements) {
          if (printed !== null) all.add(keyOf(source, day, currency, printed));
        }
      }
    },
    has: (source, day, currency, printed) => all.has(keyOf(source, day, currency, printed)),
  };
}

/** A row of a page of daily rates. */
interface RangeRow {
  readonly date: string;
  readonly rates: Record<string, number>;
}

/** Every published figure as the range endpoint gives it: by day, the currency's value against its pivot. */
async function publishedRows(
  app: TestApp,
  base: string,
  symbols: readonly string[],
  [first, last]: readonly [Day, Day],
): Promise<readonly RangeRow[]> {
  const path = `/v1/range?base=${base}&symbols=${symbols.join(",")}&start_date=${formatDay(first)}&end_date=${formatDay(last)}`;
  const answer = await app.ask(path);
  if (answer.status === 404) return [];
  const body = await answer.json();
  expect(`${path} ${answer.status}`).toBe(`${path} 200`);
  expect(body.next_cursor).toBeNull();
  return body.data;
}

const EUROS = SERIES.filter(({ source }) => source === "ecb_daily").map(({ currency }) => currency);

/** Nothing is served against the euro that no document of the ECB stated of that very day. */
export async function expectOnlyStated(
  app: TestApp,
  statements: Statements,
  days: readonly [Day, Day],
): Promise<void> {
  for (const { date, rates } of await publishedRows(app, "EUR", EUROS, days)) {
    for (const [currency, rate] of Object.entries(rates)) {
      const day = Date.parse(date) / 86_400_000;
      if (!statements.has("ecb_daily", day, currency, String(rate))) {
        throw new Error(`${currency} ${rate} of ${date}: no document says so`);
      }
    }
  }
}

const CODES: readonly CurrencyCode[] = ["EUR", "USD", "JPY", "GBP", "CHF", "ISK", "TRY", "TWD", "MXN"];

/** Every rate of a day, on every base, is the one that the rule of one date makes of the believed figures; returns how many. */
export async function expectOneDate(app: TestApp, believed: Believed, day: Day): Promise<number> {
  const figures = [...believed].map(([figure, value]): PlainObservation => {
    const [source, currency, date] = figure.split(" ") as [PlainObservation["source"], CurrencyCode, string];
    const base = source === "ecb_daily" ? "EUR" : "USD";
    return { source, date: Number(date), base, quote: currency, printed: value.toString() };
  });
  const oracle = oracleOf(figures);
  let compared = 0;
  for (const base of CODES) {
    const answer = await app.ask(`/v1/${formatDay(day)}?base=${base}`);
    const rates = answer.status === 200 ? (await answer.json()).rates : {};
    for (const symbol of CODES) {
      if (symbol === base) continue;
      const expected = oracle.daily(day, base, symbol);
      const at = `${base}/${symbol} of ${formatDay(day)}`;
      expect(`${at} ${rates[symbol]}`).toBe(`${at} ${expected === null ? undefined : Number(expected.text)}`);
      compared++;
    }
  }
  return compared;
}

const CROSSED = ["USD", "JPY", "GBP", "CHF", "ISK", "TRY"];

/** No crossed rate of a day is further from the unrounded truth than its bound says; returns how many bounds were looked at. */
export async function expectBounds(
  app: TestApp,
  authorities: Authorities,
  day: Day,
  base: string,
): Promise<number> {
  const answer = await app.ask(`/v1/${formatDay(day)}?base=${base}`);
  if (answer.status !== 200) return 0;
  const { effective_at: effectiveAt } = await answer.json();
  let checked = 0;
  for (const currency of CROSSED) {
    if (currency === base || effectiveAt[currency] === undefined) continue;
    const { rate, derivation_bps_max: bound } = await app.get(
      `/v1/convert/${base}/${currency}/1?date=${formatDay(day)}`,
    );
    if (bound === null) continue;
    const date = Math.floor(Date.parse(effectiveAt[currency]) / 86_400_000);
    const [below, above] = [exactOf(authorities, base, date), exactOf(authorities, currency, date)];
    if (below === null || above === null) continue;
    const off = Math.abs((rate / (above / below)) * 10_000 - 10_000);
    if (off > bound + 1e-6) {
      throw new Error(
        `${base}/${currency} of ${formatDay(date)}: ${rate} is ${off} bps from the truth, bound ${bound}`,
      );
    }
    checked++;
  }
  return checked;
}

/** The one unrounded value of a day, or null where the authority stated several values. */
function exactOf(authorities: Authorities, currency: string, day: Day): number | null {
  if (currency === "EUR") return 1;
  const series = SERIES.find((one) => one.source === "ecb_daily" && one.currency === currency);
  if (series === undefined || authorities.isMisprinted(series, day)) return null;
  const versions = authorities.versions(series, day);
  return versions.length === 1 ? (versions[0]?.exact ?? null) : null;
}

/** Answers as they were served, to be requested again with as_of. */
export interface Memory {
  serve(app: TestApp, day: Day, base: string, now: Instant): Promise<void>;
  /** Each again; the number that was compared. */
  recall(app: TestApp): Promise<number>;
}

export function newMemory(): Memory {
  const served: { path: string; at: string; body: unknown }[] = [];
  const comparableOf = (body: Record<string, unknown>) => ({
    rates: body.rates,
    effective_at: body.effective_at,
    sources: body.sources,
    is_forward_filled: body.is_forward_filled,
    data_updated_at: body.data_updated_at,
  });
  return {
    async serve(app, day, base, now) {
      const path = `/v1/${formatDay(day)}?base=${base}`;
      const answer = await app.ask(path);
      served.push({
        path,
        at: formatInstant(now),
        body: answer.status === 200 ? comparableOf(await answer.json()) : answer.status,
      });
    },
    async recall(app) {
      for (const { path, at, body } of served) {
        const answer = await app.ask(`${path}&as_of=${at}&as_of_basis=retrieved`);
        const again = answer.status === 200 ? comparableOf(await answer.json()) : answer.status;
        expect<unknown>({ path, at, body: again }).toEqual({ path, at, body });
      }
      return served.length;
    },
  };
}
