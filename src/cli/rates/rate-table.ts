/** The rates of a latest or a past day, as a table with their provenance, or as CSV. */

import type { Read } from "#api/body.ts";
import type { HistoricalResponse } from "#api/rates/historical.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import type { Screen, Terminal } from "#cli/command.ts";
import { csvLine } from "#cli/show/csv.ts";
import { coloured, printable, wrapped } from "#cli/show/style.ts";
import { type Cell, type Column, tableLines } from "#cli/show/table.ts";
import { ageOf, shownInstant } from "#cli/show/times.ts";

type Rates = Pick<
  Read<typeof LatestResponse>,
  "base" | "rates" | "sources" | "effective_at" | "derived_symbols" | "timestamp" | "notice"
> & { readonly stale?: Read<typeof LatestResponse>["stale"] };

/** What both answers have in common. */
export type RatesBody = Rates | Read<typeof HistoricalResponse>;

/** `age` is left out of a past day: it would say how long ago that was. */
const COLUMNS: readonly Column[] = [
  { head: "currency" },
  { head: "rate", align: "point" },
  { head: "source" },
  { head: "observed (UTC)", optional: true },
  { head: "age", align: "right" },
  { head: "" },
];

/** A line for each currency: rate, source, time of observation, age, and what is unusual about it. */
export function rateTable(screen: Screen, body: RatesBody, isPast = false): readonly string[] {
  const { rates, sources, effective_at: observed, derived_symbols: derived, timestamp } = body;
  const stale: Readonly<Record<string, boolean>> = ("stale" in body && body.stale) || {};
  const rows = Object.entries(rates).map(([code, { text }]): readonly (string | Cell)[] => {
    const at = observed[code];
    const marks = [
      ...((derived as readonly string[]).includes(code) ? ["derived"] : []),
      ...(stale[code] === true ? ["stale"] : []),
    ];
    return [
      { text: code, colour: "bold" },
      text,
      sources[code] ?? "",
      at === undefined ? "" : shownInstant(at),
      ...(isPast ? [] : [at === undefined ? "" : ageOf(at, timestamp)]),
      { text: marks.join(", "), colour: stale[code] === true ? "yellow" : "dim" },
    ];
  });
  return tableLines(screen, isPast ? COLUMNS.filter(({ head }) => head !== "age") : COLUMNS, rows);
}

/** One line a currency under a head; digits as sent. */
export function printRatesCsv({ print }: Terminal, body: RatesBody, date: string | null): void {
  const { base, rates, sources, effective_at: observed, derived_symbols: derived } = body;
  const stale: Readonly<Record<string, boolean>> = ("stale" in body && body.stale) || {};
  const last = date === null ? "stale" : "date";
  print(csvLine(["base", "symbol", "rate", "source", "effective_at", "derived", last]));
  for (const [code, { text }] of Object.entries(rates)) {
    const isDerived = (derived as readonly string[]).includes(code);
    const end = date ?? String(stale[code] === true);
    print(csvLine([base, code, text, sources[code] ?? null, observed[code] ?? null, String(isDerived), end]));
  }
}

/** The reminder under a table; made-up data is marked in a colour. */
export function noticeLines(screen: Screen, notice: string): readonly string[] {
  const isSimulated = notice.startsWith("SIMULATED");
  const lines = wrapped(printable(notice), Math.min(screen.columns, 110));
  return lines.map((line) => coloured(screen, isSimulated ? "yellow" : "dim", line));
}
