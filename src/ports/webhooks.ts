/** Webhooks, types only: the sender of one attempt, and the store of endpoints, events and deliveries. */

import type { By } from "#domain/account/audit.ts";
import type { Lease } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type {
  AttemptOutcome,
  ChosenType,
  Delivery,
  DeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEvent,
} from "#domain/webhook/endpoint.ts";
import type { ChangesPlace } from "./official.ts";

/** Sends one attempt and reads the response's status and headers, no body. Never rejects for the receiver's fault, which becomes the outcome. */
export type WebhookPost = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<AttemptOutcome>;

export interface EndpointWithSecret extends WebhookEndpoint {
  /** Envelope of the signing secret. */
  readonly secret: string;
}

export interface NewEndpoint {
  readonly url: string;
  readonly description: string;
  readonly events: readonly ChosenType[];
  readonly secret: string;
}

export interface WebhookEndpoints {
  /** Null when the organization is gone; "full" when it has `most` already. Two at once never pass `most`. */
  add(
    id: string,
    organizationId: string,
    endpoint: NewEndpoint,
    most: number,
    by: By,
  ): Promise<WebhookEndpoint | "full" | null>;
  /** Oldest first. */
  list(organizationId: string): Promise<readonly WebhookEndpoint[]>;
  find(id: string): Promise<EndpointWithSecret | null>;
  /** Null when there is none such of this organization. */
  change(
    id: string,
    organizationId: string,
    patch: Partial<NewEndpoint & Pick<WebhookEndpoint, "isEnabled">>,
    by: By,
  ): Promise<WebhookEndpoint | null>;
  /** Its pending deliveries are dropped in the same transaction. False when there is none such. */
  remove(id: string, organizationId: string, by: By): Promise<boolean>;
  /** Every endpoint in order of id, after the given one: to encrypt secrets anew. */
  envelopes(after: string | null, limit: number): Promise<readonly EndpointWithSecret[]>;
  /** Replaces an envelope that is still the one given; false when it no longer is. */
  rewrap(id: string, from: string, to: string, by: By): Promise<boolean>;
}

export interface CommittedEvent extends WebhookEvent, ChangesPlace {}

/** A delivery that this worker alone may attempt for as long as its heartbeat lasts. */
export interface ClaimedDelivery extends Delivery {
  /** Completion needs it: a worker whose claim was taken over cannot complete. */
  readonly token: string;
  readonly event: WebhookEvent;
  readonly endpoint: EndpointWithSecret;
}

export interface ClaimWish {
  readonly at: Instant;
  /** Id of the worker, which is never another's. A claim is a heartbeat too. */
  readonly worker: string;
  readonly limit: number;
  /** Of one endpoint so many are out at once, over all workers. */
  readonly perEndpoint: number;
  /** Ends the claims of workers that are dead by the ledger's clock: no heartbeat for 4 s. */
  readonly takesOver: boolean;
}

/** Deliveries that are due, of organizations that may be sent to, and that no worker has in hand. */
export interface Backlog {
  /** 10,000 means that many or more. */
  readonly due: number;
  /** Since when the one that waits longest is due; null when none is. */
  readonly oldestDueAt: Instant | null;
}

/** An endpoint with deliveries that failed and were not delivered since. */
export interface FailingEndpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly ownerId: string;
  readonly deliveries: number;
  /** When an attempt last ended. */
  readonly lastAt: Instant;
  /** When the next one is due; null where every delivery gave up. */
  readonly nextAt: Instant | null;
}

/** One outbox for official events and deliveries. */
export interface Outbox {
  /**
   * Stores the versions that are new, and for each that has one its event and one delivery for every endpoint that chose
   * its type and is within its plan: a version with all that is its own in one transaction, up to 32 versions in the same
   * one. Repeating it stores nothing twice. Resolves with what was new: the next version of its publication, with
   * other content. RangeError when a version before it is missing, or for more rows than any publication has. With `under`,
   * LeaseLost when that lease is no longer held: nothing more is stored then.
   */
  publish(
    versions: readonly { readonly version: PublicationVersion; readonly event: WebhookEvent | null }[],
    at: Instant,
    under?: Lease | null,
  ): Promise<readonly PublicationVersion[]>;
  /** An event for one endpoint alone, once for its id and the endpoint; null when that is gone. */
  publishTest(event: WebhookEvent, endpointId: string, at: Instant): Promise<Delivery | null>;
  /** Official events in the order of commits, after a place; of one table or of all. */
  changes(query: {
    readonly after: number | null;
    /** From the first change of any table created at or after it: that one, and all that were committed later. */
    readonly since: Instant | null;
    readonly tables: readonly string[] | null;
    readonly limit: number;
  }): Promise<readonly CommittedEvent[]>;
  /** The same from the other end: the newest first, before a place. */
  newestChanges(query: {
    readonly before: number | null;
    readonly tables: readonly string[] | null;
    readonly limit: number;
  }): Promise<readonly CommittedEvent[]>;
  /**
   * Due deliveries of endpoints within their plan, which are the worker's until it completes or releases them, retires, or
   * is declared dead. Endpoints take turns; of each the oldest come first. A claim that ends so is no attempt: nothing is
   * noted, and the delivery is claimed again. What is queued for endpoints beyond their plan, and that no worker holds, ends
   * as `over_plan`. After LedgerUnavailable the claim may have been made all the same: `held` says which.
   */
  claim(wish: ClaimWish): Promise<readonly ClaimedDelivery[]>;
  /** To be called each second by a worker that holds claims. False when it was declared dead, or has never claimed. */
  beat(worker: string): Promise<boolean>;
  /** Gives back claims for which no attempt was begun: others may claim them at once. Nothing of those held no longer. */
  release(claims: readonly Pick<ClaimedDelivery, "id" | "token">[]): Promise<void>;
  /** Every claim that the worker holds, with those of which the answer was lost. */
  held(worker: string): Promise<readonly Pick<ClaimedDelivery, "id" | "token">[]>;
  /** The worker ends, and so does every claim that it still holds. */
  retire(worker: string): Promise<void>;
  /** How far behind the workers are. */
  backlog(at: Instant): Promise<Backlog>;
  /** Those with the most failing deliveries first. */
  failing(limit: number): Promise<readonly FailingEndpoint[]>;
  /**
   * Notes the attempt, and what becomes of the delivery: `dueAt` null ends it, as delivered or failed. False, and nothing
   * noted, when the claim is no longer held: it was taken over, or the endpoint is gone.
   */
  complete(
    delivery: Pick<ClaimedDelivery, "id" | "token">,
    outcome: AttemptOutcome,
    next: { readonly state: "pending" | "delivered" | "failed"; readonly dueAt: Instant | null },
    at: Instant,
  ): Promise<boolean>;
  /**
   * A new attempt at once, of a delivery that has ended or waits for its next attempt. One that is due, or is being sent, stays
   * as it is. Null when the organization has no such delivery, or its endpoint is gone.
   */
  replay(deliveryId: string, organizationId: string, at: Instant, by: By): Promise<Delivery | null>;
  /** Newest first, with all attempts; of an endpoint that is gone too. */
  deliveries(
    endpointId: string,
    organizationId: string,
    limit: number,
  ): Promise<readonly DeliveryWithAttempts[]>;
  /**
   * Forgets deliveries that nothing has happened to since before the instant, with their attempts, and how many; never
   * an official event. Keep longer than the last retry takes, and than owners look back.
   */
  prune(before: Instant): Promise<number>;
}
