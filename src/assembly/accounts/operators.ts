/** The operators' tools on accounts: for the commands without a server, and for the operators' listener of a server. */

import { join } from "node:path";
import { type OperatorDeps, operatorTools } from "#accounts/account/operator-tools.ts";
import type { Config } from "#config.ts";
import { tierInForce } from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import { systemRandom } from "#gateways/random.ts";
import { openTokens } from "#gateways/tokens.ts";
import type { OperatorServer } from "#operate/server.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { openAccountLedger } from "./ledger.ts";
import { publicUrlOf } from "./parts.ts";
import { keyNewsOf } from "./shared.ts";

/** Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccountTools(config: Config, clock: Clock, emit: Emit) {
  const publicUrl = publicUrlOf(config);
  const { ledger, vault } = await openAccountLedger(config, clock, emit);
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

/** null where no port is set. Rejects when the port is taken, or with TokenFileFault. */
export async function adminOf(
  { accounts: { admin }, dataDir }: Config,
  deps: OperatorDeps & { readonly plans: Plans; readonly figures: FigureReview | null },
  emit: Emit,
): Promise<OperatorServer | null> {
  if (admin === null) return null;
  const { startOperatorServer } = await import("#operate/server.ts");
  const tokenPath = join(dataDir, "secrets", "admin.token");
  return await startOperatorServer({
    ...admin,
    tokenPath,
    tools: {
      ...operatorTools(deps),
      quotaOf: (organization) => deps.plans[tierInForce(organization, deps.clock.now())].month,
    },
    figures: deps.figures,
    random: systemRandom,
    emit,
  });
}
