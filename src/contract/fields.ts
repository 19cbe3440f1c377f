/** Fields that several answers share: each with its meaning, its unit and an example. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { SOURCES, type Source } from "#domain/currency/source.ts";
import { noticeText } from "#domain/history/provenance.ts";
import { MARKET_SESSIONS, type MarketSession } from "#domain/time/session.ts";

// ── Named schemas ────────────────────────────────────────────────────────────────────────────────

export const CurrencyCodeModel = Type.Unsafe<CurrencyCode>({
  $id: "CurrencyCode",
  type: "string",
  enum: [...CURRENCY_CODES],
  description: "ISO 4217 code of a currency of the catalog, upper case.",
});

export const SourceModel = Type.Unsafe<Source>({
  $id: "Source",
  type: "string",
  enum: [...SOURCES],
  description:
    "Where a rate comes from: `live` intraday indicative; `ecb_daily` euro reference rates of the ECB; `fred_daily` H.10 noon rates of the Federal Reserve; `banxico_daily` and `dof_daily` only on the slugs `usd-mxn-banxico` and `usd-mxn-dof`; `market_daily` is reserved. Values may be added: treat an unknown one as a source you do not know.",
});

export const MarketSessionModel = Type.Unsafe<MarketSession>({
  $id: "MarketSession",
  type: "string",
  enum: [...MARKET_SESSIONS],
  description:
    "State of the interbank market when the answer was served, by the New York clock: `open`; `weekend` from Friday 17:00 to Sunday 17:00; `interbank_closed` on the trade dates 25 December and 1 January.",
});

// ── Building blocks ──────────────────────────────────────────────────────────────────────────────

/** The same schema with the meaning it has in one place; a named one stays a reference. */
export function meaning<T extends TSchema>(schema: T, description: string, example: Static<T>): T {
  return { ...schema, description, examples: [example] };
}

/** An object from currency code to a value. */
export function byCurrency<T extends TSchema>(
  value: T,
  description: string,
  example: Readonly<Record<string, Static<T>>>,
) {
  return Type.Unsafe<Record<string, Static<T>>>({
    type: "object",
    propertyNames: CurrencyCodeModel,
    additionalProperties: value,
    description,
    examples: [example],
  });
}

/** A value of the schema's JSON type, or null. */
export function nullable<T>(type: "string" | "number" | "integer", options: object) {
  return Type.Unsafe<T | null>({ type: [type, "null"], ...options });
}

/**
 * One of some values, or null. The values are a schema with a name, and null is beside them: generators make one type of
 * it, where null among the values makes three.
 */
export function oneOfOrNull<const T extends string>(
  name: string,
  values: readonly T[],
  description: string,
  example: T,
) {
  const named = { $id: name, type: "string", enum: [...values], description };
  return Type.Unsafe<T | null>({
    anyOf: [named, { type: "null" }],
    description,
    examples: [example],
  });
}

/** Either of several bodies, distinguished by their members: generators make a union of oneOf, and one body with all members of anyOf. */
export function eitherOf<T extends TSchema>(name: string, bodies: readonly T[], description: string) {
  return Type.Unsafe<Static<T>>({ $id: name, oneOf: [...bodies], description });
}

export const DAY_PATTERN = "^\\d{4}-\\d{2}-\\d{2}$";
export const INSTANT_PATTERN = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$";

export function instant(description: string, example: string) {
  return Type.String({ format: "date-time", pattern: INSTANT_PATTERN, description, examples: [example] });
}

export function day(description: string, example: string) {
  return Type.String({ format: "date", pattern: DAY_PATTERN, description, examples: [example] });
}

// ── Rate metadata ────────────────────────────────────────────────────────────────────────────────

export const result = Type.Unsafe<"success">({
  type: "string",
  const: "success",
  default: "success",
  description: "`success` on every answer that is not an error.",
  examples: ["success"],
});

export const source = meaning(
  SourceModel,
  "The least fresh contributing source: the one with the oldest observation.",
  "ecb_daily",
);

export const sources = byCurrency(
  SourceModel,
  "Source of each returned currency; the base is listed too when its own observation contributes.",
  { USD: "ecb_daily", EUR: "ecb_daily" },
);

export const marketSession = meaning(MarketSessionModel, MarketSessionModel.description ?? "", "open");

export const timestamp = instant("When the answer was served, UTC, to the second.", "2026-04-13T16:30:00Z");

export const dataUpdatedAt = instant(
  "Time of the oldest contributing observation, UTC.",
  "2026-04-13T12:15:00Z",
);

export const effectiveAt = byCurrency(
  Type.String({ format: "date-time", pattern: INSTANT_PATTERN }),
  "Observation time of each currency, UTC; the base's is that of the oldest of its figures.",
  { USD: "2026-04-13T12:15:00Z", EUR: "2026-04-13T12:15:00Z" },
);

export const rates = byCurrency(
  Type.Number({ minimum: 0 }),
  "Units of the currency per 1 unit of `base`. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.",
  { EUR: 0.855871277, GBP: 0.7457206436 },
);

export const rate = Type.Number({
  minimum: 0,
  description:
    "Units of the target currency per 1 unit of the base. A direct rate is printed as published; an inverse or a cross is exact arithmetic on the published figures, rounded half-even to 10 significant digits.",
  examples: [157.6942828],
});

export const staleByCurrency = byCurrency(
  Type.Boolean(),
  "True for a currency whose rate is outside its source's freshness window: a newer publication was due and has not been seen.",
  { EUR: false, GBP: false },
);

export const stale = Type.Boolean({
  description:
    "True when the rate is outside its source's freshness window: a newer publication was due and has not been seen.",
  examples: [false],
});

export const derivedSymbols = Type.Array(CurrencyCodeModel, {
  description:
    "Currencies whose rate is triangulated through a third currency. An inverse is not triangulated.",
  examples: [["GBP", "JPY"]],
});

export const derived = Type.Boolean({
  description: "True when the rate is triangulated through a third currency. An inverse is not.",
  examples: [true],
});

export const derivationBpsMax = nullable<number>("number", {
  minimum: 0,
  description:
    "Ceiling of the error that the rounding of the legs can add, in basis points of the rate, rounded up to 0.01; each leg counts as rounded to its last digit that is not zero. Null when the rate is not triangulated, and when its legs differ in source or observation time; use `derived` to detect triangulation.",
  examples: [0.7],
});

export const isForwardFilled = Type.Boolean({
  description: "True when any contributing figure is of an earlier day than `date`: at most 14 days earlier.",
  examples: [false],
});

export const notice = Type.String({
  description:
    "Reminder that rates are indicative and not for settlement. It starts with SIMULATED on made-up data.",
  examples: [noticeText(false)],
});

// ── Descriptions ─────────────────────────────────────────────────────────────────────────────────

export const OpenApiDocument = Type.Object(
  { openapi: Type.String({ description: "Version of OpenAPI.", examples: ["3.1.0"] }) },
  { $id: "OpenApiDocument", additionalProperties: true, description: "An OpenAPI document." },
);
