/** After a new master key was put first: every API key's envelope comes under it, so that the old one can be taken away. */

import type { By } from "#domain/account/audit.ts";
import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
import { keySealedFor } from "./issue-key.ts";

export interface Rewrapped {
  readonly looked: number;
  readonly rewrapped: number;
  /** Ids of keys whose envelopes do not open: a master key is missing, or they are damaged. They are left as they are. */
  readonly unreadable: readonly string[];
}

const PAGE = 200;

/** Safe to interrupt, to repeat, and while others rotate keys. Rejects with LedgerUnavailable. */
export async function rewrapKeys(
  {
    ledger,
    vault,
  }: { readonly ledger: Pick<Ledger, "keys">; readonly vault: Pick<Vault, "needsRewrap" | "rewrap"> },
  by: () => By,
): Promise<Rewrapped> {
  let [looked, rewrapped] = [0, 0];
  const unreadable: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page = await ledger.keys.envelopes(after, PAGE);
    for (const { id, organizationId, envelope } of page) {
      looked += 1;
      try {
        const sealed = JSON.parse(envelope);
        if (!vault.needsRewrap(sealed)) continue;
        const anew = JSON.stringify(await vault.rewrap(sealed, keySealedFor(organizationId, id)));
        if (await ledger.keys.rewrap(id, envelope, anew, by())) rewrapped += 1;
      } catch (fault) {
        if (fault instanceof LedgerUnavailable) throw fault;
        unreadable.push(id);
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { looked, rewrapped, unreadable };
    after = last.id;
  }
}
