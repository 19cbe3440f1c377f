/** What signing up, signing in and everything about a person's own sessions needs. */

import type { SessionCallerDeps } from "#accounts/limits/caller.ts";
import type { Attempts } from "#ports/attempts.ts";
import type { Passwords, Tokens } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Mail } from "#ports/mail.ts";
import type { Tell } from "#telemetry.ts";

export interface IdentityDeps extends SessionCallerDeps {
  readonly ledger: Pick<Ledger, "identities" | "sessions" | "tokens">;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly attempts: Attempts;
  readonly mail: Mail;
  /** Scheme, host and port, without a slash at its end: links in letters begin with it. */
  readonly publicUrl: string;
  /** Does the work once the answer is out, so that nobody can tell by the time it takes that there was any. */
  readonly afterwards: (work: () => Promise<void>) => void;
  readonly tell: Tell;
}

/** Where a request comes from, and the session that it presents, alive or not. */
export interface Visit {
  /** As limits count callers. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly presented: string | null;
}
