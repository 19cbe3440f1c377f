/** What the operator's commands about accounts work on: the ledger and its keys; no limits, no sessions, nothing that runs. */

import { operatorTools } from "#accounts/operator-tools.ts";
import type { Config } from "#config.ts";
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
  return operatorTools({ ledger, vault, tokens: openTokens(systemRandom), publicUrl, clock });
}
