/** The model: people, organizations and keys as the specification, docs/accounts.md and docs/billing.md have them. */

import { type Bought, isOverdue, meaning, type Tier } from "./subscriptions.ts";
import { dayOf, type Figures, Windows } from "./windows.ts";

export const DAY = 86_400_000;
const KEY_GRACE = DAY;
export const SESSION = 30 * DAY;

export interface Key {
  readonly plaintext: string;
  readonly createdAt: number;
  /** From then on it is refused; Infinity for the current one. */
  endsAt: number;
  usedAt: number | null;
}

export interface Org {
  readonly id: string;
  readonly owner: Person;
  readonly keys: Key[];
  /** By an operator, until news of a running subscription. */
  given: Tier | null;
  /** As it was read when the provider's last notice was dealt with. */
  bought: Bought | null;
  suspended: boolean;
  customer: string | null;
  page: {
    readonly url: string;
    readonly plan: string;
    readonly interval: string;
    /** What had been bought, and its status. */
    readonly after: string;
    readonly at: number;
  } | null;
  readonly windows: Windows;
  readonly days: Map<string, { served: number; limited: number }>;
}

export interface Person {
  readonly email: string;
  readonly address: string;
  readonly password: string;
  readonly sessions: Map<string, number>;
  readonly deadSessions: string[];
  readonly consents: Map<string, number>;
  /** The person's own: they remain when the organization is deleted. */
  readonly windows: Windows;
  org: Org | null;
}

export type Plans = Readonly<Record<Tier, Required<Pick<Figures, "minute" | "month">>>> & {
  readonly anonymous: Required<Pick<Figures, "minute" | "hour">>;
};

/** In days that count today; a year begins on the same date. */
export const HISTORY: Readonly<Record<Tier | "anonymous", number | "year" | null>> = {
  anonymous: 30,
  free: 30,
  basic: "year",
  plus: null,
  pro: null,
};

export function newPerson(email: string, address: string, password: string): Person {
  return {
    email,
    address,
    password,
    sessions: new Map(),
    deadSessions: [],
    consents: new Map(),
    windows: new Windows(),
    org: null,
  };
}

export function newOrg(id: string, owner: Person): Org {
  return {
    id,
    owner,
    keys: [],
    given: null,
    bought: null,
    suspended: false,
    customer: null,
    page: null,
    windows: owner.windows,
    days: new Map(),
  };
}

export function accountStatus(org: Org, now: number): { readonly tier: Tier; readonly status: string } {
  const { bought, given, suspended } = org;
  const paid = bought === null ? { tier: "free" as const, status: "active" } : meaning(bought, now);
  // Whatever was bought, or given meanwhile: a payment that is missing too long makes it free.
  const tier = bought !== null && isOverdue(bought, now) ? "free" : (given ?? paid.tier);
  return { tier, status: suspended ? "suspended" : paid.status };
}

/** A notice makes the provider be read again. What ended before an operator gave a tier does not revoke it. */
export function applyReading(org: Org, read: Bought | null): void {
  if (read === null) return;
  const isKnownEnded = org.bought === null || org.bought.status === "canceled";
  if (read.status === "canceled" && (org.given ?? "free") !== "free" && isKnownEnded) return;
  org.bought = read;
  org.given = null;
}

export const isLive = (key: Key, now: number): boolean => now < key.endsAt;

export function currentKey(org: Org): Key | null {
  return org.keys.find(({ endsAt }) => endsAt === Number.POSITIVE_INFINITY) ?? null;
}

/** The old one lives 24 hours more, and whatever was in its own 24 hours ends at once. */
export function rotate(org: Org, plaintext: string, now: number): void {
  for (const key of org.keys)
    if (isLive(key, now) && key.endsAt !== Number.POSITIVE_INFINITY) key.endsAt = now;
  const old = currentKey(org);
  if (old !== null) old.endsAt = now + KEY_GRACE;
  issue(org, plaintext, now);
}

export function issue(org: Org, plaintext: string, now: number): void {
  org.keys.push({ plaintext, createdAt: now, endsAt: Number.POSITIVE_INFINITY, usedAt: null });
}

export function count(org: Org, now: number, what: "served" | "limited"): void {
  const day = org.days.get(dayOf(now)) ?? { served: 0, limited: 0 };
  day[what] += 1;
  org.days.set(dayOf(now), day);
}

/** As the interface writes times: milliseconds only where there are any. */
export function instantText(at: number): string {
  return new Date(at).toISOString().replace(".000", "");
}
