/** `crossrate latest`, `history`, `currencies` and `convert`: rates on one base, now or on a past day, a server's coverage, and amounts. */

import type { Read } from "#api/forms.ts";
import type { AverageResponse } from "#api/rates/average.ts";
import type { ConvertResponse } from "#api/rates/convert.ts";
import type { CurrenciesResponse } from "#api/rates/currencies.ts";
import type { FluctuationResponse } from "#api/rates/fluctuation.ts";
import type { HistoricalResponse } from "#api/rates/historical.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import { columnName } from "#domain/dataset/dataset.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { inMinorUnits } from "#domain/number/amount.ts";
import { csvLine } from "#domain/text/csv.ts";
import { type Client, clientOf, printAnswer, type Query } from "./client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "./command.ts";
import { convertFile, type FileOptions } from "./convert-file.ts";
import { ageOf, type Cell, type Column, coloured, printNotice, printTable, shownInstant } from "./show.ts";
import {
  baseAndSymbols,
  basketOf,
  everySymbol,
  isDay,
  type Outputs,
  parametersOf,
  subjectOf,
  windowOf,
} from "./words.ts";

export async function latest(context: CommandContext, options: Outputs, words: readonly string[]) {
  const call = { path: "/v1/latest", query: { ...subjectOf(words), ...parametersOf(options) } };
  await printAnswer<Read<typeof LatestResponse>>(context, options, call, (terminal, body) => {
    const { timestamp, market_session: session } = body;
    printRates(terminal, body, `, served ${shownInstant(timestamp)} UTC, market ${session}`, COLUMNS);
  });
}

export async function history(context: CommandContext, options: Outputs, words: readonly string[]) {
  const date = words.find(isDay);
  if (date === undefined)
    throw new UsageFault(`${words[0] ?? "the day is missing"}: name a calendar day, YYYY-MM-DD`);
  const subject = subjectOf(words.filter((word) => word !== date));
  const call = { path: `/v1/${date}`, query: { ...subject, ...parametersOf(options) } };
  await printAnswer<Read<typeof HistoricalResponse>>(context, options, call, (terminal, body) => {
    const filled = body.is_forward_filled ? ", filled from the last publication before it" : "";
    const reconstructed = body.as_of_reconstructed === true ? " (reconstructed)" : "";
    const asOf = body.as_of === undefined ? "" : `, known on ${body.as_of}${reconstructed}`;
    const columns = COLUMNS.filter(({ head }) => head !== "age");
    printRates(terminal, body, ` on ${body.date}${filled}${asOf}`, columns);
  });
}

export async function fluctuation(context: CommandContext, options: Outputs, words: readonly string[]) {
  const query = { ...everySymbol(windowOf(words)), ...parametersOf(options) };
  const heads = ["start", "on", "end", "on", "change", "%", "low", "on", "high", "on"];
  await printAnswer(context, options, { path: "/v1/fluctuation", query }, summaryPrinter(heads));
}

export async function average(
  context: CommandContext,
  options: Outputs & { readonly period?: string },
  words: readonly string[],
) {
  const { period } = options;
  if (period !== undefined && words.some(isDay)) throw new UsageFault("write --period or days, not both");
  const window = period === undefined ? windowOf(words) : basketOf(words);
  const query = { ...everySymbol(window), ...parametersOf(options) };
  const heads = ["average", "days", "first", "on", "last", "on", "low", "on", "high", "on"];
  await printAnswer(context, options, { path: "/v1/average", query }, summaryPrinter(heads));
}

type Summary = Read<typeof FluctuationResponse | typeof AverageResponse>;
type SummaryRow = Readonly<Record<string, string | ExactNumber>>;

/** `heads` are those of the columns after the currency, in the order of the answer's members. */
function summaryPrinter(heads: readonly string[]) {
  const columns = heads.map((head) => (head === "on" ? head : ({ head, align: "point" } as const)));
  return (terminal: Terminal, { base, start_date, end_date, rates, notice, ...of }: Summary): void => {
    const days = "method" in of ? `, ${of.method} days` : "";
    const toCome = "is_complete" in of && !of.is_complete ? ", not complete: figures are still to come" : "";
    const head = coloured(terminal.screen, "bold", `1 ${base}`);
    terminal.print(`${head} from ${start_date} to ${end_date}${days}${toCome}\n`);
    const rows = Object.entries<SummaryRow>(rates).map(([code, one]): readonly (string | Cell)[] => [
      { text: code, colour: "bold" },
      ...Object.values(one).map((value) => (typeof value === "string" ? value : value.rawJSON)),
      of.sources[code] ?? "",
    ]);
    printTable(terminal, ["currency", ...columns, "source"], rows);
    printNotice(terminal, notice, of.missing_symbols);
  };
}

/** The server has no CSV of its currencies. */
export async function currencies(context: CommandContext, { csv, ...outputs }: Outputs) {
  type Body = Read<typeof CurrenciesResponse>;
  await printAnswer<Body>(context, outputs, { path: "/v1/currencies" }, (terminal, body) => {
    const rows = body.currencies.map(({ code, name, minor_units, live, sources, history_start }) => [
      code,
      name,
      minor_units.rawJSON,
      live ? "live" : "",
      sources.filter((source) => source !== "live").join(csv ? " " : ", "),
      history_start ?? "",
    ]);
    const heads = ["code", "name", "minor", "live", "daily sources", "since"];
    if (csv) for (const row of [heads, ...rows]) terminal.print(csvLine(row));
    else {
      const columns = heads.map((head) => ({ head, align: head === "minor" ? "right" : "left" }) as const);
      printTable(terminal, columns, rows);
      terminal.print(`\n${body.count.rawJSON} currencies, ${body.pairs.rawJSON} pairs`);
    }
  });
}

type RatesBody = Read<typeof LatestResponse> | Read<typeof HistoricalResponse>;

const COLUMNS: readonly Column[] = [
  { head: "currency" },
  { head: "rate", align: "point" },
  { head: "source" },
  { head: "observed (UTC)", optional: true },
  { head: "age", align: "right" },
  { head: "" },
];

export function marksOf(body: RatesBody, code: string): Cell {
  const stale: Readonly<Record<string, boolean>> = "stale" in body ? body.stale : {};
  const isStale = stale[code] === true;
  const isDerived = (body.derived_symbols as readonly string[]).includes(code);
  const isSimulated = (body.simulated as Readonly<Record<string, boolean>> | undefined)?.[code] === true;
  const marks = [isDerived && "derived", isStale && "stale", isSimulated && "simulated"];
  return { text: marks.filter(Boolean).join(", "), colour: isStale ? "yellow" : "dim" };
}

function printRates(terminal: Terminal, body: RatesBody, head: string, columns: readonly Column[]): void {
  const { base, rates, sources, effective_at: observed, timestamp } = body;
  const ownAt = observed[base];
  // The head has the base's own figure where rates rest on one: that figure may be older than the others.
  const own = ownAt === undefined ? "" : ` (${sources[base]}, observed ${shownInstant(ownAt)})`;
  terminal.print(`${coloured(terminal.screen, "bold", `1 ${base}`)}${own}${head}\n`);
  const rows = Object.entries(rates).map(([code, { rawJSON: text }]): readonly (string | Cell)[] => {
    const at = observed[code];
    return [
      { text: code, colour: "bold" },
      text,
      sources[code] ?? "",
      at === undefined ? "" : shownInstant(at),
      ...(columns === COLUMNS ? [at === undefined ? "" : ageOf(at, timestamp)] : []),
      marksOf(body, code),
    ];
  });
  printTable(terminal, columns, rows);
  printNotice(terminal, body.notice, body.missing_symbols);
}

type Conversion = Read<typeof ConvertResponse>;

interface Options extends Partial<FileOptions>, Outputs {
  readonly on?: string;
  readonly dp?: string;
}

export async function convert(context: CommandContext, options: Options, words: readonly string[]) {
  const { file, out, url, ...others } = options;
  if (file !== undefined) {
    if (words.length + Object.keys(others).length > 0)
      throw new UsageFault(
        "--file goes with --out and --url alone: its rows have amounts, currencies and days",
      );
    return await convertFile(context, { ...options, file });
  }
  if (out !== undefined) throw new UsageFault("--out goes with --file");
  const date = words.find(isDay) ?? options.on;
  const { amount, base, targets } = conversionOf(words.filter((word) => !isDay(word)));
  const client = await clientOf(context, options.url);
  const answers = await convertAll(client, base, targets, { amount, date, dp: options.dp });
  const { terminal } = context;
  const conversions = answers.map(({ content }) => content);
  if (options.json) for (const { text } of answers) await terminal.write(`${text}\n`);
  else if (options.csv) printCsv(terminal, conversions);
  else printConversions(terminal, conversions);
  return EXIT.done;
}

function conversionOf(words: readonly string[]) {
  const amounts = words.filter((word) => /^[-+]?[\d.]/.test(word));
  if (amounts.length > 1) throw new UsageFault(`${amounts.join(" and ")}: name one amount`);
  const [amount] = amounts;
  if (amount?.includes(","))
    throw new UsageFault(`${amount}: write the amount with a point and without separators, as in 1234.50`);
  const { base, symbols } = baseAndSymbols(words.filter((word) => !amounts.includes(word)));
  if (base === undefined || symbols === undefined || symbols === "*")
    throw new UsageFault("name an amount, the currency it is in, and what to convert it to: 100 USD EUR");
  return { amount, base, targets: symbols.split(",") };
}

/** One after another: each is a separate call, and a limit ends the series. */
async function convertAll(client: Client, from: string, targets: readonly string[], query: Query) {
  const answers = [];
  for (const to of targets)
    answers.push(await client.ask<Conversion>(`/v1/convert/${from}/${to}`, { query }));
  return answers;
}

function printConversions(terminal: Terminal, conversions: readonly Conversion[]): void {
  const [first] = conversions;
  if (first === undefined) return;
  const { screen } = terminal;
  const day =
    first.date === undefined
      ? "at the latest rate"
      : `at the rate of ${first.date}${first.is_forward_filled === true ? ", filled from an earlier day" : ""}`;
  terminal.print(`${coloured(screen, "bold", `${first.amount.rawJSON} ${first.from}`)} ${day}\n`);
  const columns: readonly Column[] = [
    { head: "", align: "left" },
    { head: "amount", align: "point" },
    { head: "rounded", align: "point" },
    { head: "rate", align: "point" },
    { head: "source" },
    first.date === undefined ? { head: "age", align: "right" } : { head: "observed" },
    { head: "" },
  ];
  const rows = conversions.map((one): readonly (string | Cell)[] => [
    { text: one.to, colour: "bold" },
    one.converted.rawJSON,
    inMinorUnits(one.rate.rawJSON, one.amount.rawJSON, one.to),
    one.rate.rawJSON,
    one.source,
    one.date === undefined ? ageOf(one.data_updated_at, one.timestamp) : one.data_updated_at.slice(0, 10),
    { text: conversionMarks(one), colour: one.stale ? "yellow" : "dim" },
  ]);
  printTable(terminal, columns, rows);
  printNotice(terminal, first.notice);
}

function conversionMarks({ derived, derivation_bps_max: bound, stale, simulated }: Conversion): string {
  const error = bound === null ? "" : ` ±${bound.rawJSON} bps`;
  const marks = [derived && `derived${error}`, stale && "stale", simulated !== undefined && "simulated"];
  return marks.filter(Boolean).join(", ");
}

function printCsv({ print }: Terminal, conversions: readonly Conversion[]): void {
  const isSimulated = conversions.some(({ simulated }) => simulated !== undefined);
  const heads = ["rate", "converted"].map((name) => columnName(name, isSimulated));
  print(csvLine(["from", "to", "amount", ...heads, "source", "data_updated_at", "derived", "date"]));
  for (const one of conversions) {
    const { from, to, amount, rate, converted, source, data_updated_at: at, derived, date } = one;
    const numbers = [amount.rawJSON, rate.rawJSON, converted.rawJSON];
    print(csvLine([from, to, ...numbers, source, at, String(derived), date ?? null]));
  }
}
