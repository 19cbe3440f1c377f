/** `crossrate latest`, `history` and `currencies`: the rates on one base, now or on a past day, and a server's coverage. */

import type { Read } from "#api/body.ts";
import type { CurrenciesResponse } from "#api/rates/currencies.ts";
import type { HistoricalResponse } from "#api/rates/historical.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import { clientOf } from "./client.ts";
import { type CommandContext, EXIT, type Screen, type Terminal, UsageFault } from "./command.ts";
import { ageOf, coloured, csvLine, printable, shownInstant, wrapped } from "./show.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { baseAndSymbols, isDay } from "./words.ts";

interface Form {
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
}

interface RateOptions extends Form {
  readonly dp?: string;
  readonly asOf?: string;
  readonly asOfBasis?: string;
}

export async function latest(context: CommandContext, options: RateOptions, words: readonly string[]) {
  const { base, symbols } = baseAndSymbols(words);
  const client = await clientOf(context, options.url);
  const query = { base, symbols: symbols === "*" ? undefined : symbols, dp: options.dp };
  const { text, content } = await client.ask<Read<typeof LatestResponse>>("/v1/latest", { query });
  const served = `served ${shownInstant(content.timestamp)} UTC, market ${content.market_session}`;
  await printRates(context, options, { text, content, date: null, head: `, ${served}` });
  return EXIT.done;
}

export async function history(context: CommandContext, options: RateOptions, words: readonly string[]) {
  const [date, ...rest] = words;
  if (date === undefined || !isDay(date))
    throw new UsageFault(`${date ?? "the day is missing"}: name a calendar day first, YYYY-MM-DD`);
  const { base, symbols } = baseAndSymbols(rest);
  const client = await clientOf(context, options.url);
  const query = {
    base,
    symbols: symbols === "*" ? undefined : symbols,
    dp: options.dp,
    as_of: options.asOf,
    as_of_basis: options.asOfBasis,
  };
  const { text, content } = await client.ask<Read<typeof HistoricalResponse>>(`/v1/${date}`, { query });
  const filled = content.is_forward_filled ? ", filled from the last publication before it" : "";
  const reconstructed = content.as_of_reconstructed === true ? " (reconstructed)" : "";
  const asOf = content.as_of === undefined ? "" : `, known on ${content.as_of}${reconstructed}`;
  await printRates(context, options, { text, content, date, head: ` on ${content.date}${filled}${asOf}` });
  return EXIT.done;
}

export async function currencies(context: CommandContext, { json, csv, url }: Form) {
  const client = await clientOf(context, url);
  const { text, content } = await client.ask<Read<typeof CurrenciesResponse>>("/v1/currencies");
  const { terminal } = context;
  if (json) {
    await terminal.write(`${text}\n`);
    return EXIT.done;
  }
  const rows = content.currencies.map(({ code, name, minor_units, live, sources, history_start }) => [
    code,
    printable(name),
    minor_units.rawJSON,
    live ? "live" : "",
    sources.filter((source) => source !== "live").join(csv ? " " : ", "),
    history_start ?? "",
  ]);
  const heads = ["code", "name", "minor", "live", "daily sources", "since"];
  if (csv) for (const row of [heads, ...rows]) terminal.print(csvLine(row));
  else {
    const columns = heads.map((head) => ({ head, align: head === "minor" ? "right" : "left" }) as const);
    for (const line of tableLines(terminal.screen, columns, rows)) terminal.print(line);
    terminal.print(`\n${content.count.rawJSON} currencies, ${content.pairs.rawJSON} pairs`);
  }
  return EXIT.done;
}

interface Shown {
  readonly text: string;
  readonly content: RatesBody;
  /** Null for the latest rates. */
  readonly date: string | null;
  /** Follows `1 USD` above the table. */
  readonly head: string;
}

/** Prints the answer as JSON, as CSV, or as a table. */
async function printRates(
  { terminal }: CommandContext,
  { json, csv }: Form,
  { text, content, date, head }: Shown,
): Promise<void> {
  const { screen } = terminal;
  if (json) {
    await terminal.write(`${text}\n`);
    return;
  }
  if (csv) return printRatesCsv(terminal, content, date);
  terminal.print(`${coloured(screen, "bold", `1 ${content.base}`)}${head}\n`);
  for (const line of rateTable(screen, content, date !== null)) terminal.print(line);
  terminal.print("");
  for (const line of noticeLines(screen, content.notice)) terminal.print(line);
}

type Rates = Pick<
  Read<typeof LatestResponse>,
  "base" | "rates" | "sources" | "effective_at" | "derived_symbols" | "timestamp" | "notice"
> & { readonly stale?: Read<typeof LatestResponse>["stale"] };

type RatesBody = Rates | Read<typeof HistoricalResponse>;

/** A past day has no `age`. */
const COLUMNS: readonly Column[] = [
  { head: "currency" },
  { head: "rate", align: "point" },
  { head: "source" },
  { head: "observed (UTC)", optional: true },
  { head: "age", align: "right" },
  { head: "" },
];

/** Prints a line for each currency: rate, source, time of observation, age, and remarks. */
function rateTable(screen: Screen, body: RatesBody, isPast = false): readonly string[] {
  const { rates, sources, effective_at: observed, derived_symbols: derived, timestamp } = body;
  const stale: Readonly<Record<string, boolean>> = ("stale" in body && body.stale) || {};
  const rows = Object.entries(rates).map(([code, { rawJSON: text }]): readonly (string | Cell)[] => {
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

/** Prints one line per currency under a head; digits as sent. */
function printRatesCsv({ print }: Terminal, body: RatesBody, date: string | null): void {
  const { base, rates, sources, effective_at: observed, derived_symbols: derived } = body;
  const stale: Readonly<Record<string, boolean>> = ("stale" in body && body.stale) || {};
  const last = date === null ? "stale" : "date";
  print(csvLine(["base", "symbol", "rate", "source", "effective_at", "derived", last]));
  for (const [code, { rawJSON: text }] of Object.entries(rates)) {
    const isDerived = (derived as readonly string[]).includes(code);
    const end = date ?? String(stale[code] === true);
    print(csvLine([base, code, text, sources[code] ?? null, observed[code] ?? null, String(isDerived), end]));
  }
}

/** Prints the notice under a table; simulated data has a colour. */
export function noticeLines(screen: Screen, notice: string): readonly string[] {
  const isSimulated = notice.startsWith("SIMULATED");
  const lines = wrapped(printable(notice), Math.min(screen.columns, 110));
  return lines.map((line) => coloured(screen, isSimulated ? "yellow" : "dim", line));
}
