/** Links by mail confirm an address or set a password. A link works once and starts no session. Mails are sent in background tasks. */

import {
  type Identity,
  type MailText,
  normalizeEmail,
  type OneTimeToken,
  resetMail,
  type TokenPurpose,
  verificationMail,
} from "#domain/account/identity.ts";
import type { Random } from "#domain/account/key.ts";
import type { By } from "#domain/account/ledger.ts";
import { issueToken, matchesHash, readToken } from "#domain/account/token.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Mail, MailOutcome } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Count, Emit } from "#telemetry.ts";
import { attempt, gatesFrom, type IdentityDeps, type Visit } from "./deps.ts";
import { refusedValue, requireAcceptable } from "./password.ts";

/**
 * Mails a link of this purpose. Does not reveal whether the address has an account: the mail is written after the response.
 * Without mail nothing is sent. Failure `rate_limited`. Rejects with LedgerUnavailable.
 */
export async function askLink(
  deps: IdentityDeps,
  purpose: TokenPurpose,
  { email }: { readonly email: string },
  { address }: Pick<Visit, "address">,
): Promise<void> {
  const to = { limit: "mail to", key: normalizeEmail(email) } as const;
  attempt(deps.attempts, deps.clock.now(), [...gatesFrom("mail from", address), to]);
  const identity = await deps.ledger.identities.byEmail(email);
  if (identity === null || !deps.mail.configured) return;
  deps.inBackground(async () => {
    if (purpose === "verify_email") await mailVerification(deps, identity);
    else await mailText(deps, identity, resetMail);
  });
}

/**
 * Sets a password by a link, once, and ends every session. Failure `validation_error` (the password, or the link is used,
 * replaced, too old or not ours), `rate_limited`, `auth_unavailable`. Rejects with LedgerUnavailable.
 */
export async function confirmReset(
  deps: IdentityDeps,
  { token, password }: { readonly token: string; readonly password: string },
  { address }: Pick<Visit, "address">,
): Promise<Identity> {
  const { passwords, ledger, attempts, mail, clock } = deps;
  attempt(attempts, clock.now(), gatesFrom("link from", address));
  requireAcceptable(passwords, password, null, "/new");
  // Read first: a dead link costs no hash.
  const { id, email } = await readLink(deps, token, "reset_password");
  // Checked again, now with the e-mail address.
  requireAcceptable(passwords, password, email, "/new");
  const passwordHash = await passwords.hash(password, address);
  const now = clock.now();
  // With mail configured the link came by mail or from the operator. Without, it proves nothing about the mailbox.
  const patch = { passwordHash, ...(mail.configured ? { emailVerifiedAt: now } : {}) };
  const identity = await ledger.tokens.consume(id, "reset_password", { patch, endSessions: "all" }, now);
  if (identity === null) throw deadLink();
  attempts.clear({ limit: "sign-in to", key: identity.email ?? "" });
  return identity;
}

/**
 * Confirms an address by a link and the account's password: a person who signed up with another's address does not get in when the owner
 * opens the link. Failure `validation_error` (see `deadLink`), `invalid_credentials`, `rate_limited`, `auth_unavailable`. Rejects with
 * LedgerUnavailable.
 */
export async function confirmVerification(
  deps: IdentityDeps,
  { token, password }: { readonly token: string; readonly password: string },
  { address }: Pick<Visit, "address">,
): Promise<Identity> {
  const { attempts, ledger, passwords, clock } = deps;
  attempt(attempts, clock.now(), gatesFrom("link from", address));
  const { id, identityId, email } = await readLink(deps, token, "verify_email");
  attempt(attempts, clock.now(), [{ limit: "sign-in to", key: email }]);
  const owner = await ledger.identities.byId(identityId);
  if (!(await passwords.verify(password, owner?.passwordHash ?? null, address)))
    throw new Failure("invalid_credentials", {
      wording:
        "the password is not the one of this account; if you do not know it, request a link to set a new one",
    });
  const now = clock.now();
  const change = { patch: { emailVerifiedAt: now }, endSessions: "none" } as const;
  const identity = await ledger.tokens.consume(id, "verify_email", change, now);
  if (identity === null) throw deadLink();
  return identity;
}

const HOUR = 3_600_000;

export interface LinkDeps {
  readonly ledger: Pick<Ledger, "tokens">;
  readonly random: Random;
  readonly publicUrl: string;
}

const PAGES: Readonly<Record<TokenPurpose, string>> = {
  verify_email: "verify-email",
  reset_password: "reset-password",
};

/** Issues a link for `email`; earlier links of the purpose stop working. Rejects with LedgerUnavailable. */
async function issueLink(
  { ledger, random, publicUrl }: LinkDeps,
  { id: identityId }: Identity,
  email: string,
  purpose: TokenPurpose,
  hours: number,
  by: By,
): Promise<string> {
  const { id, secretHash, token } = issueToken("fxo_", random);
  const expiresAt = by.at + hours * HOUR;
  await ledger.tokens.issue({ id, secretHash, purpose, identityId, email, expiresAt }, by);
  // After the #: browsers do not send it, so it is in no log and no Referer.
  return `${publicUrl}/${PAGES[purpose]}#token=${token}`;
}

async function readLink(
  { ledger, clock }: IdentityDeps,
  text: string,
  purpose: TokenPurpose,
): Promise<OneTimeToken> {
  const presented = readToken("fxo_", text);
  const token = presented && (await ledger.tokens.find(presented.id));
  if (presented === null || token === null || !matchesHash(presented, token.secretHash)) throw deadLink();
  if (token.usedAt !== null || token.expiresAt <= clock.now() || token.purpose !== purpose) throw deadLink();
  return token;
}

/** One answer for every fault of a link: Failure `validation_error` at `/token`. */
function deadLink(): Failure {
  return refusedValue(
    "/token",
    "this link was used, was replaced by a newer one, or is too old; if you used it, sign in, else ask for another",
  );
}

const RESET_VALID_HOURS = 1; // The mails say so.

/**
 * Issues a link to set a password; earlier ones stop working. Failure `conflict` for an identity without an e-mail address or a
 * password here. Rejects with LedgerUnavailable.
 */
export async function issueResetLink(deps: LinkDeps, identity: Identity, by: By): Promise<string> {
  const { email, iss } = identity;
  if (email === null || iss !== null) {
    throw new Failure("conflict", {
      reason: "this account signs in through its identity provider and has no password here",
    });
  }
  return await issueLink(deps, identity, email, "reset_password", RESET_VALID_HOURS, by);
}

/** Mails that may be in flight; further ones are dropped and reported. */
const MOST_WAITING = 200;

/** `later` is a timer: the work runs after the answer is sent. */
export function openBackgroundTasks(emit: Emit, later: (milliseconds: number, run: () => void) => unknown) {
  const inFlight = new Set<Promise<void>>();
  const fail = (fault: unknown) => emit({ kind: "job_failed", job: "mail", error: String(fault) });
  return {
    run: (work: () => Promise<void>) => {
      if (inFlight.size >= MOST_WAITING) {
        fail("too many mails wait to be sent; one was dropped");
        return;
      }
      const done = new Promise<void>((resolve) => later(0, resolve))
        .then(work)
        .catch(fail)
        .finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    /** Resolves when all work is done: before a process ends. Never rejects. */
    settled: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

const VALID_HOURS = 24; // The mail says so.

/** Ends earlier links. False when there is nothing to confirm or the mail could not be sent. Rejects with LedgerUnavailable. */
export async function mailVerification(deps: IdentityDeps, identity: Identity): Promise<boolean> {
  const { email, emailVerifiedAt } = identity;
  if (email === null || emailVerifiedAt !== null) return false;
  const by = { at: deps.clock.now(), actor: "system" } as const;
  const link = await issueLink(deps, identity, email, "verify_email", VALID_HOURS, by);
  const text = verificationMail(deps.publicUrl, link);
  return (await sendMail(deps, email, text)).sent;
}

/** Mails the owner of an address that was used to sign up again, with a link to set a new password. */
export function mailTakenAddress(deps: IdentityDeps, owner: Identity): Promise<boolean> {
  return mailText(deps, owner, takenLetter);
}

async function mailText(
  deps: IdentityDeps,
  identity: Identity,
  letterOf: (site: string, link: string) => MailText,
): Promise<boolean> {
  const { email, iss } = identity;
  if (email === null) return false;
  if (iss !== null) return (await sendMail(deps, email, providerLetter(deps.publicUrl))).sent;
  const link = await issueResetLink(deps, identity, { at: deps.clock.now(), actor: "system" });
  return (await sendMail(deps, email, letterOf(deps.publicUrl, link))).sent;
}

function takenLetter(site: string, link: string): MailText {
  return {
    subject: "You have an account already",
    text: `Someone, probably you, wanted to open an account with this address at ${site}. There is one already.

Sign in with its password. If you do not know it, set a new one: open this link within one hour. It works once, and signs
out every other session:

${link}

If it was not you, do nothing: the account stays as it is.
`,
  };
}

function providerLetter(site: string): MailText {
  return {
    subject: "You have an account already",
    text: `Someone, probably you, gave this address at ${site} to open an account or to set a password.

There is an account with this address. It signs in through your identity provider and has no password here: choose that
way on the page to sign in.

If it was not you, do nothing: the account stays as it is.
`,
  };
}

/** The log has the mail server's reason for a refusal, but not the address. */
export async function sendMail(
  { mail, emit, count }: { readonly mail: Mail; readonly emit: Emit; readonly count?: Count },
  to: string,
  text: MailText,
): Promise<MailOutcome> {
  const outcome = await mail.send({ ...text, to });
  count?.("mails", { outcome: outcome.sent ? "sent" : outcome.fault });
  if (!outcome.sent) emit({ kind: "job_failed", job: "mail", error: `${outcome.fault}: ${outcome.detail}` });
  return outcome;
}
