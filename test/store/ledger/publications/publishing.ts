/** Publications, events and endpoints to test with, and an organization that may have them. */

import type { PublicationVersion } from "#domain/official/publication.ts";
import { type Day, formatInstant, parseDay } from "#domain/time/day.ts";
import type { AttemptOutcome, EventType, WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { ClaimedDelivery, ClaimWish, NewEndpoint } from "#ports/webhooks.ts";
import { type Account, account, by, NOON } from "#test/store/ledger/ledgers.ts";

export const day = (text: string) => parseDay(text) as Day;

export const OK: AttemptOutcome = {
  ...{ status: 200, fault: null, milliseconds: 12, address: "203.0.113.7" },
  head: "POST /hooks HTTP/1.1\nHost: receiver.example",
};
export const DELIVERED = { state: "delivered", dueAt: null } as const;

export function version(
  publication: string,
  nth = 1,
  more: Partial<PublicationVersion> = {},
): PublicationVersion {
  return {
    table: "mex_fix",
    publication,
    version: nth,
    validFrom: day("2026-11-20"),
    validTo: null,
    publishedAt: null,
    retrievedAt: NOON + nth,
    sourceUrl: "https://authority.example/table",
    documentSha256: "ab".repeat(32),
    fingerprint: `${publication} as of ${nth}`,
    rows: [
      { base: "USD", quote: "MXN", rate: "18.3340", unit: 1, kind: "mid" },
      { base: "JPY", quote: "MXN", rate: "11.80", unit: 100, kind: "buy" },
    ],
    ...more,
  };
}

export function eventOf(of: PublicationVersion, more: Partial<WebhookEvent> = {}): WebhookEvent {
  const id = `evt_${of.table}_${of.publication}_v${of.version}`;
  const type: EventType = of.version === 1 ? "official.published" : "official.corrected";
  const body = JSON.stringify({ id, type, created_at: formatInstant(of.retrievedAt) });
  return { id, type, createdAt: of.retrievedAt, body, ...more };
}

/** With its event, as collecting would publish it. */
export function news(publication: string, nth = 1, more: Partial<PublicationVersion> = {}) {
  const made = version(publication, nth, more);
  return { version: made, event: eventOf(made) };
}

/** The first versions by these names, as they were collected. */
export const publishNews = ({ outbox }: Pick<Ledger, "outbox">, names: readonly string[], at = NOON) =>
  outbox.publish(
    names.map((name) => news(name)),
    at,
  );

export function wanted(more: Partial<NewEndpoint> = {}): NewEndpoint {
  return {
    url: "https://receiver.example/hooks?token=hush",
    description: "",
    events: ["official.published", "official.corrected"],
    secret: '{"ct":"sealed"}',
    ...more,
  };
}

/** An account of the tier pro with these endpoints; their ids are `whe_<name>`. */
export async function sender(
  ledger: Ledger,
  name: string,
  endpoints: readonly string[],
  more: Partial<NewEndpoint> = {},
): Promise<Account> {
  const made = await account(ledger, name);
  await ledger.organizations.change(made.organizationId, { tier: "pro" }, by());
  for (const one of endpoints) {
    const added = await ledger.endpoints.add(`whe_${one}`, made.organizationId, wanted(more), 25, by());
    if (added === null || added === "full") throw new Error(`whe_${one} was not added`);
  }
  return made;
}

/** A claim by one worker, which takes nothing from others. */
export function claiming(more: Partial<ClaimWish> = {}): ClaimWish {
  return { at: NOON, worker: "wrk_1", limit: 10, perEndpoint: 2, takesOver: false, ...more };
}

export function oneOf([claimed]: readonly ClaimedDelivery[]): ClaimedDelivery {
  if (claimed === undefined) throw new Error("nothing was claimed");
  return claimed;
}

export function twoOf([first, ...others]: readonly ClaimedDelivery[]): [ClaimedDelivery, ClaimedDelivery] {
  return [oneOf(first === undefined ? [] : [first]), oneOf(others)];
}

/** Which event is claimed for which endpoint, such as "a 2026-11-20". */
export const short = (claimed: readonly ClaimedDelivery[]): readonly string[] =>
  claimed.map(({ endpointId, eventId }) => `${endpointId.slice(4)} ${eventId.slice(12, -3)}`);
