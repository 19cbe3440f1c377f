/** Latest rates and the rates of a day as CSV: one row per currency, made of the members of the JSON. */

import { csvType } from "#api/file-types.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { tableCsv } from "./tables.ts";

const DATED = ["date", "base", "symbol", "rate", "source", "effective_at", "is_forward_filled", "derived"];
/** The columns of a day, and of the latest rates. */
const COLUMNS = { dated: DATED, latest: [...DATED, "stale"] } as const;

/** Describes this form for `otherTypes`; the operation describes `date` and `is_forward_filled`. */
export const ratesCsvType = (kind: keyof typeof COLUMNS, meaning: string, rows: readonly string[]) => ({
  ...csvType(COLUMNS[kind], ` ${meaning}`),
  example: [COLUMNS[kind].join(","), ...rows, ""].join("\r\n"),
});

interface RatesBody {
  readonly base: string;
  readonly rates: Readonly<Record<string, number | ExactNumber>>;
  readonly derived_symbols: readonly string[];
  /** Of the latest rates. */
  readonly stale?: Readonly<Record<string, boolean>>;
  readonly simulated?: object;
}

interface Dated {
  readonly date: string;
  readonly source: string;
  readonly effectiveAt: string;
  readonly isFilled: boolean;
}

/** Prints a body. `dated` returns the date, source and fill of the nth rate. */
export function ratesCsv(
  { base, rates, derived_symbols, stale, simulated }: RatesBody,
  dated: (code: string, nth: number) => Dated,
): string {
  const rows = Object.entries(rates).map(([code, rate], nth) => {
    const { date, source, effectiveAt, isFilled } = dated(code, nth);
    const isDerived = derived_symbols.includes(code);
    const row = [date, base, code, rate, source, effectiveAt, isFilled, isDerived];
    return stale === undefined ? row : [...row, stale[code] === true];
  });
  return tableCsv(
    stale === undefined ? COLUMNS.dated : COLUMNS.latest,
    rows,
    (name) => simulated !== undefined && name === "rate",
  );
}
