/** The operator's commands on accounts that do more than read or write the ledger: links, and re-encryption under a new master key. */

import { issueResetLink } from "#accounts/identity/one-time-link.ts";
import { type Rewrapped, rewrapKeys } from "#accounts/keys/rewrap-keys.ts";
import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { Tokens } from "#ports/identity.ts";
import type { KeyNews } from "#ports/key-news.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";

export interface OperatorDeps {
  readonly ledger: Ledger;
  readonly vault: Pick<Vault, "needsRewrap" | "rewrap">;
  readonly tokens: Pick<Tokens, "issue">;
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Without one, servers find out by themselves within seconds. */
  readonly keyNews?: KeyNews;
}

/** The tools over an open ledger, which they close. */
export function operatorTools(deps: OperatorDeps) {
  const { ledger, clock, keyNews = { ended: () => {} } } = deps;
  return {
    ledger,
    clock,
    keyNews,
    /** A link that sets a new password once. Failure `conflict` where the person has no password here. */
    resetLink: (identity: Identity, by: By): Promise<string> => issueResetLink(deps, identity, by),
    rewrapKeys: (by: () => By): Promise<Rewrapped> => rewrapKeys(deps, by),
    close: ledger.close,
  };
}
