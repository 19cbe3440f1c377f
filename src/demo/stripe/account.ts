/** One simulated Stripe account: everything it holds, its clock, its identifiers, and the events that changes leave behind. */

import { randomInt } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import { CATALOG, PRODUCTS } from "./catalog.ts";
import type {
  Customer,
  DeletedCustomer,
  Event,
  Invoice,
  PortalSession,
  Price,
  Product,
  Session,
  Subscription,
} from "./objects.ts";

export const SIMULATED_API_VERSION = "2026-10-28.endive";

export interface Account {
  /** `http://127.0.0.1:<port>`, where its pages are. */
  base: string;
  readonly prices: Map<string, Price>;
  readonly products: Map<string, Product>;
  readonly customers: Map<string, Customer | DeletedCustomer>;
  readonly sessions: Map<string, Session>;
  readonly subscriptions: Map<string, Subscription>;
  readonly invoices: Map<string, Invoice>;
  readonly portals: Map<string, PortalSession>;
  /** In the order in which they came about. */
  readonly events: Event[];
  /** Customers whose card is declined. */
  readonly declining: Set<string>;
  /** Identifiers that exist in live mode only. */
  readonly liveOnly: Set<string>;
  /** What becomes of a subscription when the last attempt to collect fails. */
  whenUncollected: "canceled" | "unpaid" | "past_due";
  /** Seconds; inside a past step of the catching-up, the time of that step. */
  at(): number;
  /** Does something as of an earlier second. */
  asOf(second: number, work: () => void): void;
  newId(prefix: string, length?: number): string;
  emit(type: string, object: object, previous?: object): void;
}

/** Snapshots written by `saved` are read by `restore`, so that a demo finds its customers again. */
export function newAccount(now: () => Instant, sendEvent: (event: Event) => void): Account {
  let step: number | null = null;
  const account: Account = {
    base: "",
    prices: new Map(CATALOG.map((price) => [price.id, price])),
    products: new Map(PRODUCTS.map((product) => [product.id, product])),
    customers: new Map(),
    sessions: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    portals: new Map(),
    events: [],
    declining: new Set(),
    liveOnly: new Set(),
    whenUncollected: "canceled",
    at: () => step ?? Math.floor(now() / 1000),
    asOf(second, work) {
      step = second;
      try {
        work();
      } finally {
        step = null;
      }
    },
    newId: (prefix, length = 24) => `${prefix}_${Array.from({ length }, character).join("")}`,
    emit(type, object, previous) {
      const data = structuredClone({
        object,
        ...(previous === undefined ? {} : { previous_attributes: previous }),
      });
      const event: Event = {
        id: account.newId("evt"),
        object: "event",
        api_version: SIMULATED_API_VERSION,
        created: account.at(),
        data: data as Event["data"],
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      account.events.push(event);
      sendEvent(event);
    },
  };
  return account;
}

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

// Not seeded: an identifier must not come again when a demo is started again over the ledger of the last one.
function character(): string {
  return CHARACTERS.charAt(randomInt(CHARACTERS.length));
}

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
