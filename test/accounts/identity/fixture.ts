/** Signing in over a real ledger, argon2id of little cost, real tokens and a real mail server; the clock is the test's. */

import { openBackgroundTasks } from "#accounts/identity/links.ts";
import { openLastUsed, sessionCaller } from "#accounts/identity/sessions.ts";
import type { AuthDeps } from "#api/auth/model.ts";
import type { Identity } from "#domain/account/identity.ts";
import { newId } from "#domain/account/key.ts";
import { openCookies } from "#gateways/cookies.ts";
import { noMail, openSmtp } from "#gateways/mail/smtp.ts";
import type { Mail } from "#ports/identity.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { random } from "#test/accounts/account/fixture.ts";
import { readMail, startSmtp } from "#test/gateways/mail/smtp-server.ts";
import { endsWithFile } from "#test/support/at-end.ts";
import { quickPasswords } from "#test/support/quick-passwords.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export const NOW = Date.parse("2026-04-13T16:30:00Z");
export const SITE = "https://rates.example.com";
export const PASSWORD = "seven kites above Delft";

const later = (milliseconds: number, run: () => void) => setTimeout(run, milliseconds);

export type IdentityFixture = Awaited<ReturnType<typeof openFixture>>;

/** `mail`: a server on loopback, none configured, or an address where no server answers. */
export async function openFixture(
  mail: "served" | "none" | "down" = "none",
  changes: Partial<AuthDeps> = {},
) {
  const directory = temporaryDirectory();
  const clock = { at: NOW, now: () => clock.at };
  const emitted: string[] = [];
  const emit = (event: object) => void emitted.push(JSON.stringify(event));
  const ledger = await openLedger(
    { directory },
    { emit, clock, newId: (prefix) => newId(prefix as "idn_", random) },
  );
  const smtp = await startSmtp();
  const passwords = quickPasswords();
  const seen = openLastUsed(ledger.sessions);
  const backgroundTasks = openBackgroundTasks(emit, later);
  const deps: AuthDeps = {
    ledger,
    passwords,
    random,
    cookies: openCookies(SITE),
    bearers: null,
    provider: null,
    attempts: memoryAttempts(),
    mail: mailOf(mail, smtp.port),
    publicUrl: SITE,
    inBackground: backgroundTasks.run,
    seen,
    clock,
    emit,
    ...changes,
  };
  if (mail === "down") await smtp.stop();
  const messages = async () => {
    await backgroundTasks.settled();
    return smtp.mails.map((mail) => {
      const { headers, text } = readMail(mail);
      return { to: mail.to, text: `${headers.get("subject")}\n${text}` };
    });
  };
  return {
    deps,
    ledger,
    clock,
    seen,
    emitted,
    directory,
    /** Messages that the mail server took, once no background task is left. */
    messages,
    linkTo: async (address: string) => {
      const message = (await messages()).findLast(({ to }) => to.includes(address));
      const [, token] = /#token=(fxo_[0-9A-Za-z]+)/.exec(message?.text ?? "") ?? [];
      if (token === undefined) throw new Error(`no message with a link to ${address}`);
      return token;
    },
    /** A person who can sign in with PASSWORD; the address is confirmed. */
    person: async (email: string, patch: Partial<Pick<Identity, "role">> = {}) => {
      const identity = await ledger.identities.create(
        { email, passwordHash: await hashed(), emailVerifiedAt: NOW, role: "user", ...patch },
        { at: clock.now(), actor: "system" },
      );
      if (identity === "email_taken") throw new Error(`${email} is taken`);
      return identity;
    },
    stop: endsWithFile(async () => {
      await backgroundTasks.settled();
      await ledger.close();
      await smtp.stop();
    }),
  };
}

/** Who calls with this token, as of now. */
export async function callerWith({ deps }: IdentityFixture, token: string) {
  const credentials = { authorization: `Bearer ${token}`, cookie: null, origin: null, mutates: true };
  return await sessionCaller(deps, credentials);
}

export const VISIT = { address: "192.0.2.7", userAgent: "curl/8.5.0", presented: null } as const;

let hash: Promise<string> | null = null;
/** Of PASSWORD; made once a process. */
function hashed(): Promise<string> {
  hash ??= quickPasswords().hash(PASSWORD, "own");
  return hash;
}

function mailOf(mail: "served" | "none" | "down", port: number): Mail {
  if (mail === "none") return noMail;
  return openSmtp({ url: `smtp://127.0.0.1:${port}`, from: "rates@example.com", deadlineSeconds: 5 });
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => "it did not fail",
    (fault: { code?: string }) => fault.code ?? String(fault),
  );
}
