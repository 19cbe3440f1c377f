/** Webhooks, types only: the sender of one attempt, and the store of endpoints, events and deliveries. */

import type { By, Lease } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type {
  AttemptOutcome,
  Delivery,
  DeliveryWithAttempts,
  WebhookEndpoint,
  WebhookEvent,
} from "#domain/webhook/endpoint.ts";

/** Reads the response's status and headers, no body. Never rejects for the receiver's fault, which becomes the outcome. */
export type WebhookPost = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<AttemptOutcome>;

export interface EndpointWithSecret extends WebhookEndpoint {
  readonly secret: string;
}

export type NewEndpoint = Pick<EndpointWithSecret, "url" | "description" | "events" | "secret">;

export interface WebhookEndpoints {
  /** Null when the organization is gone; "full" when it has `most`. Two calls at once never exceed `most`. */
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
  /** Null when it is not this organization's. */
  change(
    id: string,
    organizationId: string,
    patch: Partial<NewEndpoint & Pick<WebhookEndpoint, "isEnabled">>,
    by: By,
  ): Promise<WebhookEndpoint | null>;
  /** Drops its pending deliveries in the same transaction. */
  remove(id: string, organizationId: string, by: By): Promise<boolean>;
  /** Every endpoint in order of id, to encrypt its secret again. */
  envelopes(after: string | null, limit: number): Promise<readonly EndpointWithSecret[]>;
  /** False when the envelope is no longer `from`. */
  rewrap(id: string, from: string, to: string, by: By): Promise<boolean>;
}

export interface CommittedEvent extends WebhookEvent {
  /** Higher for later commits. */
  readonly position: number;
}

/** A delivery that only this worker may attempt, as long as its heartbeat lasts. */
export interface ClaimedDelivery extends Delivery {
  /** Completion needs it: a worker cannot complete a claim that another one took over. */
  readonly token: string;
  readonly event: WebhookEvent;
  readonly endpoint: EndpointWithSecret;
}

export interface ClaimWish {
  readonly at: Instant;
  /** The id of the claiming worker. A claim is a heartbeat too. */
  readonly worker: string;
  readonly limit: number;
  /** Deliveries of one endpoint at a time, over all workers. */
  readonly perEndpoint: number;
  /** Ends the claims of workers without a heartbeat for 4 s of the ledger's clock. */
  readonly takesOver: boolean;
  /** The clock was set back, or may have been: no delivery may wait for its return. */
  readonly isSetBack?: boolean;
}

/** Deliveries that are due and not claimed, of organizations that may be sent to. */
export interface Backlog {
  /** 10,000 means that many or more. */
  readonly due: number;
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

export interface Outbox {
  /**
   * Stores new versions, each with its event and one delivery for every endpoint that chose its type and is within its plan. A
   * version is stored whole; up to 32 share a transaction. Repeating stores nothing twice. Resolves with what was new. RangeError
   * for a gap between versions, or too many rows. LeaseLost once `under` was released or taken: nothing more is stored then.
   */
  publish(
    versions: readonly { readonly version: PublicationVersion; readonly event: WebhookEvent | null }[],
    at: Instant,
    under?: Lease | null,
  ): Promise<readonly PublicationVersion[]>;
  /** An event for one endpoint, once for its id; null when the endpoint is gone. */
  publishTest(event: WebhookEvent, endpointId: string, at: Instant): Promise<Delivery | null>;
  /** Official events in the order of commits, after a place. */
  changes(query: {
    readonly after: number | null;
    /** Begins with the first change created at or after it, in the order of commits. */
    readonly since: Instant | null;
    readonly tables: readonly string[] | null;
    readonly limit: number;
  }): Promise<readonly CommittedEvent[]>;
  /** Official events before a place, the newest first. */
  newestChanges(query: {
    readonly before: number | null;
    readonly tables: readonly string[] | null;
    readonly limit: number;
  }): Promise<readonly CommittedEvent[]>;
  /**
   * Claims due deliveries for the worker, until it completes or releases them, retires, or counts as dead. Endpoints take turns, oldest
   * deliveries first. A claim that ends does not count as an attempt. Unclaimed deliveries of endpoints beyond their plan end as
   * `over_plan`. After LedgerUnavailable the claim may have been made: `held` lists it.
   */
  claim(wish: ClaimWish): Promise<readonly ClaimedDelivery[]>;
  /** Called each second by a worker with claims. False when it counts as dead, or has never claimed. */
  beat(worker: string): Promise<boolean>;
  /** Gives back claims without an attempt. */
  release(claims: readonly Pick<ClaimedDelivery, "id" | "token">[]): Promise<void>;
  /** Every claim of the worker, also those of a lost answer. */
  held(worker: string): Promise<readonly Pick<ClaimedDelivery, "id" | "token">[]>;
  /** The worker ends, with every claim that it holds. */
  retire(worker: string): Promise<void>;
  backlog(at: Instant): Promise<Backlog>;
  /** Endpoints with the most failing deliveries first. */
  failing(limit: number): Promise<readonly FailingEndpoint[]>;
  /**
   * Notes the attempt and the next state; `dueAt` null ends the delivery. False, and nothing noted, when the claim was taken over
   * or the endpoint is gone.
   */
  complete(
    delivery: Pick<ClaimedDelivery, "id" | "token">,
    outcome: AttemptOutcome,
    next: { readonly state: "pending" | "delivered" | "failed"; readonly dueAt: Instant | null },
    at: Instant,
  ): Promise<boolean>;
  /**
   * Queues an attempt at once for a delivery that has ended or waits for its next attempt. A delivery that is due or being sent stays as it
   * is. Null when it is not this organization's, or its endpoint is gone.
   */
  replay(deliveryId: string, organizationId: string, at: Instant, by: By): Promise<Delivery | null>;
  /** Newest first, with all attempts; also of a deleted endpoint. */
  deliveries(
    endpointId: string,
    organizationId: string,
    limit: number,
  ): Promise<readonly DeliveryWithAttempts[]>;
  /** Forgets deliveries unchanged since the instant, with their attempts; resolves with their number. Never an official event. */
  prune(before: Instant): Promise<number>;
}
