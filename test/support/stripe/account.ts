/** One simulated Stripe account: its objects, its clock, its identifiers, and the events that changes create. */

import { randomInt } from "node:crypto";
import type { Instant } from "#domain/time/day.ts";
import { CATALOG } from "./catalog.ts";
import type {
  Customer,
  DeletedCustomer,
  Event,
  Invoice,
  PortalSession,
  Price,
  Session,
  Subscription,
} from "./objects.ts";

export const SIMULATED_API_VERSION = "2026-10-28.endive";

export type Account = ReturnType<typeof newAccount>;

export function newAccount(now: () => Instant, sendEvent: (event: Event) => void) {
  let step: number | null = null;
  const account = {
    /** `http://127.0.0.1:<port>`, where its pages are. */
    base: "",
    prices: new Map<string, Price>(CATALOG.map((price) => [price.id, price])),
    customers: new Map<string, Customer | DeletedCustomer>(),
    sessions: new Map<string, Session>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    portals: new Map<string, PortalSession>(),
    /** In the order in which they came about. */
    events: [] as Event[],
    /** Customers whose card is declined. */
    declining: new Set<string>(),
    /** Identifiers that exist in live mode only. */
    liveOnly: new Set<string>(),
    /** What becomes of a subscription when the last attempt to collect fails. */
    whenUncollected: "canceled" as "canceled" | "unpaid" | "past_due",
    /** Seconds; inside a past step of the catching-up, the time of that step. */
    at: (): number => step ?? Math.floor(now() / 1000),
    /** Does something as of an earlier second. */
    asOf(second: number, work: () => void): void {
      step = second;
      try {
        work();
      } finally {
        step = null;
      }
    },
    newId: (prefix: string, length = 24): string => `${prefix}_${Array.from({ length }, character).join("")}`,
    emit(type: string, object: object, previous?: object): void {
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

// Not seeded: two simulators of a test may share a ledger.
function character(): string {
  return CHARACTERS.charAt(randomInt(CHARACTERS.length));
}
