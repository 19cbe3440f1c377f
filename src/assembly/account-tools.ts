/** What the operator's commands about accounts work on: the ledger and its keys; no limits, no sessions, nothing that runs. */

import { issueResetLink } from "#accounts/reset-link.ts";
import { rewrapKeys } from "#accounts/rewrap-keys.ts";
import type { Config } from "#config.ts";
import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import { systemRandom } from "#gateways/random.ts";
import { openTokens } from "#gateways/tokens.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { ledgerOf, publicUrlOf, vaultOf } from "./account-parts.ts";

/** Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccountTools(config: Config, clock: Clock, tell: Tell) {
  const publicUrl = publicUrlOf(config);
  const vault = await vaultOf(config);
  const ledger = await ledgerOf(config, vault, clock, tell);
  const links = { ledger, tokens: openTokens(systemRandom), publicUrl };
  return {
    ledger,
    clock,
    // Running servers find out by looking again within seconds.
    keyNews: { ended: () => {} },
    resetLink: (identity: Identity, by: By) => issueResetLink(links, identity, by),
    rewrapKeys: (by: () => By) => rewrapKeys({ ledger, vault }, by),
    close: () => ledger.close(),
  };
}
