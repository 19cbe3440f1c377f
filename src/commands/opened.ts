/** What the commands that do not serve share: the product opened on the configured lake. */

import { readConfig } from "#config.ts";
import { openCrossrate, startClock } from "#wiring.ts";
import type { CommandContext } from "./command.ts";

/** Rejects with ConfigFault, or when the lake cannot be used. The caller closes it. */
export async function openReal({ environment, version, terminal }: CommandContext) {
  const config = readConfig(environment);
  const clock = startClock(config.startAt);
  const tell = terminal.tell(config.logLevel, clock.now);
  return await openCrossrate({ config, clock, tell, version, simulated: false });
}
