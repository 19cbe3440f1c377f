/** The dependencies of sign-up, sign-in and sessions, and the count of attempts at a limited action. */

import type { Random } from "#domain/account/key.ts";
import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/address.ts";
import type { Instant } from "#domain/time/day.ts";
import type { BearerTokens, DashboardCookies, Devices, Mail, Passwords } from "#ports/identity.ts";
import type { Attempts, Gate, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count, Emit } from "#telemetry.ts";

export interface SessionCallerDeps {
  readonly ledger: Pick<Ledger, "sessions" | "identities">;
  readonly cookies: DashboardCookies;
  readonly bearers: BearerTokens | null;
  readonly seen: { note(id: string, at: Instant): void };
  readonly clock: Clock;
}

export interface IdentityDeps extends SessionCallerDeps {
  readonly ledger: Pick<Ledger, "identities" | "sessions" | "tokens">;
  readonly passwords: Passwords;
  readonly random: Random;
  readonly attempts: Attempts;
  /** Absent: no browser has a count of its own, and every sign-in counts for its account. */
  readonly devices?: Devices;
  readonly mail: Mail;
  /** Scheme, host and port, without a slash at its end: links in mail begin with it. */
  readonly publicUrl: string;
  /** Runs work after the response is sent: its duration then reveals nothing. */
  readonly inBackground: (work: () => Promise<void>) => void;
  readonly emit: Emit;
  readonly count?: Count;
}

/** The origin of a request, and the session that it presents, live or not. */
export interface Visit {
  readonly address: string;
  readonly userAgent: string | null;
  readonly presented: string | null;
  /** The cookie of a browser that signed in before, of any person. */
  readonly device?: string | null;
}

/** The gates for attempts from an address: one for the address, one for its network. */
export function gatesFrom(
  limit: "sign-in from" | "sign-up from" | "mail from" | "link from" | "checkout from",
  address: string,
): readonly [Gate, Gate] {
  const { narrow, wide } = networksOf(address);
  return [
    { limit, key: narrow },
    { limit: `${limit} network`, key: wide },
  ];
}

/** Counts an attempt at every gate. Failure `rate_limited` when one is closed. */
export function attempt(attempts: Attempts, now: Instant, gates: readonly Gate[]): void {
  const wait = attempts.take(gates, now);
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts from this address, its network, or for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}
