/** The account of the document's examples: every call finds it as it is, and changes nothing. */

import { type AccountRouteDeps, EXAMPLE_KEY, EXAMPLE_ORG } from "#api/account/account.ts";
import type { Identity } from "#domain/account/identity.ts";
import { type KeyWithEnvelope, keyState, type NewKey } from "#domain/account/key.ts";
import type { Organization } from "#domain/account/organization.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";

const IDENTITY: Identity = {
  id: "idn_Sample",
  email: "ada@example.com",
  passwordHash: null,
  iss: null,
  sub: null,
  emailVerifiedAt: null,
  role: "user",
  createdAt: Date.parse("2026-04-02T09:00:00Z"),
  suspendedAt: null,
};

const ORGANIZATION: Organization = {
  id: EXAMPLE_ORG,
  ownerId: IDENTITY.id,
  tier: "basic",
  status: "active",
  billingCustomerId: "cus_sample",
  billingSubscriptionId: "sub_sample",
  pastDueSince: null,
  attribution: null,
  marketingConsent: false,
  createdAt: Date.parse("2026-04-02T09:15:00Z"),
};

const KEY: KeyWithEnvelope = {
  id: "key_Sample",
  organizationId: EXAMPLE_ORG,
  prefix: EXAMPLE_KEY.slice(0, 12),
  createdAt: Date.parse("2026-04-02T09:15:00Z"),
  lastUsedAt: Date.parse("2026-04-13T16:29:00Z"),
  revokeAt: null,
  revokedAt: null,
  envelope: "{}",
};

/** Every caller is its owner; its key has the text of the examples. */
export function sampleAccount(clock: Clock): AccountRouteDeps {
  const today = dayAt(clock.now());
  const issued = (made: NewKey): KeyWithEnvelope => ({
    ...KEY,
    ...made,
    prefix: KEY.prefix,
    createdAt: clock.now(),
    lastUsedAt: null,
  });
  let key = KEY;
  return {
    ledger: {
      organizations: {
        provision: async ({ makeKey }) => ({
          created: true,
          organization: ORGANIZATION,
          key: issued(await makeKey(EXAMPLE_ORG)),
        }),
        byId: async () => ORGANIZATION,
        byOwner: async () => ORGANIZATION,
        byBillingCustomer: async () => ORGANIZATION,
        change: async () => ORGANIZATION,
        list: async () => [ORGANIZATION],
        remove: async () => ({ outcome: "removed", keyIds: [KEY.id] }),
      },
      keys: {
        find: async () => null,
        list: async () => [key],
        byPrefix: async () => [],
        rotate: async (_, made) => ({ key: issued(made), replaced: KEY, ended: [] }),
        revokeAll: async (_, { at }) => {
          const live = [key].filter((one) => keyState(one, at) !== "revoked");
          key = { ...key, revokedAt: at };
          return live;
        },
        revoke: async () => null,
        markUsed: async () => {},
        envelopes: async () => [],
        rewrap: async () => false,
      },
      usage: {
        apply: async () => true,
        pruneBatches: async () => 0,
        days: async () => [
          { day: today - 1, served: 310, rateLimited: 2, quotaExceeded: 1 },
          { day: today, served: 924, rateLimited: 0, quotaExceeded: 0 },
        ],
        monthCalls: async () => 1234,
        pruneMonths: async () => 0,
        totals: async () => [],
        reached: async () => [],
        claimMail: async () => false,
        releaseMail: async () => {},
      },
      consents: {
        accept: async (identityId, policyVersion, { at }) => ({ identityId, policyVersion, acceptedAt: at }),
        list: async () => [],
      },
    },
    vault: {
      lookup: () => "0".repeat(64),
      seal: async () => ({ v: 1, kek_id: "sample", wrapped_dek: "", nonce: "", ct: "" }),
      open: async () => EXAMPLE_KEY,
    },
    billing: {
      kind: "stripe",
      closeCheckouts: async () => 0,
      subscriptionsOf: async () => [],
      cancel: async () => "cancelled",
    },
    keyNews: { ended: () => {} },
    attempts: memoryAttempts(),
    pendingUsage: () => [],
    monthUsed: async () => 1234,
    plans: DEFAULT_PLANS,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    clock,
    emit: () => {},
    policy: { version: "2026-01", url: "https://rates.example.com/policy" },
    sessionCaller: async () => ({
      identity: IDENTITY,
      session: null,
      by: (at) => ({ at, actor: `identity:${IDENTITY.id}` }),
    }),
  };
}
