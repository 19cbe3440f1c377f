/** The ledger, types only: people, organizations, keys, usage, billing, audit, leases, and what is published; SQLite or Postgres behind it. */

import type { AuditEntry, AuditNote, By } from "#domain/account/audit.ts";
import type {
  Consent,
  ExternalSubject,
  Identity,
  IdentityPatch,
  NewIdentity,
  NewOneTimeToken,
  NewSession,
  OneTimeToken,
  Session,
  SessionWithIdentity,
  TokenPurpose,
} from "#domain/account/identity.ts";
import type { ApiKey, KeyHolder, KeyWithEnvelope, NewKey } from "#domain/account/key.ts";
import type { Lease } from "#domain/account/ledger.ts";
import type {
  Month,
  Organization,
  OrganizationPatch,
  UsageDay,
  UsageIncrement,
} from "#domain/account/organization.ts";
import type { BillingEvent, NewBillingEvent } from "#domain/billing/notice.ts";
import type { StatusRecord } from "#domain/rates/status.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { PublicationHistory, Publications } from "./official.ts";
import type { Outbox, WebhookEndpoints } from "./webhooks.ts";

/** Which sessions end in the same transaction: none, all, or all but the caller's. */
export type EndSessions = "none" | "all" | { readonly allBut: string };

export interface Identities {
  /** "email_taken" when another identity has the address; it is normalized here. */
  create(identity: NewIdentity, by: By): Promise<Identity | "email_taken">;
  /**
   * The identity of an external (iss, sub), made at its first sign-in; `created` is true exactly once, however
   * many race. An e-mail that another identity has is left out: accounts are never joined by address.
   */
  ensureExternal(
    external: ExternalSubject,
    first: Pick<NewIdentity, "email" | "emailVerifiedAt">,
    by: By,
  ): Promise<{ readonly identity: Identity; readonly created: boolean }>;
  byId(id: string): Promise<Identity | null>;
  byEmail(email: string): Promise<Identity | null>;
  /** Null when there is no such identity. `endSessions` (default none) ends sessions in the same transaction. */
  change(
    id: string,
    patch: IdentityPatch,
    by: By,
    endSessions?: EndSessions,
  ): Promise<Identity | "email_taken" | null>;
  /** In order of id, after the given one. */
  list(after: string | null, limit: number): Promise<readonly Identity[]>;
}

export interface Sessions {
  start(session: NewSession, by: By): Promise<Session>;
  /** With its identity, in one query, live or not (`isSessionLive` says). The caller compares the secret's hash. */
  find(id: string): Promise<SessionWithIdentity | null>;
  /** Those of an identity that have not ended or expired, newest first. */
  list(identityId: string, now: Instant): Promise<readonly Session[]>;
  /** `lastSeenAt` of many at once; it never goes back. Not audited. */
  markUsed(seen: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
  /** False when it has ended already or is not the identity's. */
  end(id: string, identityId: string, by: By): Promise<boolean>;
  /** How many ended. */
  endAll(identityId: string, which: EndSessions, by: By): Promise<number>;
  /** Forgets sessions that ended or expired before the instant; how many. */
  prune(before: Instant): Promise<number>;
}

export interface OneTimeTokens {
  /** Earlier unused tokens of the same identity and purpose stop working. */
  issue(token: NewOneTimeToken, by: By): Promise<void>;
  /** Used and expired ones too. The caller compares the secret's hash before `consume`. */
  find(id: string): Promise<OneTimeToken | null>;
  /**
   * Uses a token, once however many race: null when it is unknown, expired, used, of another purpose, or sent to another address than the
   * identity's present one. In the same transaction applies the patch to its identity and ends the requested sessions.
   */
  consume(
    id: string,
    purpose: TokenPurpose,
    change: { readonly patch: IdentityPatch; readonly endSessions: EndSessions },
    at: Instant,
  ): Promise<Identity | null>;
  /** Forgets tokens that expired before the instant; how many. */
  prune(before: Instant): Promise<number>;
}

export interface Consents {
  /** The first acceptance of a version counts: repeating it changes nothing and resolves with the first. */
  accept(identityId: string, policyVersion: string, by: By): Promise<Consent>;
  /** Newest first. */
  list(identityId: string): Promise<readonly Consent[]>;
}

export interface Provision {
  readonly ownerId: string;
  /** JSON text, or null. Kept from the call that makes the organization only. */
  readonly attribution: string | null;
  readonly marketingConsent: boolean;
  /** Makes a key for the organization of that id. Called outside any transaction, and again when a race changed the id. */
  readonly makeKey: (organizationId: string) => Promise<NewKey>;
}

export interface Provisioned {
  /** Whether this call made the organization, the key, or both. True exactly once, however many race. */
  readonly created: boolean;
  readonly organization: Organization;
  readonly key: KeyWithEnvelope;
}

export interface Organizations {
  /** Makes what is missing: the organization, and a current key when it has none. Null when there is no such owner. */
  provision(wanted: Provision, by: By): Promise<Provisioned | null>;
  byId(id: string): Promise<Organization | null>;
  byOwner(ownerId: string): Promise<Organization | null>;
  byBillingCustomer(customerId: string): Promise<Organization | null>;
  /**
   * Null when there is no such organization. A patch that changes nothing writes no audit entry. Rejects with the
   * database's error when a billing id is another organization's.
   */
  change(id: string, patch: OrganizationPatch, by: By): Promise<Organization | null>;
  /** In order of id, after the given one; with `pastDueBefore`, those whose payment has been missing since before it. */
  list(
    after: string | null,
    limit: number,
    filter?: { readonly pastDueBefore?: Instant; readonly withSubscription?: boolean },
  ): Promise<readonly Organization[]>;
  /**
   * One transaction, in this order: ends the owner's sessions (as requested), deletes daily usage, monthly usage, keys,
   * deliveries with their attempts, endpoints, organization. Identity, consents, billing events and audit entries stay,
   * and the number of calls of the running month, as the identity's. A suspended one stays as it is.
   */
  remove(id: string, by: By, endSessions: EndSessions): Promise<Removal>;
}

export type Removal =
  | { readonly outcome: "removed"; readonly keyIds: readonly string[] }
  | { readonly outcome: "gone" | "suspended" };

export interface Keys {
  /** By keyed hash: key, organization and owner's status in one query. Null when unknown; `keyState` says whether it works. */
  find(lookup: string): Promise<KeyHolder | null>;
  /** Newest first, revoked ones too. */
  list(organizationId: string): Promise<readonly KeyWithEnvelope[]>;
  /** By the shown prefix, for operators; several may share one. */
  byPrefix(prefix: string): Promise<readonly KeyHolder[]>;
  /**
   * One transaction: the current key gets 24 hours, one already in grace ends at once, the new one is current. It is
   * simply issued where there is none. Null when there is no such organization. `ended` is what caches must forget.
   */
  rotate(
    organizationId: string,
    key: NewKey,
    by: By,
  ): Promise<{
    readonly key: KeyWithEnvelope;
    readonly replaced: ApiKey | null;
    readonly ended: readonly ApiKey[];
  } | null>;
  /** All that work, at once; those that it revoked. Repeating it revokes nothing. */
  revokeAll(organizationId: string, by: By): Promise<readonly ApiKey[]>;
  /** One key, by an operator; null when unknown or revoked already. */
  revoke(id: string, by: By): Promise<ApiKey | null>;
  /** `lastUsedAt` of many at once; it never goes back. Not audited. */
  markUsed(used: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
  /** Every key in order of id, after the given one: to encrypt them anew. */
  envelopes(after: string | null, limit: number): Promise<readonly KeyWithEnvelope[]>;
  /** Replaces an envelope that is still the one given; false when it no longer is. */
  rewrap(id: string, from: string, to: string, by: By): Promise<boolean>;
}

export interface UsageCounts {
  /**
   * Adds a batch, once ever for its id: false when it was added before. Of organizations that are gone the days are
   * dropped, and the calls go to what their owner has carried over. Relaxed durability: a power cut may lose the last moments, a crash of the process nothing.
   */
  apply(batchId: string, increments: readonly UsageIncrement[], at: Instant): Promise<boolean>;
  /** Forgets ids of batches applied before the instant; how many. Keep longer than any batch is repeated. */
  pruneBatches(before: Instant): Promise<number>;
  /** Days that have counts, oldest first; `from` and `to` inclusive. */
  days(organizationId: string, from: Day, to: Day): Promise<readonly UsageDay[]>;
  /** Calls of an identity in a month: of its organization, and carried over from those that it has deleted. */
  monthCalls(month: Month, ownerId: string): Promise<number>;
  /** Forgets what was carried over in the months before this one, and the mails about their quotas; how many rows. */
  pruneCarried(before: Month): Promise<number>;
  /** Sums over all organizations of each day that has counts, oldest first; both days inclusive. */
  totals(from: Day, to: Day): Promise<readonly UsageDay[]>;
  /** Organizations whose owners have made so many calls in a month, by organization id after the given one. */
  reached(
    month: Month,
    calls: number,
    after: string | null,
    limit: number,
  ): Promise<readonly { readonly organizationId: string; readonly ownerId: string }[]>;
  /** Takes the mail about a share of a month's quota in hand: true once ever, however many race. */
  claimMail(ownerId: string, month: Month, percent: number): Promise<boolean>;
  /** For one that could not be sent: it is tried again. */
  releaseMail(ownerId: string, month: Month, percent: number): Promise<void>;
}

export interface BillingEvents {
  /** Takes an event by its id, once: "new", or how far it got before ("received" must be processed again). */
  receive(event: NewBillingEvent, at: Instant): Promise<"new" | "received" | "processed">;
  /**
   * One transaction: marks it processed and applies the change to an organization. False, and nothing applied, when it
   * was processed before or never received.
   */
  settle(
    id: string,
    outcome: string,
    change: { readonly organizationId: string; readonly patch: OrganizationPatch } | null,
    at: Instant,
  ): Promise<boolean>;
  byId(id: string): Promise<BillingEvent | null>;
  /** Received before the instant and never processed, oldest first. */
  unprocessed(before: Instant, limit: number): Promise<readonly BillingEvent[]>;
}

export interface AuditLog {
  /** For what happened outside the ledger; the ledger's own changes write theirs. */
  append(note: AuditNote, by: By): Promise<void>;
  /** Newest first; `before` is the last entry of the page before. */
  list(
    filter: { readonly subject?: string; readonly before?: Pick<AuditEntry, "at" | "id"> },
    limit: number,
  ): Promise<readonly AuditEntry[]>;
}

/** A few values of the installation itself, such as which pepper its keys are looked up with. Not audited. */
export interface Installation {
  read(name: string): Promise<string | null>;
  /** Stores the value if there is none yet; resolves with the one that is stored. */
  keepFirst(name: string, value: string): Promise<string>;
  write(name: string, value: string): Promise<void>;
}

/** Time here is the ledger's own clock, one for all replicas. Not audited. */
export interface Leases {
  /**
   * Null while another holds it, the same holder included: `renew` is for that. Each success has a higher epoch. `force` takes it
   * from its holder: for a caller who knows that this one is dead.
   */
  acquire(name: string, holder: string, milliseconds: number, force?: boolean): Promise<Lease | null>;
  /** Null once it was taken or released. One that expired is renewed: its epoch shows that no other process had it meanwhile. */
  renew(lease: Lease, milliseconds: number): Promise<Lease | null>;
  /** Whether this very epoch still holds: ask right before what must not be done by two. */
  holds(lease: Pick<Lease, "name" | "epoch">): Promise<boolean>;
  /** Lets the next one in at once; nothing when it is no longer held. */
  release(lease: Lease): Promise<void>;
}

/** What was wrong and for how long, as the status page shows it. Not audited. */
export interface StatusLog {
  /**
   * One transaction: counts a look at each part, opens an incident for each fault ("<part> <state>") that has none, ends those of
   * all other faults, and forgets what is over for longer than the page shows.
   */
  note(
    look: { readonly parts: readonly string[]; readonly faults: readonly string[] },
    at: Instant,
  ): Promise<void>;
  /** From a day on. */
  read(from: Day): Promise<StatusRecord>;
}

/**
 * Every method rejects with LedgerUnavailable, within about two seconds, when the database is unavailable, and every
 * state change writes its audit entry in its own transaction. All that writes is safe to repeat. "Now" is an argument.
 */
export interface Ledger {
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly tokens: OneTimeTokens;
  readonly consents: Consents;
  readonly organizations: Organizations;
  readonly keys: Keys;
  readonly usage: UsageCounts;
  readonly billingEvents: BillingEvents;
  readonly publications: Publications;
  readonly history: PublicationHistory;
  readonly endpoints: WebhookEndpoints;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly status: StatusLog;
  readonly leases: Leases;
  readonly installation: Installation;
  /** Resolves when the ledger answers a read and, where the last write failed, takes a write; else LedgerUnavailable. */
  probe(): Promise<void>;
  /** Reads every page of an embedded ledger; rejects with LedgerDamaged, and `probe` from then on. Postgres has its own checks. */
  check(): Promise<void>;
  close(): Promise<void>;
}
