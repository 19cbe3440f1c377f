/** Sends the mails of accounts in background tasks: address confirmation, password reset, and "you already have an account". */

import type { Identity } from "#domain/account/identity.ts";
import { type MailText, resetMail, verificationMail } from "#domain/account/mail-text.ts";
import type { Mail } from "#ports/mail.ts";
import type { Emit } from "#telemetry.ts";
import type { IdentityDeps } from "./deps.ts";
import { issueLink, issueResetLink, RESET_VALID_HOURS } from "./one-time-link.ts";

/** Mail takes seconds where the mail server is slow; beyond this number the next ones are dropped, and reported. */
const MOST_WAITING = 200;

/** `later` runs its work after what is under way, and after the answer with it: a timer. */
export function openBackgroundTasks(emit: Emit, later: (milliseconds: number, run: () => void) => unknown) {
  const underWay = new Set<Promise<void>>();
  const fail = (fault: unknown) => emit({ kind: "job_failed", job: "mail", error: String(fault) });
  return {
    run: (work: () => Promise<void>) => {
      if (underWay.size >= MOST_WAITING) {
        fail("too many mails wait to be sent; one was dropped");
        return;
      }
      const done = new Promise<void>((resolve) => later(0, resolve))
        .then(work)
        .catch(fail)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    /** Resolves when everything that was given so far is done: before a process ends. Never rejects. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

const VALID_HOURS = 24;

/**
 * Earlier links stop working. False when there is nothing to confirm or the mail could not be sent. Rejects with
 * LedgerUnavailable.
 */
export async function mailVerification(
  deps: Pick<IdentityDeps, "ledger" | "tokens" | "mail" | "publicUrl" | "clock" | "emit">,
  identity: Identity,
): Promise<boolean> {
  const { email, emailVerifiedAt } = identity;
  if (email === null || emailVerifiedAt !== null) return false;
  const wanted = { email, purpose: "verify_email", hours: VALID_HOURS } as const;
  const link = await issueLink(deps, identity, wanted, { at: deps.clock.now(), actor: "system" });
  const text = verificationMail({ site: deps.publicUrl, link, validHours: VALID_HOURS });
  return await sendMail(deps, email, text);
}

type Deps = Pick<IdentityDeps, "ledger" | "tokens" | "mail" | "publicUrl" | "clock" | "emit">;

/** Whether the mail was sent. Rejects with LedgerUnavailable. */
export function mailResetLink(deps: Deps, identity: Identity): Promise<boolean> {
  return mailLink(deps, identity, (site, link) => resetMail({ site, link, validHours: RESET_VALID_HOURS }));
}

/**
 * For the owner of an address with which a person signed up again. Where the address was never confirmed, another person may
 * have signed up first: the link that they requested stops working, and this one sets a new password.
 */
export async function mailTakenAddress(deps: Deps, owner: Identity): Promise<boolean> {
  const { email, emailVerifiedAt } = owner;
  if (emailVerifiedAt === null && email !== null) {
    // Never sent: it only replaces the links before it.
    const unsent = { email, purpose: "verify_email", hours: 0 } as const;
    await issueLink(deps, owner, unsent, { at: deps.clock.now(), actor: "system" });
  }
  return await mailLink(deps, owner, takenLetter);
}

async function mailLink(
  deps: Deps,
  identity: Identity,
  letterOf: (site: string, link: string) => MailText,
): Promise<boolean> {
  const { email, external } = identity;
  if (email === null) return false;
  if (external !== null) return await sendMail(deps, email, providerLetter(deps.publicUrl));
  const link = await issueResetLink(deps, identity, { at: deps.clock.now(), actor: "system" });
  return await sendMail(deps, email, letterOf(deps.publicUrl, link));
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

/** Whether the mail server accepted it. The operator is given the reason, not the address. */
export async function sendMail(
  { mail, emit }: { readonly mail: Mail; readonly emit: Emit },
  to: string,
  text: MailText,
): Promise<boolean> {
  const outcome = await mail.send({ ...text, to });
  if (!outcome.sent) emit({ kind: "job_failed", job: "mail", error: `${outcome.fault}: ${outcome.detail}` });
  return outcome.sent;
}
