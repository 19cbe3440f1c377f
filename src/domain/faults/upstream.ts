/** Faults of an upstream by name: the document could not be fetched, or is not what it should be. */

export const UPSTREAM_FAULTS = [
  "connection",
  "timeout",
  "status",
  "too_large",
  "not_found",
  "refused_credentials",
  "rate_limited",
  /** This machine's own clock is wrong: what was retrieved cannot be dated. */
  "clock",
] as const;
export type UpstreamFaultKind = (typeof UPSTREAM_FAULTS)[number];

/** `detail` is for an operator and holds no credentials. */
export class UpstreamFault extends Error {
  readonly kind: UpstreamFaultKind;
  /** Seconds to wait, as the upstream asks; null where it does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: UpstreamFaultKind,
    detail: string,
    retryAfterSeconds: number | null = null,
    cause?: unknown,
  ) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = "UpstreamFault";
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The document is not of the documented format, or contradicts itself. It is not used at all. */
export class BrokenDocument extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = "BrokenDocument";
  }
}

/** The detail of a failed collection for people: addresses are cut to their hosts. */
export function withHosts(detail: string | null): string {
  return (detail ?? "no reason is stated").replace(/https?:\/\/([^/\s]+)\S*/g, "$1");
}
