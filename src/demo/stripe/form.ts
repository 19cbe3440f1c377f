/** `application/x-www-form-urlencoded` with nested brackets, as Stripe's API takes its parameters: text → tree. */

import { StripeRefusal } from "./refusal.ts";

/** Leaves are text; `a[0]=…` and `a[]=…` become arrays. */
export type FormValue = string | FormTree | readonly FormValue[];
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
