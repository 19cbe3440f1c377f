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

const code = Type.String({ pattern: `^${CODE}$`, examples: ["USD", "eur"] });
const dayText = Type.String({ format: "date", pattern: DAY_PATTERN });

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
