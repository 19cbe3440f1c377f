/** API keys: creates, shows, rotates and revokes them, and encrypts all secrets again under a new master key. */

import { attempt } from "#accounts/identity/deps.ts";
import {
  type ApiKey,
  type KeyWithEnvelope,
  type NewKey,
  newApiKey,
  newId,
  type Random,
  shownPrefix,
} from "#domain/account/key.ts";
import { type By, LedgerUnavailable, withLedger } from "#domain/account/ledger.ts";
import type { Plans } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import { secretSealedFor } from "#domain/webhook/endpoint.ts";
import type { Billing } from "#ports/billing.ts";
import type { SealedFor, Vault } from "#ports/identity.ts";
import type { Attempts, ForgetKeys, Ledger, MonthUsed, UsageCounts } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

/** The dependencies of the account use cases. */
export interface AccountDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "consents">;
  readonly vault: Pick<Vault, "lookup" | "seal" | "open">;
  readonly billing: Pick<Billing, "cancel" | "closeCheckouts" | "subscriptionsOf" | "kind">;
  readonly forgetKeys: ForgetKeys;
  readonly attempts: Attempts;
  /** The ledger's counts and those that this process has not written yet. A day may come twice. */
  readonly usageDays: UsageCounts["days"];
  readonly monthUsed: MonthUsed;
  readonly plans: Plans;
  readonly random: Random;
  readonly clock: Clock;
  readonly emit: Emit;
}

/** Binds a key's envelope to its row: in another row it does not open. */
function keySealedFor(organizationId: string, keyId: string): SealedFor {
  return { org: organizationId, id: keyId, purpose: "api_key" };
}

/** A new key for the ledger; only the envelope has its text. */
export async function makeKey(
  { vault, random }: Pick<AccountDeps, "vault" | "random">,
  organizationId: string,
): Promise<NewKey> {
  const text = newApiKey(random);
  const id = newId("key_", random);
  const envelope = await vault.seal(text, keySealedFor(organizationId, id));
  return { id, prefix: shownPrefix(text), lookup: vault.lookup(text), envelope: JSON.stringify(envelope) };
}

/** The key as its owner sees it. `plaintext` is null when its envelope does not open: the key still works, and the operator is notified. */
export async function readableKey(
  { vault, emit }: Pick<AccountDeps, "vault" | "emit">,
  key: KeyWithEnvelope,
) {
  const { id, organizationId, prefix, createdAt, lastUsedAt, envelope } = key;
  let plaintext: string | null = null;
  try {
    plaintext = await vault.open(JSON.parse(envelope), keySealedFor(organizationId, id));
  } catch (fault) {
    const detail = fault instanceof SyntaxError ? "the envelope is not JSON" : String(fault);
    emit({ kind: "api_key_unreadable", key: id, prefix, detail });
  }
  return { prefix, createdAt, lastUsedAt, plaintext };
}

/** A second rotation would end the key that is in use: the first one put it into its grace. */
const LOOK_FIRST =
  "before rotating again see GET /v1/account: it may have happened, and a second rotation ends the key in grace";

/**
 * Issues a new key. The replaced key works for 24 hours; a key already in grace ends at once. Failures `rate_limited`, `conflict`
 * before provisioning, and when the current key has another prefix than `prefix`: a form that is sent twice would end the key that it
 * put into grace. `service_unavailable`: the key may have been rotated, GET /v1/account shows the current one.
 */
export async function rotateKey(deps: AccountDeps, ownerId: string, by: By, prefix: string | null = null) {
  attempt(deps.attempts, deps.clock.now(), [{ limit: "rotation of", key: ownerId }]);
  const key = await withLedger(() => rotate(deps, ownerId, by, prefix), LOOK_FIRST);
  if (key === null) {
    const reason =
      prefix === null
        ? "there is no organization yet; POST /v1/account/provision makes one and issues its first key"
        : "this key was replaced before, so nothing was changed now; these are your keys";
    throw new Failure("conflict", { reason });
  }
  deps.forgetKeys(key.organizationId);
  return { created: true, organizationId: key.organizationId, key: await readableKey(deps, key) };
}

async function rotate(deps: AccountDeps, ownerId: string, by: By, prefix: string | null) {
  const organization = await deps.ledger.organizations.byOwner(ownerId);
  if (organization === null) return null;
  // Sealing takes time: it is done before the ledger takes its lock.
  const made = await makeKey(deps, organization.id);
  return await deps.ledger.keys.rotate(organization.id, made, by, prefix);
}

/** Ends every key that works, and returns the one that was current last, also when repeated. Failure `service_unavailable`. */
export async function revokeKeys(deps: AccountDeps, ownerId: string, by: By) {
  const newest = await withLedger(async () => {
    const organization = await deps.ledger.organizations.byOwner(ownerId);
    if (organization === null) return null;
    const ended = await deps.ledger.keys.revokeAll(organization.id, by);
    deps.forgetKeys(organization.id);
    // This call's result comes first: a key may have been issued and ended since.
    return ended.find(isLast) ?? lastOf(await deps.ledger.keys.list(organization.id));
  });
  return { revokedAt: newest?.revokedAt ?? null, prefix: newest?.prefix ?? null };
}

/** The key that ended last. Keys of one millisecond may be listed in any order. */
function lastOf(keys: readonly ApiKey[]): ApiKey | null {
  const [last = null] = keys.filter(isLast).toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0));
  return last;
}

/** Ended, and never replaced by a rotation. */
function isLast({ revokeAt, revokedAt }: Pick<ApiKey, "revokeAt" | "revokedAt">): boolean {
  return revokeAt === null && revokedAt !== null;
}

interface Envelopes<Row> {
  envelopes(after: string | null, limit: number): Promise<readonly Row[]>;
  rewrap(id: string, from: string, to: string, by: By): Promise<boolean>;
}

const PAGE = 200;

/** Seals all envelopes again. Safe to interrupt, to repeat, and beside rotations of keys and secrets. Rejects with LedgerUnavailable. */
export async function rewrapKeys(
  {
    ledger,
    vault,
  }: {
    readonly ledger: Pick<Ledger, "keys" | "endpoints">;
    readonly vault: Pick<Vault, "needsRewrap" | "rewrap">;
  },
  by: () => By,
) {
  let [looked, rewrapped] = [0, 0];
  /** Ids of keys and endpoints with envelopes that do not open. They stay as they are. */
  const unreadable: string[] = [];
  const rewrapAll = async <Row extends { readonly id: string; readonly organizationId: string }>(
    table: Envelopes<Row>,
    envelopeOf: (row: Row) => string,
    sealedFor: (organizationId: string, id: string) => SealedFor,
  ) => {
    let page: readonly Row[] = [];
    do {
      page = await table.envelopes(page.at(-1)?.id ?? null, PAGE);
      for (const row of page) {
        looked += 1;
        try {
          const sealed = JSON.parse(envelopeOf(row));
          if (!vault.needsRewrap(sealed)) continue;
          const next = JSON.stringify(await vault.rewrap(sealed, sealedFor(row.organizationId, row.id)));
          if (await table.rewrap(row.id, envelopeOf(row), next, by())) rewrapped += 1;
        } catch (fault) {
          if (fault instanceof LedgerUnavailable) throw fault;
          unreadable.push(row.id);
        }
      }
    } while (page.length === PAGE);
  };
  await rewrapAll(ledger.keys, ({ envelope }) => envelope, keySealedFor);
  await rewrapAll(ledger.endpoints, ({ secret }) => secret, secretSealedFor);
  return { looked, rewrapped, unreadable };
}
