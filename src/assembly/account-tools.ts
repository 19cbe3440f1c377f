/** What the operator's commands about accounts work on: the ledger and its keys; no limits, no sessions, nothing that runs. */

import { operatorTools } from "#accounts/account/operator-tools.ts";
import type { Config } from "#config.ts";
import { systemRandom } from "#gateways/random.ts";
import { openTokens } from "#gateways/tokens.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { openAccountLedger } from "./account-ledger.ts";
import { publicUrlOf } from "./account-parts.ts";
import { keyNewsOf } from "./account-shared.ts";

/** Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccountTools(config: Config, clock: Clock, tell: Tell) {
  const publicUrl = publicUrlOf(config);
  const { ledger, vault } = await openAccountLedger(config, clock, tell);
  const keyNews = await keyNewsOf(config);
  const tokens = openTokens(systemRandom);
  const tools = operatorTools({ ledger, vault, tokens, publicUrl, clock, keyNews });
  return {
    ...tools,
    close: async () => {
      await keyNews.close();
      await tools.close();
    },
  };
}
