/** Creates an API key, seals its text so that it can be shown again, and shows it. */

import type { AccountDeps } from "#accounts/deps.ts";
import { type KeyWithEnvelope, type NewKey, newApiKey, newId, shownPrefix } from "#domain/account/key.ts";
import type { ReadableKey } from "#domain/account/own-account.ts";
import type { SealedFor } from "#ports/vault.ts";

/** What the envelope of a key is bound to: moved to another row it does not open. */
export function keySealedFor(organizationId: string, keyId: string): SealedFor {
  return { org: organizationId, id: keyId, purpose: "api_key" };
}

/** A new key as the ledger stores it; its text is in the envelope alone. */
export async function makeKey(
  { vault, random }: Pick<AccountDeps, "vault" | "random">,
  organizationId: string,
): Promise<NewKey> {
  const text = newApiKey(random);
  const id = newId("key_", random);
  const envelope = await vault.seal(text, keySealedFor(organizationId, id));
  return { id, prefix: shownPrefix(text), lookup: vault.lookup(text), envelope: JSON.stringify(envelope) };
}

/**
 * The key as its owner sees it. `plaintext` is null when its envelope does not open (its master key is missing, or it is
 * damaged): the key still works, and the operator is notified.
 */
export async function readableKey(
  deps: Pick<AccountDeps, "vault" | "emit">,
  key: KeyWithEnvelope,
): Promise<ReadableKey> {
  const { prefix, createdAt, lastUsedAt } = key;
  return { prefix, createdAt, lastUsedAt, plaintext: await plaintextOf(deps, key) };
}

async function plaintextOf(
  { vault, emit }: Pick<AccountDeps, "vault" | "emit">,
  { id, organizationId, prefix, envelope }: KeyWithEnvelope,
): Promise<string | null> {
  try {
    return await vault.open(JSON.parse(envelope), keySealedFor(organizationId, id));
  } catch (fault) {
    const detail = fault instanceof SyntaxError ? "the envelope is not JSON" : String(fault);
    emit({ kind: "api_key_unreadable", key: id, prefix, detail });
    return null;
  }
}
