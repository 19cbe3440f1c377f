/**
 * The ledger (people, organizations, keys, usage, billing, audit, leases, publications; SQLite or Postgres behind it), and what
 * is counted in this process or shared by all replicas. Types only.
 */

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
import type { AuditEntry, AuditNote, By, Lease } from "#domain/account/ledger.ts";
import type {
  Month,
  Organization,
  OrganizationPatch,
  UsageDay,
  UsageIncrement,
} from "#domain/account/organization.ts";
import type { BillingEvent, NewBillingEvent } from "#domain/billing/notice.ts";
import type { ATTEMPT_LIMITS, Caller } from "#domain/limits/counts.ts";
import type { Granted, Taken } from "#domain/limits/quota-status.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { PublicationHistory, Publications } from "./official.ts";
import type { Outbox, WebhookEndpoints } from "./webhooks.ts";

export type EndSessions = "none" | "all" | { readonly allBut: string };

export interface Identities {
  /** "email_taken" when another identity has the address, which is normalized here. */
  create(identity: NewIdentity, by: By): Promise<Identity | "email_taken">;
  /**
   * The identity of an external (iss, sub), made at its first sign-in; `created` is true for one of concurrent calls. An e-mail that
   * another identity has is left out: accounts are never joined by address.
   */
  ensureExternal(
    external: ExternalSubject,
    first: Pick<NewIdentity, "email" | "emailVerifiedAt">,
    by: By,
  ): Promise<{ readonly identity: Identity; readonly created: boolean }>;
  byId(id: string): Promise<Identity | null>;
  byEmail(email: string): Promise<Identity | null>;
  /** Null when there is no such identity. */
  change(
    id: string,
    patch: IdentityPatch,
    by: By,
    endSessions?: EndSessions,
  ): Promise<Identity | "email_taken" | null>;
  /** Also ends earlier links for a new password. False, with nothing changed, where the hash is no longer `from`. */
  replacePassword(
    id: string,
    from: string,
    change: { readonly passwordHash: string; readonly endSessions: EndSessions },
    by: By,
  ): Promise<boolean>;
  /** Forgets all that names the person: address, password, provider, sessions, links. False without such an identity, or while it has an organization. */
  erase(id: string, by: By): Promise<boolean>;
  /**
   * Deletes people who signed up before the instant, never confirmed their address, and have no link, session, consent or organization.
   * Resolves with their number.
   */
  prune(before: Instant): Promise<number>;
  /** Ordered by id, after the given id. */
  list(after: string | null, limit: number): Promise<readonly Identity[]>;
}

export interface Sessions {
  /** Of the 101st session of a person, the oldest ends. */
  start(session: NewSession, by: By): Promise<Session>;
  /** The session, live or not, with its identity. The caller compares the secret's hash. */
  find(id: string): Promise<SessionWithIdentity | null>;
  /** Live sessions, newest first. */
  list(identityId: string, now: Instant): Promise<readonly Session[]>;
  /** `lastSeenAt` of many at once; it never goes back. Not audited. */
  markUsed(seen: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
  /** False when it has ended or is another identity's. */
  end(id: string, identityId: string, by: By): Promise<boolean>;
  /** Resolves with the number of ended sessions. */
  endAll(identityId: string, which: EndSessions, by: By): Promise<number>;
  /** Forgets sessions that ended or expired before the instant; resolves with their number. */
  prune(before: Instant): Promise<number>;
}

export interface OneTimeTokens {
  /** Earlier tokens of the same identity and purpose stop working. */
  issue(token: NewOneTimeToken, by: By): Promise<void>;
  /** Finds used and expired tokens, too. The caller compares the secret's hash. */
  find(id: string): Promise<OneTimeToken | null>;
  /**
   * Uses a token: one of concurrent calls succeeds. Null when it is unknown, expired, used, of another purpose, or was sent to another
   * address than the present one. One transaction with the patch and the end of sessions.
   */
  consume(
    id: string,
    purpose: TokenPurpose,
    change: { readonly patch: IdentityPatch; readonly endSessions: EndSessions },
    at: Instant,
  ): Promise<Identity | null>;
  /** Forgets tokens that expired before the instant; resolves with their number. */
  prune(before: Instant): Promise<number>;
}

export interface Consents {
  /** The first acceptance of a version counts. */
  accept(identityId: string, policyVersion: string, by: By): Promise<Consent>;
  list(identityId: string): Promise<readonly Consent[]>;
}

export interface Provision extends Pick<Organization, "ownerId" | "attribution" | "marketingConsent"> {
  /** Called outside any transaction, and again when a race changed the id. */
  readonly makeKey: (organizationId: string) => Promise<NewKey>;
}

export interface Provisioned {
  readonly created: boolean;
  readonly organization: Organization;
  readonly key: KeyWithEnvelope;
}

export interface Organizations {
  /** Makes what is missing: the organization, and a current key. Null when there is no such owner. */
  provision(fields: Provision, by: By): Promise<Provisioned | null>;
  byId(id: string): Promise<Organization | null>;
  byOwner(ownerId: string): Promise<Organization | null>;
  byBillingCustomer(customerId: string): Promise<Organization | null>;
  /**
   * Null when there is no such organization, or where plan, status or billing are no longer as in `from`. A patch that changes nothing
   * is not audited. Rejects with the database's error when a billing id is another organization's.
   */
  change(id: string, patch: OrganizationPatch, by: By, from?: Organization): Promise<Organization | null>;
  /** Ordered by id, after the given id. */
  list(after: string | null, limit: number): Promise<readonly Organization[]>;
  /**
   * One transaction: ends the owner's sessions, deletes usage, keys, deliveries, endpoints, organization. Identity, consents,
   * billing events, audit entries and the identity's calls of this month stay. A suspended organization is removed by an operator only.
   */
  remove(id: string, by: By): Promise<Removal>;
}

export type Removal = { readonly outcome: "removed" } | { readonly outcome: "gone" | "suspended" };

export interface Keys {
  /** By keyed hash: key, organization and owner's status in one query; `keyState` says whether it works. */
  find(lookup: string): Promise<KeyHolder | null>;
  /** Newest first, revoked ones too. */
  list(organizationId: string): Promise<readonly KeyWithEnvelope[]>;
  /** By the shown prefix, for operators; several may share one. */
  byPrefix(prefix: string): Promise<readonly KeyHolder[]>;
  /**
   * One transaction: the current key gets 24 hours, one in grace ends at once, the new one is current. Null when there is no such
   * organization, or its current key has another prefix than `prefix`.
   */
  rotate(
    organizationId: string,
    key: NewKey,
    by: By,
    prefix?: string | null,
  ): Promise<KeyWithEnvelope | null>;
  revokeAll(organizationId: string, by: By): Promise<readonly ApiKey[]>;
  /** One key, by an operator; null when unknown or revoked already. */
  revoke(id: string, by: By): Promise<ApiKey | null>;
  /** `lastUsedAt` of many at once; it never goes back. Not audited. */
  markUsed(used: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
  /** Every key in order of id, to encrypt its secret again. */
  envelopes(after: string | null, limit: number): Promise<readonly KeyWithEnvelope[]>;
  /** False when the envelope is no longer `from`. */
  rewrap(id: string, from: string, to: string, by: By): Promise<boolean>;
}

export interface UsageCounts {
  /**
   * Adds a batch once for its id: false when it was added before. Calls of organizations that are gone count for their owners.
   * A power cut may lose the last moments, a crash of the process nothing.
   */
  apply(batchId: string, increments: readonly UsageIncrement[], at: Instant): Promise<boolean>;
  /** Forgets ids of batches applied before the instant. Keep longer than any batch is repeated. */
  pruneBatches(before: Instant): Promise<number>;
  /** Days that have counts, oldest first; `from` and `to` inclusive. */
  days(organizationId: string, from: Day, to: Day): Promise<readonly UsageDay[]>;
  /** Calls of all organizations of the owner, deleted ones too. */
  monthCalls(month: Month, ownerId: string): Promise<number>;
  /** Forgets quota mails of earlier months, and earlier months of people without an organization; resolves with the number of months. */
  pruneMonths(before: Month): Promise<number>;
  /** Sums over all organizations of each day that has counts, oldest first; both days inclusive. */
  totals(from: Day, to: Day): Promise<readonly UsageDay[]>;
  /** Organizations with at least `calls` calls by their keys in a month, in order of id, after the given one. */
  reached(
    month: Month,
    calls: number,
    after: string | null,
    limit: number,
  ): Promise<readonly { readonly organizationId: string; readonly ownerId: string }[]>;
  /** Claims the mail about a share of a month's quota: true for one caller only, until it is released. */
  claimMail(ownerId: string, month: Month, percent: number): Promise<boolean>;
  /** Releases a mail that could not be sent: it can be claimed again. */
  releaseMail(ownerId: string, month: Month, percent: number): Promise<void>;
}

export interface BillingEvents {
  /** "received" must be processed again. */
  receive(event: NewBillingEvent, at: Instant): Promise<"new" | "received" | "processed">;
  /**
   * One transaction: marks it processed and applies the change. False, with nothing applied, if processed before or never received, or
   * where the organization is no longer as in `from`.
   */
  settle(
    id: string,
    outcome: string,
    change: { readonly from: Organization; readonly patch: OrganizationPatch } | null,
    at: Instant,
  ): Promise<boolean>;
  byId(id: string): Promise<BillingEvent | null>;
  /** Received before the instant and never processed, oldest first. */
  unprocessed(before: Instant, limit: number): Promise<readonly BillingEvent[]>;
}

export interface AuditLog {
  /** Adds an entry beside those of the ledger's own changes. */
  append(note: AuditNote, by: By): Promise<void>;
  /** Newest first; `before` is the last entry of the page before. */
  list(
    filter: { readonly subject?: string; readonly before?: Pick<AuditEntry, "at" | "id"> },
    limit: number,
  ): Promise<readonly AuditEntry[]>;
}

/** A few values of the installation, such as which pepper its keys are looked up with. Not audited. */
export interface Installation {
  read(name: string): Promise<string | null>;
  /** Stores the value if there is none; resolves with the stored one. */
  keepFirst(name: string, value: string): Promise<string>;
  write(name: string, value: string): Promise<void>;
}

/** Time is the ledger's own clock. Not audited. */
export interface Leases {
  /** Null while it is held, also by the same holder. Each success has a higher epoch. */
  acquire(name: string, holder: string, milliseconds: number): Promise<Lease | null>;
  /** Null once another process took it, or it was released. An expired lease that no other process took is renewed. */
  renew(lease: Lease, milliseconds: number): Promise<Lease | null>;
  /** Ends a lease that is still held, so that the next holder's epoch is above the one given. */
  surpass(lease: Lease, epoch: number): Promise<void>;
  release(lease: Lease): Promise<void>;
  /** The ledger's clock, by which leases expire. */
  now(): Promise<Instant>;
}

/** What was wrong, from when to when, to the minute. */
export interface Incident {
  /** The part and its state: "ecb_daily stale", "database failed". */
  readonly fault: string;
  readonly since: Instant;
  /** When a check first found it over; null while it lasts. */
  readonly until: Instant | null;
}

/** How often a part was checked on a day, and how often it was at fault. */
export interface PartDay {
  readonly part: string;
  readonly day: Day;
  readonly looks: number;
  readonly faults: number;
}

/** What the installation has seen of itself, over all its processes and starts. */
export interface StatusRecord {
  /** The newest first. */
  readonly incidents: readonly Incident[];
  readonly days: readonly PartDay[];
  /** Milliseconds from the publication of each official document to its collection, by table, where the authority states the time. */
  readonly delays: ReadonlyMap<string, readonly number[]>;
}

/** Incidents and looks for the status page. Not audited. */
export interface StatusLog {
  /**
   * One transaction: counts a look at each part, opens an incident for each fault ("<part> <state>") without one, and ends the incidents
   * of all other faults.
   */
  note(
    look: { readonly parts: readonly string[]; readonly faults: readonly string[] },
    at: Instant,
  ): Promise<void>;
  read(from: Day): Promise<StatusRecord>;
  /** Forgets days, and incidents that ended, before the time that the page shows. */
  prune(at: Instant): Promise<void>;
}

/**
 * Every method rejects with LedgerUnavailable within about two seconds when the database is unavailable. Every change writes its
 * audit entry in its own transaction, and is safe to repeat.
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
  /** Reads every page of an embedded ledger; rejects with LedgerDamaged, and `probe` from then on. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Counters {
  /**
   * Charges `cost` calls to every window of the caller or, if one refuses, to no window; 0 only returns the quota status. Answers without a
   * promise when it can. Never rejects for a store out of reach: the outcome says what follows.
   */
  take(caller: Caller, cost: number): Taken | Promise<Taken>;
  /** Gives the calls of a granted outcome back, once. Never fails; at worst the caller has paid for them. */
  refund(caller: Caller, granted: Granted): void;
  state(): CountersState;
  /** Gives unspent leases back; after this everything is unavailable. */
  close(): Promise<void>;
}

export interface CountersState {
  readonly kind: "memory" | "redis";
  /** degraded: replicas do not see each other's calls; each grants its share. */
  readonly status: "ok" | "degraded";
  /** For an operator; null when there is nothing to say. */
  readonly detail: string | null;
  /** Callers with a record here, and calls that shared one because the table was full. */
  readonly callers: number;
  readonly crowded: number;
}

/**
 * Calls of an identity in the month with this first day, those of deleted organizations too: what the ledger has, and what this
 * process has not written yet. May reject; called rarely.
 */
export type MonthUsed = (ownerId: string, month: Day) => Promise<number>;

export interface Gate {
  readonly limit: keyof typeof ATTEMPT_LIMITS;
  /** A client address, a normalized e-mail, or the id of a person, an organization or a session. */
  readonly key: string;
}

export interface Attempts {
  /**
   * Counts one attempt at every gate and returns 0. If a gate is closed it counts nothing, and returns the milliseconds until the attempt
   * would pass.
   */
  take(gates: readonly Gate[], now: Instant): number;
  /** Forgets what was counted at a gate. */
  clear(gate: Gate): void;
}

/**
 * Drops the cached keys of an organization in this process. Called once the ledger has a change of the keys, or of their organization or
 * owner. Other processes notice it within seconds.
 */
export type ForgetKeys = (organizationId: string) => void;
