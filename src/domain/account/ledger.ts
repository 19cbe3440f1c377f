/** What all ledgers share: the lease of a job, the faults of a ledger, and the entries of the audit log, which is append-only and holds no secret. */

import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
  /** By the ledger's own clock. */
  readonly expiresAt: Instant;
}

/** The lease for this write is, or may be, held by another process: nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor({ name, epoch }: Pick<Lease, "name" | "epoch">) {
    super(`the lease ${name} of epoch ${epoch} is no longer held`);
  }
}

/** The ledger gave no answer, or could not write; a caller answers 503. The write may have happened: all writes are safe to repeat. */
export class LedgerUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the ledger is unavailable: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "LedgerUnavailable";
  }
}

/** The database was migrated by a newer release, or by files that differ from this release's: it is not changed. */
export class LedgerMismatch extends Error {
  override readonly name = "LedgerMismatch";
  constructor(reason: string) {
    super(`the ledger does not fit this release: ${reason}`);
  }
}

/** The database's content is not what was written; the message says what to do. */
export class LedgerDamaged extends LedgerUnavailable {
  constructor(message: string, cause?: unknown) {
    super(message, cause);
    this.message = message;
    this.name = "LedgerDamaged";
  }
}

/** One version of an official publication is not what was stored: it is never served. */
export class PublicationDamaged extends LedgerUnavailable {
  readonly table: string;
  readonly publication: string;
  readonly version: number;
  readonly detail: string;
  constructor({ table, publication, version }: VersionName, detail: string, cause?: unknown) {
    super(detail, cause);
    this.message = `version ${version} of publication ${publication} of ${table} is damaged in the ledger and is not served (${detail}): restore a backup of the ledger`;
    this.name = "PublicationDamaged";
    this.table = table;
    this.publication = publication;
    this.version = version;
    this.detail = detail;
  }
}

interface VersionName {
  readonly table: string;
  readonly publication: string;
  readonly version: number;
}

/** This installation's ledger is missing, empty or another one. A new ledger is started only when the operator orders it. */
export class LedgerLost extends Error {
  override readonly name = "LedgerLost";
}

const REPEAT = "repeat the request, nothing happens twice";

/** An unavailable ledger becomes Failure `service_unavailable`; `advice` says what to do, because a write may have happened. */
export async function withLedger<T>(work: () => Promise<T>, advice = REPEAT): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw ledgerFailure(fault, advice);
  }
}

/** The fault, or Failure `service_unavailable` where it is an unavailable ledger. */
export function ledgerFailure(fault: unknown, advice = REPEAT): unknown {
  if (!(fault instanceof LedgerUnavailable)) return fault;
  const reason = `accounts cannot be reached at the moment; ${advice}`;
  return new Failure("service_unavailable", { reason }, fault);
}

/** A person by identity, a key by its id, an operator on the command line, the billing provider, or a job. */
export type Actor = `identity:${string}` | `key:${string}` | "operator" | "billing" | "system";

export interface By {
  readonly at: Instant;
  readonly actor: Actor;
}

export const AUDIT_ACTIONS = [
  "identity.created",
  "identity.changed",
  "session.started",
  "session.ended",
  "token.issued",
  "token.used",
  "organization.created",
  "organization.changed",
  "organization.deleted",
  "key.created",
  "key.rotated",
  "key.revoked",
  "key.rewrapped",
  "consent.accepted",
  "webhook_endpoint.created",
  "webhook_endpoint.changed",
  "webhook_endpoint.deleted",
  "webhook_endpoint.rewrapped",
  "webhook_delivery.replayed",
  "billing_event.received",
  "billing_event.processed",
  "operator.note",
] as const;
type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Values that may be written beside an action: no hash, no ciphertext, no token. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The audit note of a change; `subject` is "<kind>:<id>", as in "organization:org_1". */
export interface AuditNote {
  readonly action: AuditAction;
  readonly subject: string;
  readonly detail: AuditDetail;
}

export interface AuditEntry extends AuditNote, By {
  readonly id: string;
}
