/** Re-encrypts every envelope, of API keys and of webhook secrets, under a new master key, so that the old one can be removed. */

import type { By } from "#domain/account/audit.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { secretSealedFor } from "#domain/webhook/signature.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { SealedFor, Vault } from "#ports/vault.ts";
import { keySealedFor } from "./issue-key.ts";

export interface Rewrapped {
  readonly looked: number;
  readonly rewrapped: number;
  /** Ids of keys and endpoints whose envelopes do not open: a master key is missing, or they are damaged. They are left as they are. */
  readonly unreadable: readonly string[];
}

type Rewraps = Pick<Vault, "needsRewrap" | "rewrap">;

/** One kind of rows with an envelope. */
interface Kind<Row extends { readonly id: string }> {
  page(after: string | null, limit: number): Promise<readonly Row[]>;
  envelopeOf(row: Row): string;
  sealedFor(row: Row): SealedFor;
  replace(id: string, from: string, to: string, by: By): Promise<boolean>;
}

const PAGE = 200;

/** Safe to interrupt, to repeat, and while others rotate keys and secrets. Rejects with LedgerUnavailable. */
export async function rewrapKeys(
  { ledger, vault }: { readonly ledger: Pick<Ledger, "keys" | "endpoints">; readonly vault: Rewraps },
  by: () => By,
): Promise<Rewrapped> {
  const keys = await rewrapAll(vault, by, {
    page: ledger.keys.envelopes,
    envelopeOf: ({ envelope }) => envelope,
    sealedFor: ({ organizationId, id }) => keySealedFor(organizationId, id),
    replace: ledger.keys.rewrap,
  });
  const secrets = await rewrapAll(vault, by, {
    page: ledger.endpoints.envelopes,
    envelopeOf: ({ secret }) => secret,
    sealedFor: ({ organizationId, id }) => secretSealedFor(organizationId, id),
    replace: ledger.endpoints.rewrap,
  });
  return {
    looked: keys.looked + secrets.looked,
    rewrapped: keys.rewrapped + secrets.rewrapped,
    unreadable: [...keys.unreadable, ...secrets.unreadable],
  };
}

async function rewrapAll<Row extends { readonly id: string }>(
  vault: Rewraps,
  by: () => By,
  { page: pageOf, envelopeOf, sealedFor, replace }: Kind<Row>,
): Promise<Rewrapped> {
  let [looked, rewrapped] = [0, 0];
  const unreadable: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page = await pageOf(after, PAGE);
    for (const row of page) {
      looked += 1;
      const envelope = envelopeOf(row);
      try {
        const sealed = JSON.parse(envelope);
        if (!vault.needsRewrap(sealed)) continue;
        const anew = JSON.stringify(await vault.rewrap(sealed, sealedFor(row)));
        if (await replace(row.id, envelope, anew, by())) rewrapped += 1;
      } catch (fault) {
        if (fault instanceof LedgerUnavailable) throw fault;
        unreadable.push(row.id);
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { looked, rewrapped, unreadable };
    after = last.id;
  }
}
