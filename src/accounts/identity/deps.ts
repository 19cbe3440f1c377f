/** The dependencies of sign-up, sign-in and the management of sessions. */

import type { Attempts } from "#ports/counters.ts";
import type { Devices, Passwords, Tokens } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Mail } from "#ports/mail.ts";
import type { Emit } from "#telemetry.ts";
import type { SessionCallerDeps } from "./session-caller.ts";

export interface IdentityDeps extends SessionCallerDeps {
  readonly ledger: Pick<Ledger, "identities" | "sessions" | "tokens">;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly attempts: Attempts;
  /** Without it every sign-in counts for its account alone. */
  readonly devices?: Devices;
  readonly mail: Mail;
  /** Scheme, host and port, without a slash at its end: links in mail begin with it. */
  readonly publicUrl: string;
  /** Does the work once the response is sent, so that its duration does not reveal whether there was any. */
  readonly inBackground: (work: () => Promise<void>) => void;
  readonly emit: Emit;
}

/** Where a request comes from, and the session that it presents, alive or not. */
export interface Visit {
  /** As limits count callers. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly presented: string | null;
  /** The cookie of a browser that signed in before, of any person. */
  readonly device?: string | null;
}
