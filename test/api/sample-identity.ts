/** The person and the session of the document's examples: every call finds them as they are, and changes nothing. */

import {
  type AuthDeps,
  EXAMPLE_RESET_TOKEN,
  EXAMPLE_SESSION,
  EXAMPLE_TOKEN,
  EXAMPLE_VERIFY_TOKEN,
} from "#api/auth/model.ts";
import type { Identity, Session, TokenPurpose } from "#domain/account/identity.ts";
import type { Clock } from "#ports.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";

const IDENTITY: Identity = {
  id: "idn_8TqW2mZr5KcY0hVx3NsB",
  email: "ada@example.com",
  passwordHash: "a hash",
  iss: null,
  sub: null,
  emailVerifiedAt: Date.parse("2026-04-02T09:05:00Z"),
  role: "user",
  createdAt: Date.parse("2026-04-02T09:00:00Z"),
  suspendedAt: null,
};

const SESSION: Session = {
  id: EXAMPLE_SESSION,
  identityId: IDENTITY.id,
  secretHash: "",
  createdAt: Date.parse("2026-04-13T16:30:00Z"),
  expiresAt: Date.parse("2026-05-13T16:30:00Z"),
  lastSeenAt: Date.parse("2026-04-13T16:30:00Z"),
  userAgent: "Firefox on Linux",
  address: "192.0.2.0/24",
  endedAt: null,
};

/** What the example tokens stand for: the session, and links of either purpose. */
const IDS: Readonly<Record<string, string>> = {
  [EXAMPLE_TOKEN]: EXAMPLE_SESSION,
  [EXAMPLE_RESET_TOKEN]: "reset_password",
  [EXAMPLE_VERIFY_TOKEN]: "verify_email",
};

/** The example token belongs to the person of the examples; every password and link is right. */
export function sampleIdentity(clock: Clock): AuthDeps {
  const cookie = {
    name: "__Host-crossrate_session",
    set: (value: string) => `__Host-crossrate_session=${value}`,
    clear: () => "__Host-crossrate_session=; Max-Age=0",
    read: () => null,
  };
  return {
    ledger: {
      identities: {
        create: async (wanted) => ({ ...IDENTITY, ...wanted }),
        ensureExternal: async () => ({ identity: IDENTITY, created: false }),
        byId: async () => IDENTITY,
        byEmail: async () => IDENTITY,
        change: async () => IDENTITY,
        list: async () => [IDENTITY],
      },
      sessions: {
        start: async (wanted, { at }) => ({ ...SESSION, ...wanted, createdAt: at }),
        find: async () => ({ session: SESSION, identity: IDENTITY }),
        list: async () => [SESSION],
        markUsed: async () => {},
        end: async () => true,
        endAll: async () => 1,
        prune: async () => 0,
      },
      tokens: {
        issue: async () => {},
        find: async (id) => ({
          id,
          secretHash: "",
          purpose: id as TokenPurpose,
          identityId: IDENTITY.id,
          email: "ada@example.com",
          expiresAt: clock.now() + 1,
          usedAt: null,
        }),
        consume: async () => IDENTITY,
        prune: async () => 0,
      },
    },
    passwords: {
      fault: () => null,
      hash: async () => "a hash",
      verify: async () => true,
      verifyDummy: async () => false,
      needsRehash: () => false,
    },
    tokens: {
      issue: () => ({ id: EXAMPLE_SESSION, secretHash: "", token: EXAMPLE_TOKEN }),
      read: (_, text) => {
        const id = IDS[text];
        return id === undefined ? null : { id, secretHash: "" };
      },
      matches: () => true,
    },
    cookies: { session: cookie, signIn: cookie, notice: cookie, isOwnOrigin: () => true },
    bearers: null,
    provider: {
      begin: async () => ({ url: "https://id.example.com/authorize", cookie: "sealed", maxAgeSeconds: 600 }),
      finish: async () => ({
        identity: { iss: "https://id.example.com", sub: "1", email: null, email_verified: false },
        returnTo: "/",
      }),
    },
    attempts: memoryAttempts(),
    mail: { configured: false, send: async () => ({ sent: true }) },
    publicUrl: "https://rates.example.com",
    inBackground: () => {},
    seen: { note: () => {} },
    clock,
    emit: () => {},
  };
}
