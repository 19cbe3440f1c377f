/** The application with accounts, sign-in and webhooks over a real ledger, vault and sessions. */

import type { SessionCallerDeps } from "#accounts/identity/deps.ts";
import { openLastUsed, sessionCaller } from "#accounts/identity/sessions.ts";
import type { AccountDeps } from "#accounts/keys/keys.ts";
import type { AccountRouteDeps } from "#api/account/account.ts";
import type { Identity } from "#domain/account/identity.ts";
import { issueToken } from "#domain/account/token.ts";
import { openCookies } from "#gateways/cookies.ts";
import { noMail } from "#gateways/mail/smtp.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { accountFixture, random } from "#test/accounts/account/fixture.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { atEnd } from "#test/support/at-end.ts";
import { quickPasswords } from "#test/support/quick-passwords.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export const SITE = "https://rates.example";

export interface SignedIn {
  readonly identity: Identity;
  readonly headers: { readonly authorization: string };
  readonly browser: { readonly cookie: string; readonly origin: string };
}

export async function openAccountApp(now = NOW, changed: Partial<AccountDeps> = {}) {
  const ledger = await openLedger({ directory: temporaryDirectory() }, optionsOf());
  atEnd(ledger.close);
  const fixture = await accountFixture(ledger, now, changed);
  const cookies = openCookies(SITE);
  const seen = openLastUsed(ledger.sessions);
  const callers = { ledger, cookies, bearers: null, seen, clock: fixture.clock };
  const callerBy =
    (sessions?: Partial<SessionCallerDeps>): AccountRouteDeps["sessionCaller"] =>
    (credentials) =>
      sessionCaller({ ...callers, ...sessions }, credentials);
  const open = (changes: Partial<AccountRouteDeps>, sessions?: Partial<SessionCallerDeps>) => {
    const account = { ...fixture, policy: null, sessionCaller: callerBy(sessions), ...changes };
    const signIn = { passwords: quickPasswords(), mail: noMail, publicUrl: SITE, provider: null };
    return openTestApp({
      clock: fixture.clock,
      account,
      identity: {
        ...{ ...fixture, ...callers, ...sessions, ...signIn, inBackground: () => {} },
        ledger: { ...ledger, ...sessions?.ledger },
      },
      webhooks: { ...account, ledger: { ...ledger, ...changes.ledger }, allowPrivate: false },
    });
  };
  return {
    ...open({}),
    with: open,
    ledger,
    fixture,
    /** Identifies people, by a ledger that may differ. */
    sessionCaller: callerBy,
    async signIn(email: string): Promise<SignedIn> {
      const wanted = { email, passwordHash: null, emailVerifiedAt: null, role: "user" } as const;
      const by = { at: fixture.clock.now(), actor: "system" } as const;
      const identity = await ledger.identities.create(wanted, by);
      if (identity === "email_taken") throw new Error(`${email} is taken`);
      const { id, secretHash, token } = issueToken("fxs_", random);
      const facts = { expiresAt: by.at + 3_600_000, userAgent: null, address: null };
      await ledger.sessions.start({ id, identityId: identity.id, secretHash, ...facts }, by);
      return {
        identity,
        headers: { authorization: `Bearer ${token}` },
        browser: { cookie: `${cookies.session.name}=${token}`, origin: SITE },
      };
    },
  };
}

export function request(method: string, headers: Record<string, string>, body?: unknown): RequestInit {
  if (body === undefined) return { method, headers };
  return {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}
