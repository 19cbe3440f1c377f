/** Parameters that several operations share. Codes are in upper or in lower case on input; unknown query parameters are ignored. */

import { Type } from "@sinclair/typebox";
import { DAY_PATTERN } from "./forms.ts";
import type { Parameter } from "./operation.ts";

type Details = Omit<Parameter, "name" | "in" | "required">;

/** A parameter of the query that may be absent. */
export function inQuery(name: string, details: Details): Parameter {
  return { name, in: "query", required: false, ...details };
}

export function inPath(name: string, details: Details): Parameter {
  return { name, in: "path", required: true, ...details };
}

/** A request header that may be absent. */
export function inHeader(name: string, details: Details): Parameter {
  return { name, in: "header", required: false, ...details };
}

/** GBp are pence: a code in mixed case is none. */
const CODE = "([A-Z]{3}|[a-z]{3})";
/** Optional sign, digits, optional fraction; not only signs and dots. */
export const AMOUNT_PATTERN = "^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)$";

const code = Type.String({ pattern: `^${CODE}$`, examples: ["USD", "eur"] });
const dayText = Type.String({ format: "date", pattern: DAY_PATTERN });
const codes = Type.String({
  pattern: `^(\\*|${CODE}(, *${CODE})*)$`,
  maxLength: 512,
  examples: ["EUR", "EUR,GBP,JPY"],
});
const noCodes = Type.String({
  pattern: `^(\\*|${CODE}(, *${CODE})*)?$`,
  maxLength: 512,
  examples: ["EUR", "EUR,GBP,JPY"],
});

export const base = inQuery("base", {
  schema: Type.String({ pattern: `^${CODE}$`, default: "USD" }),
  description: "Base currency: rates are units of the others per 1 unit of it. In upper or in lower case.",
  example: "USD",
});

export const queryPathBase = inQuery("path_base", {
  schema: code,
  description: "The same as a base in the path; a different `base` is refused with `base_conflict`.",
  example: "USD",
  inSampleCall: false,
});

export const symbols = inQuery("symbols", {
  schema: noCodes,
  description: "Currencies wanted, separated by commas; absent, empty or `*` means every other currency.",
  example: "EUR,GBP,JPY",
});

export const requiredSymbols: Parameter = {
  name: "symbols",
  in: "query",
  required: true,
  schema: codes,
  description: "Currencies wanted, separated by commas; `*` for all but the base.",
  example: "EUR,GBP",
};

export const dp = inQuery("dp", {
  schema: Type.Integer({ minimum: 0, maximum: 10 }),
  description:
    "Rounds rates half-even to this many decimals; by default they have all their digits. A rate that would become 0 has its first significant digit.",
  example: 4,
  inSampleCall: false,
});

/** One of some values, the first being the default. */
export function choice(name: string, values: readonly string[], description: string): Parameter {
  const schema = Type.Unsafe<string>({ type: "string", enum: [...values], default: values[0] });
  return inQuery(name, { schema, description, example: values[0] ?? "", inSampleCall: false });
}

/** A calendar day, UTC. */
export function dayParameter(
  name: string,
  place: "path" | "query",
  required: boolean,
  description: string,
  example: string,
): Parameter {
  return { name, in: place, required, schema: dayText, description, example };
}

export function codeParameter(name: string, description: string, example: string): Parameter {
  return inPath(name, { schema: code, description, example });
}
