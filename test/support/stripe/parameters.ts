/** Form-encoded parameters: parsed into a tree, and validated for an operation with Stripe's own error messages. */

import { StripeRefusal } from "./refusal.ts";

/** Leaves are text; `a[0]=…` and `a[]=…` become arrays. */
type FormValue = string | FormTree | readonly FormValue[];
export interface FormTree {
  readonly [name: string]: FormValue;
}

type Branch = Map<string, string | Branch>;

const DEEPEST = 8;

export function parseForm(text: string): FormTree {
  const root: Branch = new Map();
  for (const [key, value] of new URLSearchParams(text)) put(root, pathOf(key), value);
  return treeOf(root) as FormTree;
}

function pathOf(key: string): string[] {
  const [head = "", ...rest] = key.split("[");
  const path = [head, ...rest.map((part) => part.replace(/\]$/, ""))];
  const wellFormed = head !== "" && rest.every((part) => part.endsWith("]"));
  if (!wellFormed || path.length > DEEPEST) throw new StripeRefusal(400, `Invalid parameter name: ${key}`);
  return path;
}

function put(root: Branch, path: readonly string[], value: string): void {
  let branch = root;
  for (const [depth, written] of path.entries()) {
    const name = written === "" ? String(branch.size) : written;
    if (depth === path.length - 1) {
      branch.set(name, value);
      return;
    }
    const next = branch.get(name) ?? new Map();
    if (typeof next === "string") throw new StripeRefusal(400, `Invalid object: ${name}`, { param: name });
    branch.set(name, next);
    branch = next;
  }
}

function treeOf(branch: Branch): FormValue {
  const entries = [...branch].map(([name, value]): [string, FormValue] => [
    name,
    typeof value === "string" ? value : treeOf(value),
  ]);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, value]) => value);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

/** `!` marks what is required. `map` is free text by free names; a shape is nested; a shape in an array is a list of them. */
export type Kind = "text" | "text!" | "integer" | "boolean" | "map" | "texts";
export interface Shape {
  readonly [name: string]: Kind | Shape | readonly [Shape];
}

// biome-ignore lint/suspicious/noExplicitAny: the shape that was checked defines its content
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

function integer(value: FormValue, param: string): number {
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalid("integer", value, param);
}

function invalid(kind: string, value: FormValue, param: string): StripeRefusal {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return new StripeRefusal(400, `Invalid ${kind}: ${text}`, { param });
}
