/** Which rates of an answer are simulated: on a real server not one; in the demo all but those that rest on the ECB's own history alone. */

import { type CurrencyCode, type CurrencyIndex, currencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import type { Day } from "#domain/time/day.ts";
import type { Dataset } from "./dataset.ts";

export interface Simulated {
  /** An answer of the demo. */
  readonly isDemo: boolean;
  /** Currencies whose rate rests on a simulated figure. */
  readonly codes: readonly CurrencyCode[];
  /** Every rate of the answer does. */
  readonly isAll: boolean;
  /** Of several days: on some of them the rates of these currencies are real. */
  readonly isInPart?: boolean;
}

const OF_REAL_SERVER: Simulated = { isDemo: false, codes: [], isAll: false };

/** Of an answer with the rates of these currencies; `isSimulated` is asked in the demo alone. */
export function simulatedAmong(
  isDemo: boolean,
  currencies: readonly CurrencyIndex[],
  isSimulated: (currency: CurrencyIndex, at: number) => boolean,
): Simulated {
  if (!isDemo) return OF_REAL_SERVER;
  const codes = currencies.filter(isSimulated).map(currencyCode);
  return { isDemo, codes, isAll: codes.length > 0 && codes.length === currencies.length };
}

const ECB = DAILY_SOURCES.indexOf("ecb_daily");

/** True for an observation that was made up: in the demo all but the ECB's through the last day of its own history. */
export function isSimulatedRow({ simulated, realThrough = null, history }: Dataset, row: Row): boolean {
  if (!simulated) return false;
  const { source, date } = history.observations;
  return realThrough === null || source[row] !== ECB || (date[row] as Day) > realThrough;
}

/** The same of the rates of a page or file on its days: a rate rests on the figures in force of its two currencies. */
export function simulatedOnDays(
  dataset: Dataset,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  days: () => Iterable<Day>,
): Simulated {
  const { history } = dataset;
  const isOn = (day: Day, currency: CurrencyIndex) => {
    const dollar = history.inForce(day, USD);
    // H.10 has a figure of the euro, too: it is used only where the ECB's dollar is missing.
    const row = currency === EUR && dollar >= 0 ? dollar : history.inForce(day, currency);
    return row >= 0 && isSimulatedRow(dataset, row);
  };
  let isInPart = false;
  const simulated = simulatedAmong(dataset.simulated, symbols, (symbol) => {
    let [some, every] = [false, true];
    for (const day of days()) {
      const is = isOn(day, base) || isOn(day, symbol);
      some ||= is;
      every &&= is;
    }
    if (some && !every) isInPart = true;
    return some;
  });
  return { ...simulated, isAll: simulated.isAll && !isInPart, isInPart };
}
