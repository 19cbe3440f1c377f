/** Parameters of Frankfurter's second version, and how they are read. Unknown ones are refused, as there. */

import { aside, dayText, described } from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import { textsOf } from "#api/request/query.ts";
import { Refusal } from "#api/response/dialect.ts";
import {
  CURRENCY_CODES,
  type CurrencyIndex,
  currencyIndex,
  EUR,
  mixedCaseHint,
} from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { Query } from "#rates/parameters.ts";

/** Keys of our sources there. */
export const PROVIDER_KEYS = { ecb_daily: "ECB", fred_daily: "FRED" } as const satisfies Record<
  DailySource,
  string
>;

export const date = aside("A day; excludes `from` and `to`.", "2026-04-13", dayText);
export const providers = aside(
  "Keys of sources, separated by commas: `ECB` for the euro reference rates alone, `ECB,FRED` for all there is.",
  "ECB",
);

export const RATES_PARAMETERS = {
  date,
  from: described("First day of a range; without one the newest rates.", "2026-04-10", dayText),
  to: described("Last day of the range, by default today.", "2026-04-13", dayText),
  base: described("Base currency, by default EUR.", "EUR"),
  quotes: described("Currencies wanted, separated by commas, by default all.", "GBP,USD"),
  providers,
  group: aside(
    "`week` or `month`: the mean of each ISO week or month of the range, dated with its first day.",
    "month",
    form.oneOf<string>(["week", "month"]),
  ),
};

/** `expand` is refused by its name. */
const NAMES = new Set([...Object.keys(RATES_PARAMETERS), "expand"]);

export interface RatesQuestion {
  readonly base: CurrencyIndex;
  /** In alphabetical order, the base included where it is wanted. */
  readonly quotes: readonly CurrencyIndex[];
  /** null: the newest rates. */
  readonly date: Day | null;
  /** null without a range; `to` null means up to today. */
  readonly range: { readonly from: Day; readonly to: Day | null } | null;
  readonly group: "week" | "month" | null;
  /** The one source to use; null: all, "none": the requested ones are not here. */
  readonly only: DailySource | null | "none";
}

/** `fixed` has the parameters from the path. Refusal 422 with the fault's name, in the order in which they are looked for there. */
export function ratesQuestion(request: Request, fixed: Readonly<Record<string, string>> = {}): RatesQuestion {
  const sent = textsOf(request);
  const unknownNames = Object.keys(sent).filter((name) => name !== "" && !NAMES.has(name));
  if (unknownNames.length > 0) refuse(`unknown parameter: ${unknownNames.join(", ").slice(0, 80)}`);
  const query: Query = (name) => fixed[name] ?? sent[name];
  const [date, from, to] = ["date", "from", "to"].map((name) => dayOf(query(name)));
  if (date !== null && (from !== null || to !== null)) refuse("conflicting params");
  const group = query("group")?.toLowerCase() ?? null;
  if (group !== null && group !== "week" && group !== "month") return refuse("invalid group");
  if (query("expand") !== undefined) {
    refuse(`invalid expand: ${query("expand")}; every rate here has one source, named by X-Source`);
  }
  const base = currencyIndex(query("base") ?? "EUR");
  const quotes = (query("quotes") || undefined)?.split(",").map((code) => code.trim());
  const unknown = [...(base < 0 ? [query("base")] : []), ...(quotes ?? []).filter(isUnknown)];
  for (const code of unknown) refuseMixedCase(code ?? "");
  if (unknown.length > 0) {
    refuse(`invalid currency: ${unknown.join(",").toUpperCase().slice(0, 80)}; see /v2/currencies`);
  }
  return {
    base: base < 0 ? EUR : base,
    quotes: inOrder((quotes ?? CURRENCY_CODES).map(currencyIndex)),
    date: date ?? null,
    range: from === null || from === undefined ? null : { from, to: to ?? null },
    group,
    only: sourceOf(query("providers")),
  };
}

/** `providers`: a list of keys. Refusal 422 for H.10 alone, whose figures are served only where the ECB has none. */
export function sourceOf(providers: string | undefined): RatesQuestion["only"] {
  if (providers === undefined) return null;
  if (providers === "") refuse("invalid providers: name some, or leave it out");
  const keys = new Set(providers.split(",").map((key) => key.trim().toUpperCase()));
  if (keys.has("FED")) keys.add(PROVIDER_KEYS.fred_daily);
  const [ecb, fred] = [keys.has(PROVIDER_KEYS.ecb_daily), keys.has(PROVIDER_KEYS.fred_daily)];
  if (fred && !ecb) {
    refuse(
      "invalid providers: FRED alone is not served here, only where ECB has no rate; leave providers out or name ECB too",
    );
  }
  return ecb ? (fred ? null : "ecb_daily") : "none";
}

function dayOf(text: string | undefined): Day | null {
  if (text === undefined) return null;
  const day = parseDay(text);
  return day ?? refuse("invalid date");
}

/** Refusal 422 for GBp and the like. */
export function refuseMixedCase(code: string): void {
  const hint = mixedCaseHint(code);
  if (hint !== null) refuse(`invalid currency: ${hint}`);
}

function isUnknown(code: string): boolean {
  return currencyIndex(code) < 0;
}

function inOrder(indexes: readonly CurrencyIndex[]): readonly CurrencyIndex[] {
  return [...new Set(indexes)].sort((a, b) => a - b);
}

function refuse(message: string): never {
  throw new Refusal(422, { status: 422, message });
}
