/** The entries of the audit log: who changed what and when. It is append-only and holds no secret. */

import type { Instant } from "#domain/time/day.ts";

/** A person by identity, a key by its id, an operator on the command line, the billing provider, or a job. */
export type Actor = `identity:${string}` | `key:${string}` | "operator" | "billing" | "system";

/** When and by whom a change is made. */
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
