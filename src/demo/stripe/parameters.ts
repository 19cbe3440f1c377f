/** Checks a parameter tree against what an operation takes, with Stripe's own complaints: unknown, missing, of the wrong kind. */

import type { FormTree, FormValue } from "./form.ts";
import { StripeRefusal } from "./refusal.ts";

/** `!` marks what is required. `map` is free text by free names; a shape is nested; a shape in an array is a list of them. */
export type Kind = "text" | "text!" | "integer" | "boolean" | "map" | "range" | "texts";
export interface Shape {
  readonly [name: string]: Kind | Shape | readonly [Shape];
}

// biome-ignore lint/suspicious/noExplicitAny: the shape that was checked says what is in it
export type Parameters = any;

/** The tree with integers and booleans read; absent members stay absent. */
export function checked(tree: FormTree, shape: Shape, path = ""): Parameters {
  const named = (name: string) => (path === "" ? name : `${path}[${name}]`);
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(tree)) {
    const kind = shape[name];
    if (kind === undefined)
      throw new StripeRefusal(400, `Received unknown parameter: ${named(name)}`, {
        code: "parameter_unknown",
        param: named(name),
      });
    out[name] = read(value, kind, named(name));
  }
  for (const [name, kind] of Object.entries(shape)) {
    if (kind === "text!" && (out[name] === undefined || out[name] === ""))
      throw new StripeRefusal(400, `Missing required param: ${named(name)}.`, {
        code: "parameter_missing",
        param: named(name),
      });
  }
  return out;
}

function read(value: FormValue, kind: Kind | Shape | readonly [Shape], param: string): unknown {
  if (Array.isArray(kind)) {
    if (!Array.isArray(value)) throw invalid("array", value, param);
    return value.map((item, index) => nested(item, (kind as readonly [Shape])[0], `${param}[${index}]`));
  }
  if (typeof kind === "object") return nested(value, kind as Shape, param);
  switch (kind) {
    case "map":
      return value === "" ? {} : nested(value, null, param);
    case "range":
      return typeof value === "string"
        ? { gte: integer(value, param), lte: integer(value, param) }
        : ranged(value, param);
    case "texts":
      if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
      throw invalid("array", value, param);
    case "integer":
      return integer(value, param);
    case "boolean":
      if (value === "true" || value === "false") return value === "true";
      throw invalid("boolean", value, param);
    default:
      if (typeof value === "string") return value;
      throw invalid("string", value, param);
  }
}

function nested(value: FormValue, shape: Shape | null, param: string): unknown {
  if (typeof value === "string" || Array.isArray(value)) throw invalid("object", value, param);
  if (shape !== null) return checked(value as FormTree, shape, param);
  for (const item of Object.values(value)) if (typeof item !== "string") throw invalid("string", item, param);
  return { ...(value as FormTree) };
}

function ranged(value: FormValue, param: string): unknown {
  const bounds = nested(value, { gt: "integer", gte: "integer", lt: "integer", lte: "integer" }, param);
  return bounds;
}

function integer(value: FormValue, param: string): number {
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalid("integer", value, param);
}

function invalid(kind: string, value: FormValue, param: string): StripeRefusal {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return new StripeRefusal(400, `Invalid ${kind}: ${shown}`, { param });
}
