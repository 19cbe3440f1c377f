/**
 * A parameter is a value: a description for the document, and a reader of its text. `query` and `path` combine several
 * into a route's schema, and the handler gets what was read. Codes are in upper or in lower case. Unknown query
 * parameters are ignored, but for those that choose a time.
 */

import { type TSchema, Type } from "@sinclair/typebox";
import { DAY_PATTERN } from "#api/forms.ts";
import {
  type CurrencyIndex,
  currencyCode,
  parseBase,
  parsePair,
  parseSymbols,
  USD,
} from "#domain/currency/currency.ts";
import { type ErrorCode, Failure } from "#domain/faults/errors.ts";
import { LONGEST_AMOUNT, parseAmount } from "#domain/number/amount.ts";
import type { Decimal } from "#domain/number/decimal.ts";
import { type Day, INSTANT_GRAMMAR, type Instant, parseDay, readInstant } from "#domain/time/day.ts";

/**
 * Returns the text of a parameter; undefined when absent, "" when blank. A blank value is refused like any other invalid
 * one: a caller that sends `as_of=` has lost an instant, and must not get an answer without a limit.
 */
export type Query = (name: string) => string | undefined;

export interface Described {
  readonly schema: TSchema;
  readonly description: string;
  /** Absent only when no value works for every reader, such as a cursor. */
  readonly example?: string | number;
  /** False leaves it out of the sample call on the documentation page; readers can switch it on. */
  readonly inSampleCall?: false;
  readonly isRequired?: true;
  /** Codes that the reader refuses with, for the document. */
  readonly refusals?: readonly ErrorCode[];
}

export interface Parameter<T = unknown> extends Described {
  /** Reads the text, undefined when absent. `query` returns other parameters' texts. Throws one of `refusals`. */
  parse(text: string | undefined, query: Query, name: string): T;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export type Read<P extends Parameters> = { readonly [Name in keyof P]: ReturnType<P[Name]["parse"]> };

/** Describes several parameters with one reader, as a Standard Schema, which Elysia accepts. */
export function readTogether<P extends Readonly<Record<string, Described>>, T>(
  parameters: P,
  read: (query: Query) => T,
) {
  const validate = (texts: unknown) => {
    const sent = texts as Readonly<Record<string, string | undefined>>;
    return { value: read((name) => sent[name]) };
  };
  const standard = { version: 1 as const, vendor: "crossrate" as const, validate };
  return {
    parameters,
    "~standard": standard as typeof standard & { readonly types?: { readonly input: T; readonly output: T } },
  };
}

/** Makes a reader of all parameters, in their order. */
export function readerOf<P extends Parameters>(parameters: P): (query: Query) => Read<P> {
  return (read) => {
    const value: Record<string, unknown> = {};
    for (const name in parameters)
      value[name] = (parameters[name] as Parameter).parse(read(name), read, name);
    return value as Read<P>;
  };
}

const INVALID = ["invalid_request"] as const;

/** Parameters that choose a time. */
const TIMES = ["date", "on", "valid_on", "as_of"];
/** Where other services take a key. */
const KEYS = ["api_key", "apikey", "access_key", "access_token", "app_id", "key", "token"];

/** Describes query parameters, each with its own reader. */
export function query<P extends Parameters>(parameters: P) {
  return commonQuery(parameters, readerOf(parameters));
}

/**
 * Describes query parameters with a common reader. A call refuses those of `TIMES` and `KEYS` that it does not take: it would
 * answer with the rates of another time, and with the limits and days of a caller without a key.
 */
export function commonQuery<P extends Parameters, T>(parameters: P, read: (query: Query) => T) {
  const foreign = [...TIMES, ...KEYS].filter((name) => !(name in parameters));
  const own = TIMES.filter((name) => name in parameters);
  const whole = readTogether(parameters, (sent) => {
    for (const name of foreign) if (sent(name) !== undefined) throw foreignOf(name, own);
    return read(sent);
  });
  return { ...whole, refusals: INVALID };
}

function foreignOf(name: string, own: readonly string[]): Failure {
  if (KEYS.includes(name)) {
    const reason = `${name} is no parameter of this call: an address ends up in logs; send the API key as Authorization: Bearer <key>`;
    return new Failure("invalid_request", { reason });
  }
  const instead =
    own.length > 0 ? `this call takes ${own.join(" and ")}` : "/v1/{date} has the rates of a day";
  return new Failure("invalid_request", {
    reason: `${name} is no parameter of this call, and would change its answer: leave it out; ${instead}`,
  });
}

export function path<P extends Parameters>(parameters: P) {
  return readTogether(parameters, readerOf(parameters));
}

/** GBp are pence: a code in mixed case is invalid. */
const CODE = "([A-Z]{3}|[a-z]{3})";
/** Optional sign, digits, optional fraction; not only signs and dots. */
export const AMOUNT_PATTERN = "^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)$";

export const code = Type.String({ pattern: `^${CODE}$`, examples: ["USD", "eur"] });
export const dayText = Type.String({ format: "date", pattern: DAY_PATTERN });
/** Instants that parameters accept; answers have only the form of `form.instant`. */
export const instantText = Type.String({ format: "date-time", pattern: INSTANT_GRAMMAR.source });
export const amountText = Type.String({
  pattern: AMOUNT_PATTERN,
  maxLength: LONGEST_AMOUNT,
  examples: ["100", "-12.50", ".5"],
});
export const amountParameter: Parameter<Decimal> = {
  schema: amountText,
  description:
    "A decimal number with optional sign and fraction, from -1e15 to 1e15, of at most 256 characters.",
  example: "250",
  refusals: ["invalid_amount"],
  parse: (text = "1") => parseAmount(text),
};
export const queryAmount: Parameter<Decimal> = {
  ...amountParameter,
  schema: { ...amountText, default: "1" },
  description: `${amountParameter.description} 1 when omitted.`,
};
const codes = (pattern: string) => Type.String({ pattern, maxLength: 512, examples: ["EUR", "EUR,GBP,JPY"] });
const CODES = `(\\*|${CODE}(, *${CODE})*)`;

const ABOUT_BASE = ["unsupported_base", "base_conflict"] as const;

/** Also reads `path_base`; a different one is refused. */
export const base: Parameter<CurrencyIndex> = {
  schema: Type.String({ pattern: `^${CODE}$`, default: "USD" }),
  description: "Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.",
  example: "USD",
  refusals: ABOUT_BASE,
  parse: (_, read) => baseOf(read),
};

export const queryPathBase: Parameter<void> = {
  schema: code,
  description: "The same as a base in the path; a different `base` is refused with `base_conflict`.",
  example: "USD",
  inSampleCall: false,
  parse: () => undefined,
};

export const pathBase: Parameter<CurrencyIndex> = {
  schema: code,
  description: "Base currency; a different `base` in the query is refused with `base_conflict`.",
  example: "USD",
  refusals: ABOUT_BASE,
  parse: (text = "") => parseBase(text),
};

/** Reads `base` beside a base in the path: null when absent. */
export const baseBesidePath: Parameter<CurrencyIndex | null> = {
  ...queryPathBase,
  refusals: ABOUT_BASE,
  parse: (text, read) => (text === undefined && read("path_base") === undefined ? null : baseOf(read)),
};

/** Returns the base in the path. Fails with `base_conflict` when the query has another. */
export function onlyBase(inPath: CurrencyIndex, inQuery: CurrencyIndex | null): CurrencyIndex {
  if (inQuery === null || inQuery === inPath) return inPath;
  throw new Failure("base_conflict", { path: currencyCode(inPath), query: currencyCode(inQuery) });
}

export const symbols: Parameter<ReturnType<typeof parseSymbols>> = {
  schema: codes(`^${CODES}?$`),
  description: "Currencies wanted, separated by commas; absent, empty or `*` means every other currency.",
  example: "EUR,GBP,JPY",
  refusals: INVALID,
  parse: parseSymbols,
};

/** Null for `*`. */
export const requiredSymbols: typeof symbols = {
  schema: codes(`^${CODES}$`),
  description: "Currencies wanted, separated by commas; `*` for all but the base.",
  example: "EUR,GBP",
  isRequired: true,
  refusals: ["invalid_request", "missing_parameter"],
  parse: (_, read, name) => parseSymbols(required(read, name)),
};

/** Describes the same parameter, null when absent. */
export function optional<T>({ parse, ...described }: Parameter<T>): Parameter<T | null> {
  return {
    ...described,
    parse: (text, read, name) => (text === undefined ? null : parse(text, read, name)),
  };
}

/** Describes one of some values; the first is the default. */
export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  description: string,
  schema: TSchema = Type.Unsafe<string>({ type: "string", enum: [...values], default: values[0] }),
): Parameter<T> {
  return {
    schema,
    description,
    example: values[0],
    inSampleCall: false,
    refusals: INVALID,
    parse: (text = values[0], _, name) => {
      const value = values.find((candidate) => candidate === text.toLowerCase());
      if (value !== undefined) return value;
      throw new Failure("invalid_request", { reason: `${name} must be one of ${values.join(", ")}` });
    },
  };
}

/** Describes a text, null when absent. Refuses a blank one. */
export function text(details: Omit<Described, "refusals">): Parameter<string | null> {
  return {
    ...details,
    parse: (value, _, name) => {
      if (value !== "") return value ?? null;
      throw new Failure("invalid_request", { reason: `${name} is empty: give it a value, or leave it out` });
    },
  };
}

/** Describes a segment of a path, which is passed on as text. */
export function segment(details: Omit<Described, "refusals">): Parameter<string> {
  return { ...details, parse: (value = "") => value };
}

interface Bounds extends Pick<Described, "description" | "inSampleCall"> {
  readonly least: number;
  readonly most: number;
  readonly fallback?: number;
  readonly example: number;
  readonly refusal?: "invalid_request" | "validation_error";
}

/** Describes a whole number. Without a `fallback` an absent one is refused: see `optional`. */
export function integer({
  least: minimum,
  most: maximum,
  fallback,
  refusal = "invalid_request",
  ...details
}: Bounds): Parameter<number> {
  const message = `a whole number from ${minimum} to ${maximum}`;
  return {
    schema: Type.Integer({ minimum, maximum, ...(fallback === undefined ? {} : { default: fallback }) }),
    ...details,
    refusals: [refusal],
    parse: (text = String(fallback), _, name) => {
      if (/^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
      const wording = `${name} must be ${message}`;
      throw refusal === "invalid_request"
        ? new Failure(refusal, { reason: wording })
        : new Failure(refusal, { wording, members: { errors: [{ path: name, message }] } });
    },
  };
}

export const dp = optional(
  integer({
    ...{ least: 0, most: 10, example: 4, inSampleCall: false },
    description:
      "Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit.",
  }),
);

type Details = Pick<Parameter, "description" | "inSampleCall" | "isRequired"> & { readonly example: string };

/** Describes a calendar day, UTC; null when absent. */
export function day(details: Details): Parameter<Day | null> {
  return optional({
    schema: dayText,
    ...details,
    refusals: ["bad_date"],
    parse: (text = "") => dateOf(text),
  });
}

export function requiredDay(details: Details): Parameter<Day> {
  return {
    schema: dayText,
    ...details,
    isRequired: true,
    refusals: ["missing_parameter", "bad_date"],
    parse: (_, read, name) => dateOf(required(read, name)),
  };
}

/** Describes the two currencies in a path. `from_ccy` reads both: a pair is refused as a whole. */
export function pair(from: string, to: string) {
  return {
    from_ccy: {
      schema: code,
      description: "Currency of the amount; of a rate, its base. In upper or in lower case.",
      example: from,
      refusals: ["invalid_pair"],
      parse: (text = "", read: Query) => parsePair(text, read("to_ccy") ?? ""),
    },
    to_ccy: {
      schema: code,
      description: "Currency wanted, in upper or in lower case.",
      example: to,
      parse: () => undefined,
    },
  } satisfies Record<string, Parameter>;
}

/** Fails with `missing_parameter` when absent or blank. */
export function required(query: Query, name: string): string {
  const value = query(name);
  if (value === undefined || value === "") throw new Failure("missing_parameter", { name });
  return value;
}

/** Returns `path_base`, `base`, or USD. Fails with `unsupported_base`, or `base_conflict` when the two differ. */
export function baseOf(query: Query): CurrencyIndex {
  const [first, second = first] = [query("path_base"), query("base")].filter((text) => text !== undefined);
  if (first === undefined || second === undefined) return USD;
  const [base, other] = [parseBase(first), parseBase(second)];
  if (base !== other) throw new Failure("base_conflict", { path: first, query: second });
  return base;
}

/** Reads a calendar day. Fails with `bad_date`. */
export function dateOf(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new Failure("bad_date", { date: text });
  return day;
}

/** Describes a UTC instant; null when absent. */
export function instant(details: Details): Parameter<Instant | null> {
  return optional({
    schema: instantText,
    ...details,
    refusals: INVALID,
    parse: (text = "", _, name) => parseInstant(name, text),
  });
}

/** Reads an instant. Fails with `invalid_request`, which names the parameter. */
export function parseInstant(name: string, text: string): Instant {
  const instant = readInstant(text);
  if (instant !== null) return instant;
  const reason =
    parseDay(text) === null
      ? `${name} must be a UTC instant such as 2026-04-13T16:30:00Z`
      : `${name} must be an instant, not a day: write ${text}T00:00:00Z where that day begins, T23:59:59Z where it ends, UTC`;
  throw new Failure("invalid_request", { reason });
}
