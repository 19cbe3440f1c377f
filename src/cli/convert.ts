/** `crossrate convert`: an amount in one or several other currencies, now or on a day. */

import type { Read } from "#api/body.ts";
import type { ConvertResponse } from "#api/rates/convert.ts";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { type Client, clientOf, type Query } from "./client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "./command.ts";
import { noticeLines } from "./rates.ts";
import { ageOf, coloured, csvLine } from "./show.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { baseAndSymbols } from "./words.ts";

type Conversion = Read<typeof ConvertResponse>;

interface Options {
  readonly on?: string;
  readonly dp?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
}

export async function convert(context: CommandContext, options: Options, words: readonly string[]) {
  const { amount, base, targets } = conversionOf(words);
  const client = await clientOf(context, options.url);
  const answers = await convertAll(client, base, targets, { amount, date: options.on, dp: options.dp });
  const { terminal } = context;
  const conversions = answers.map(({ content }) => content);
  if (options.json) for (const { text } of answers) await terminal.write(`${text}\n`);
  else if (options.csv) printCsv(terminal, conversions);
  else printConversions(terminal, conversions);
  return EXIT.done;
}

/** The amount may come before the codes or after them. */
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
    roundedAmount(one),
    one.rate.rawJSON,
    one.source,
    one.date === undefined ? ageOf(one.data_updated_at, one.timestamp) : one.data_updated_at.slice(0, 10),
    { text: marksOf(one), colour: one.stale ? "yellow" : "dim" },
  ]);
  for (const line of tableLines(screen, columns, rows)) terminal.print(line);
  terminal.print("");
  for (const line of noticeLines(screen, first.notice)) terminal.print(line);
}

/** Rounds to the currency's own units: cents, whole yen. */
function roundedAmount({ to, converted }: Conversion): string {
  const decimals = CURRENCIES.find(({ code }) => code === to)?.minorUnits ?? 2;
  return fixed(converted.rawJSON, decimals);
}

/** Rounds half to even, with all decimals. A number with an exponent stays unchanged. */
function fixed(text: string, decimals: number): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const sign = text.startsWith("-") ? "-" : "";
  const [whole = "0", fraction = ""] = withDecimals(text.slice(sign.length), decimals).split(".");
  // A rate that would round to zero keeps a digit; an amount of money does not.
  const kept = fraction.slice(0, decimals).padEnd(decimals, "0");
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${kept}`;
}

function marksOf({ derived, derivation_bps_max: bound, stale }: Conversion): string {
  const error = bound === null ? "" : ` ±${bound.rawJSON} bps`;
  return [...(derived ? [`derived${error}`] : []), ...(stale ? ["stale"] : [])].join(", ");
}

function printCsv({ print }: Terminal, conversions: readonly Conversion[]): void {
  print(
    csvLine(["from", "to", "amount", "rate", "converted", "source", "data_updated_at", "derived", "date"]),
  );
  for (const one of conversions) {
    const { from, to, amount, rate, converted, source, data_updated_at: at, derived, date } = one;
    const numbers = [amount.rawJSON, rate.rawJSON, converted.rawJSON];
    print(csvLine([from, to, ...numbers, source, at, String(derived), date ?? null]));
  }
}
