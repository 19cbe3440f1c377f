/** `expand[]`: an object in place of its identifier, also inside lists. */

import type { Account } from "./account.ts";
import { StripeRefusal } from "./refusal.ts";

/** A copy of the answer with every named path filled in. */
export function expanded(account: Account, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer);
  for (const path of paths) expand(account, copy as Record<string, unknown>, path.split("."), path);
  return copy;
}

function expand(account: Account, at: Record<string, unknown>, path: readonly string[], whole: string): void {
  const [name = "", ...rest] = path;
  const value = at[name];
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) expand(account, item as Record<string, unknown>, rest, whole);
    return;
  }
  if (typeof value === "string") at[name] = found(account, value, whole);
  else if (value === undefined || rest.length === 0) throw refused(whole);
  if (rest.length > 0) expand(account, at[name] as Record<string, unknown>, rest, whole);
}

function found(account: Account, id: string, path: string): object {
  const tables = [
    account.customers,
    account.subscriptions,
    account.invoices,
    account.prices,
    account.products,
  ];
  for (const table of tables) {
    const object = table.get(id);
    if (object !== undefined) return structuredClone(object);
  }
  throw refused(path);
}

function refused(path: string): StripeRefusal {
  return new StripeRefusal(400, `This property cannot be expanded (${path}).`, { param: "expand" });
}
