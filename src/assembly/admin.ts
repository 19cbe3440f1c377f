/** The operators' listener on the accounts of this process, where a port is set. */

import { join } from "node:path";
import { type OperatorDeps, operatorTools } from "#accounts/account/operator-tools.ts";
import type { AdminServer } from "#admin/server.ts";
import type { Config } from "#config.ts";
import { systemRandom } from "#gateways/random.ts";
import type { Tell } from "#telemetry.ts";

/** null where no port is set. Rejects when the port is taken, or with TokenFileFault. */
export async function adminOf(
  { accounts: { admin }, dataDir }: Config,
  deps: OperatorDeps,
  tell: Tell,
): Promise<AdminServer | null> {
  if (admin === null) return null;
  const { startAdminServer } = await import("#admin/server.ts");
  const tokenPath = join(dataDir, "secrets", "admin.token");
  return await startAdminServer({
    ...admin,
    tokenPath,
    tools: operatorTools(deps),
    random: systemRandom,
    tell,
  });
}
