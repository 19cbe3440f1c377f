/** Making an API key, sealing its text so that it can be shown again, and showing it. */

import type { AccountDeps } from "#accounts/account/deps.ts";
import type { KeyWithEnvelope, NewKey } from "#domain/account/key.ts";
import { newApiKey, newId, shownPrefix } from "#domain/account/key-format.ts";
import { formatInstant } from "#domain/time/day.ts";
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
 * damaged): the key goes on working, and the operator is told.
 */
export async function keySummary(deps: Pick<AccountDeps, "vault" | "tell">, key: KeyWithEnvelope) {
  return {
    prefix: key.prefix,
    plaintext: await plaintextOf(deps, key),
    created_at: formatInstant(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : formatInstant(key.lastUsedAt),
  };
}

/** ApiKeyCreatedResponse. */
export async function keyCreated(
  deps: Pick<AccountDeps, "vault" | "tell">,
  created: boolean,
  key: KeyWithEnvelope,
) {
  const summary = await keySummary(deps, key);
  return {
    result: "success",
    created,
    org_id: key.organizationId,
    plaintext: summary.plaintext,
    key: summary,
  };
}

async function plaintextOf(
  { vault, tell }: Pick<AccountDeps, "vault" | "tell">,
  { id, organizationId, prefix, envelope }: KeyWithEnvelope,
): Promise<string | null> {
  try {
    return await vault.open(JSON.parse(envelope), keySealedFor(organizationId, id));
  } catch (fault) {
    const reason = fault instanceof SyntaxError ? "the envelope is not JSON" : String(fault);
    tell({ kind: "notice", text: `the text of the API key ${id} (${prefix}…) cannot be shown: ${reason}` });
    return null;
  }
}
