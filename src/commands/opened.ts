/** What the commands that do not serve share: the product opened on the configured lake. */

import { readConfig } from "#config.ts";
import { openAccountTools, openCrossrate, startClock } from "#wiring.ts";
import type { OpenAccounts } from "./accounts-opened.ts";
import type { CommandContext } from "./command.ts";

/** Rejects with ConfigFault, or when the lake cannot be used. The caller closes it. */
export async function openReal({ environment, version, terminal }: CommandContext) {
  const config = readConfig(environment);
  const clock = startClock(config.startAt);
  const tell = terminal.tell(config.logLevel, clock.now);
  return await openCrossrate({ config, clock, tell, version, simulated: false });
}

/** The accounts of the configured ledger. Rejects with ConfigFault, or when the ledger cannot be used. */
export const openRealAccounts: OpenAccounts = async ({ environment, terminal }) => {
  const config = readConfig(environment);
  const clock = startClock(config.startAt);
  return await openAccountTools(config, clock, terminal.tell(config.logLevel, clock.now));
};
