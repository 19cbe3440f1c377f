/**
 * Parameters and records of Frankfurter's second version: one record per pair and date, including the base against
 * itself. Unknown parameters are refused, as in Frankfurter.
 */

import * as compat from "#api/compat/compat.ts";
import { type PrintDay, printSeries, type SeriesQuestion } from "#api/compat/series.ts";
import * as form from "#api/forms.ts";
import { dayText, type Query } from "#api/parameters.ts";
import { textsOf } from "#api/request/query.ts";
import { Refusal } from "#api/response/failures.ts";
import { type CurrencyCode, currencyCode, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { type Day, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import { ecbAlone } from "#rates/query.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import { snapshot } from "#rates/snapshot.ts";

export const PROVIDER_KEYS = { ecb_daily: "ECB", fred_daily: "FRED" } as const satisfies Record<
  DailySource,
  string
>;

export const date = compat.aside("A day; excludes `from` and `to`.", "2026-04-13", dayText);
export const providers = compat.aside(
  "Keys of sources, separated by commas: `ECB` for the euro reference rates alone, `ECB,FRED` for all there is.",
  "ECB",
);

export const RATES_PARAMETERS = {
  date,
  from: compat.described("First day of a range; without one the newest rates.", "2026-04-10", dayText),
  to: compat.described("Last day of the range, by default today.", "2026-04-13", dayText),
  base: compat.described("Base currency, by default EUR.", "EUR"),
  quotes: compat.described("Currencies wanted, separated by commas, by default all.", "GBP,USD"),
  providers,
  group: compat.aside(
    "`week` or `month`: the mean of each ISO week or month of the range, dated with its first day.",
    "month",
    form.oneOf<string>(["week", "month"]),
  ),
};

/** `expand` is known, because it has a refusal of its own. */
const NAMES = new Set([...Object.keys(RATES_PARAMETERS), "expand"]);

export type RatesQuestion = ReturnType<typeof ratesQuestion>;

/**
 * `fixed` has the parameters of the path. `quotes` are in alphabetical order, with a requested base. Without `from` the
 * question is about `date`, or about the newest rates; without `to` the range ends today. Refuses with 422 and the
 * fault's name, in Frankfurter's order of checks.
 */
export function ratesQuestion(request: Request, fixed: Readonly<Record<string, string>> = {}) {
  const sent = textsOf(request);
  const unknownNames = Object.keys(sent).filter((name) => name !== "" && !NAMES.has(name));
  if (unknownNames.length > 0) refuse(`unknown parameter: ${unknownNames.join(", ").slice(0, 80)}`);
  const query: Query = (name) => fixed[name] ?? sent[name];
  const [date, from, to] = [dayOf(query("date")), dayOf(query("from")), dayOf(query("to"))];
  if (date !== null && (from !== null || to !== null)) refuse("conflicting params");
  const group = query("group")?.toLowerCase() ?? null;
  if (group !== null && group !== "week" && group !== "month") return refuse("invalid group");
  if (query("expand") !== undefined) {
    refuse(`invalid expand: ${query("expand")}; every rate here has one source, named by X-Source`);
  }
  const base = currencyIndex(query("base") ?? "EUR");
  const quotes = compat.readCodes(query("quotes") || undefined);
  const unknown = [...(base < 0 ? [query("base") ?? ""] : []), ...quotes.unknown];
  for (const code of unknown) refuseMixedCase(code);
  if (unknown.length > 0) {
    refuse(`invalid currency: ${unknown.join(",").toUpperCase().slice(0, 80)}; see /v2/currencies`);
  }
  return { base, quotes: quotes.symbols, date, from, to, group, only: sourceOf(query("providers")) };
}

/**
 * Reads `providers`, a list of keys: the one source to use, null for all, "none" when no requested source exists here. Refuses
 * H.10 alone with 422: its figures are served only when the ECB has none.
 */
export function sourceOf(providers: string | undefined): "ecb_daily" | "none" | null {
  if (providers === undefined) return null;
  if (providers === "") refuse("invalid providers: name some, or leave it out");
  const keys = new Set(providers.split(",").map((key) => key.trim().toUpperCase()));
  const isFred = keys.has(PROVIDER_KEYS.fred_daily) || keys.has("FED");
  if (keys.has(PROVIDER_KEYS.ecb_daily)) return isFred ? null : "ecb_daily";
  if (!isFred) return "none";
  return refuse(
    "invalid providers: FRED alone is not served here, only where ECB has no rate; leave providers out or name ECB too",
  );
}

function dayOf(text: string | undefined): Day | null {
  return text === undefined ? null : (parseDay(text) ?? refuse("invalid date"));
}

/** Refuses GBp and the like with 422. */
export function refuseMixedCase(code: string): void {
  const hint = mixedCaseHint(code);
  if (hint !== null) refuse(`invalid currency: ${hint}`);
}

/** Refuses with 422. */
export function refuse(message: string): never {
  throw new Refusal(422, { status: 422, message });
}

export interface RecordForm {
  readonly print: (date: string, base: CurrencyCode, quote: CurrencyCode, digits: string) => string;
  readonly between: string;
}

interface Records {
  /** Printed records with their separators, in parts. */
  readonly text: readonly (string | Uint8Array<ArrayBuffer>)[];
  readonly origin: compat.Origin;
}

const NOTHING: Records = { text: [], origin: compat.NO_ORIGIN };

/** Prints the records in steps of a few milliseconds. Returns an empty answer without records. */
export function* recordsOf(
  deps: RangeDeps,
  question: RatesQuestion,
  form: RecordForm,
): Generator<undefined, Records> {
  const { base, quotes, only, from, to, group, date } = question;
  if (only === "none") return NOTHING;
  const daily = only === null ? deps : ecbAlone(deps);
  const today = dayAt(deps.clock.now());
  if (from === null) return openingOf(daily, question, date ?? today, form);
  const end = to ?? today;
  if (from > end || from > today) return NOTHING;
  const shared = { base, symbols: quotes, end, fill: "none" } as const;
  if (group !== null) {
    const interval = group === "week" ? "1w" : "1mo";
    return yield* seriesOf(daily, { ...shared, start: from, interval, aggregate: "mean" }, form);
  }
  // The records in force on the first day open the series, each with its own date.
  const opening = openingOf(daily, question, from, form, "by day");
  if (from === end) return opening;
  const rest = yield* seriesOf(daily, { ...shared, start: from + 1 }, form);
  const separator = opening.text.length * rest.text.length > 0 ? [form.between] : [];
  return {
    text: [...opening.text, ...separator, ...rest.text],
    // The opening is never younger than the rest.
    origin: opening.origin.source === null ? rest.origin : opening.origin,
  };
}

/** Returns the records in force on a day. The base's own record has the newest date of the others. */
function openingOf(
  deps: RangeDeps,
  { base, quotes }: RatesQuestion,
  day: Day,
  { print, between }: RecordForm,
  order?: "by day",
): Records {
  const { rates, origin } = snapshot(deps, day, base, quotes);
  const own = currencyCode(base);
  const others = rates.filter(({ code }) => code !== own).map((rate) => rate.day);
  const dated = rates.map((rate) => ({
    ...rate,
    day: rate.code === own && others.length > 0 ? Math.max(...others) : rate.day,
  }));
  if (order === "by day") dated.sort((a, b) => a.day - b.day);
  const printed = dated.map(({ day, code, text }) => print(formatDay(day), own, code, text));
  return { text: printed.length === 0 ? [] : [printed.join(between)], origin };
}

/** The base's own record is sent only with others, unless it is the only one requested. */
function seriesOf(
  deps: RangeDeps,
  question: SeriesQuestion,
  { print, between }: RecordForm,
): Generator<undefined, Records> {
  const { base, symbols } = question;
  const isAlone = symbols.length === 1 && symbols[0] === base;
  const code = currencyCode(base);
  const printDay: PrintDay = (date, values) => {
    if (!isAlone && values.length === 1 && values[0]?.code === code) return [];
    return values.map(({ code: quote, digits }) => print(date, code, quote, digits));
  };
  return printSeries(deps, question, printDay, between);
}
