/** The account as text and back, so that a demo that is started again finds its customers and what they bought. */

import type { Account } from "./account.ts";

const MAPS = ["customers", "sessions", "subscriptions", "invoices", "portals"] as const;

export function saved(account: Account): string {
  const maps = Object.fromEntries(MAPS.map((name) => [name, [...account[name].values()]]));
  return JSON.stringify({ ...maps, events: account.events, declining: [...account.declining] });
}

/** Throws on text that `saved` did not write. */
export function restore(account: Account, text: string): void {
  const held = JSON.parse(text) as Record<string, { readonly id: string }[]>;
  for (const name of MAPS) {
    const map = account[name] as Map<string, unknown>;
    for (const object of held[name] ?? []) map.set(object.id, object);
  }
  account.events.push(...((held["events"] ?? []) as unknown as Account["events"]));
  for (const id of (held["declining"] ?? []) as unknown as string[]) account.declining.add(id);
  // The port may be another one now; pages are found by their path.
  for (const page of [...account.sessions.values(), ...account.portals.values()]) {
    const url = page.url === null ? null : URL.parse(page.url);
    if (url !== null) (page as { url: string }).url = account.base + url.pathname;
  }
}
