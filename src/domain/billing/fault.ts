/** What can be wrong with billing, named: the provider cannot be had, refuses, or says what cannot be understood. */

export const BILLING_FAULTS = [
  /** No provider is configured. */
  "not_configured",
  /** The plan has no price at this interval. */
  "not_offered",
  /** No answer, a broken one, an overload or a failure on their side: later it may work. */
  "unavailable",
  /** Our secret key is refused, or may not do this. */
  "refused_credentials",
  /** The request is refused and will be again. */
  "rejected",
  /** The idempotency key was used with other parameters. */
  "key_reused",
  /** Test and live mode are mixed up: a key of one, an object or event of the other. */
  "wrong_mode",
  /** An event without a valid signature, or outside of the tolerance. */
  "bad_signature",
  /** An answer or a signed event that is not of the documented shape. */
  "unreadable",
  /** A subscription of ours at a price that no plan has. */
  "unknown_price",
] as const;
export type BillingFaultKind = (typeof BILLING_FAULTS)[number];

/** `message` is fit for an operator: no secret in it. Nothing was changed on our side. */
export class BillingFault extends Error {
  readonly kind: BillingFaultKind;
  /** Seconds the provider asked us to wait, where it did. */
  readonly retryAfterSeconds: number | null;

  constructor(kind: BillingFaultKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.name = "BillingFault";
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
