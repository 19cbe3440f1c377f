/** Parameters as programs write them, and as the server reads them. */

import type { components, operations } from "./schema.ts";

export type Schemas = components["schemas"];
/** Three capital letters, such as `EUR`. */
export type CurrencyCode = Schemas["CurrencyCode"];
/** A calendar day, `YYYY-MM-DD`, in UTC. */
export type Day = string;
/** Digits, exact to the last one as a string: `100`, `"100.50"`. */
export type Amount = number | string;

/** `"*"` is every currency but the base. */
export type Symbols = CurrencyCode | readonly CurrencyCode[] | "*";

type QueryOf<Id extends keyof operations> = Exclude<operations[Id]["parameters"]["query"], undefined>;
/** Answers are JSON, except of the methods for files. */
type Typed<Query> = Omit<Query, "base" | "symbols" | "path_base" | "format"> & {
  readonly base?: CurrencyCode;
};

export type LatestQuery = Typed<QueryOf<"getLatest">> & { readonly symbols?: Symbols };
export type StreamQuery = Omit<Typed<QueryOf<"getStream">>, "last_event_id"> & { readonly symbols?: Symbols };
export type HistoricalQuery = Typed<QueryOf<"getHistorical">> & { readonly symbols?: Symbols };
export type FluctuationQuery = Typed<QueryOf<"getFluctuation">> & { readonly symbols?: Symbols };
export type AverageQuery = Typed<QueryOf<"getAverage">> & { readonly symbols?: Symbols };
export type RateQuery = QueryOf<"getRate">;
export type ConvertQuery = QueryOf<"convertAmount">;
export type DatedItem = Omit<Schemas["DatedItem"], "amount"> & {
  readonly amount: Amount;
};
export type DatedQuery = QueryOf<"convertDatedItems">;
export type ExplainQuery = QueryOf<"explainRate">;
export type RangeQuery = Omit<Typed<QueryOf<"getRange">>, "layout" | "estimate"> & {
  readonly symbols: Symbols;
};
export type FileFormat = Exclude<QueryOf<"getRange">["format"], "json" | undefined>;
export type RangeFileQuery = Omit<RangeQuery, "cursor" | "limit"> & {
  readonly format: FileFormat;
  /** `wide` has a column for each symbol; `long` is the default. */
  readonly layout?: "long" | "wide";
};
export type ChainQuery = QueryOf<"getLakeChain">;
export type ProofQuery = Omit<QueryOf<"getLakeProof">, "date">;
export type OfficialConvertQuery = QueryOf<"convertOfficially">;
export type OfficialChangesQuery = QueryOf<"listOfficialChanges">;
/** With `symbols` separated by commas; any of the table. */
export type OfficialRatesQuery = Omit<QueryOf<"listOfficialRates">, "format">;
export type OfficialInForceQuery = Omit<QueryOf<"getOfficialRatesInForce">, "format">;
export type OfficialPublicationsQuery = QueryOf<"listOfficialPublications">;

/** With the symbols separated by commas, as the server takes them. RangeError for an empty list, which it would take for all. */
export function joined<Query extends { readonly symbols?: Symbols }>(
  query: Query,
): Omit<Query, "symbols"> &
  (Query extends { readonly symbols: Symbols } ? { symbols: string } : { symbols?: string }) {
  const { symbols, ...rest } = query;
  if (typeof symbols === "object" && symbols.length === 0)
    throw new RangeError("the list of symbols is empty; leave it out for all currencies");
  const text = typeof symbols === "object" ? symbols.join(",") : symbols;
  return (text === undefined ? rest : { ...rest, symbols: text }) as ReturnType<typeof joined<Query>>;
}

/** An amount without an exponent, which the server does not take: `1e-7` becomes `0.0000001`. */
export function amountText(amount: Amount): string {
  const text = String(amount);
  const [, sign = "", whole = "", fraction = "", exponent] = /^(-?)(\d+)\.?(\d*)e([+-]\d+)$/.exec(text) ?? [];
  if (typeof amount === "string" || exponent === undefined) return text;
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, "0")}`;
}
