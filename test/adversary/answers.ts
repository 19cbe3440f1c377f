/** What holds of every served rate of a year, whatever was collected. */

import { expect } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { TestApp } from "#test/api/harness.ts";
import type { PlainObservation } from "#test/domain/history/columns.ts";
import { oracleOf } from "#test/domain/history/one-date-oracle.ts";
import type { Believed } from "./believed.ts";

const CODES: readonly CurrencyCode[] = ["EUR", "USD", "JPY", "GBP", "CHF", "SEK", "NOK", "TWD", "THB"];

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

/** Answers as they were served, to be requested again with as_of. */
export function newMemory() {
  const served: { path: string; at: string; body: unknown }[] = [];
  const comparableOf = (body: Record<string, unknown>) => ({
    rates: body.rates,
    effective_at: body.effective_at,
    sources: body.sources,
    is_forward_filled: body.is_forward_filled,
    data_updated_at: body.data_updated_at,
  });
  return {
    async serve(app: TestApp, day: Day, base: string, now: Instant) {
      const path = `/v1/${formatDay(day)}?base=${base}`;
      const answer = await app.ask(path);
      served.push({
        path,
        at: formatInstant(now),
        body: answer.status === 200 ? comparableOf(await answer.json()) : answer.status,
      });
    },
    async recall(app: TestApp) {
      for (const { path, at, body } of served) {
        const answer = await app.ask(`${path}&as_of=${at}&as_of_basis=retrieved`);
        const again = answer.status === 200 ? comparableOf(await answer.json()) : answer.status;
        expect<unknown>({ path, at, body: again }).toEqual({ path, at, body });
      }
      return served.length;
    },
  };
}
