/** Opens the product on the configured lake, for the commands that do not serve. */

import { readConfig } from "#config.ts";
import { loadAccountTools, openCrossrate, startClock } from "#wiring.ts";
import type { OpenAccounts } from "./accounts/open.ts";
import type { CommandContext } from "./command.ts";
import { withNewLedger } from "./flags.ts";
import { inSettings } from "./start-fault.ts";

/** Where the demo stores what it collects, unless DATA_DIR is set. */
export const DEMO_DIRECTORY = "data/demo";

/** A command prints its own result. Between its lines only events that need attention are logged, unless LOG_LEVEL says otherwise. */
const DEFAULTS = { LOG_LEVEL: "warn" } as const;

/** Rejects with ConfigFault, or when the lake cannot be used. The caller closes it. */
export async function openReal(context: CommandContext) {
  return await open(context, DEFAULTS, false);
}

/** The same on what the demo has collected, which says of itself that it is made up. */
export async function openSimulated(context: CommandContext) {
  return await open(context, { ...DEFAULTS, DATA_DIR: DEMO_DIRECTORY }, true);
}

async function open(
  { environment, version, terminal, words }: CommandContext,
  defaults: { readonly LOG_LEVEL: string; readonly DATA_DIR?: string },
  simulated: boolean,
) {
  const config = withNewLedger(readConfig(environment, defaults), words);
  const clock = startClock(config.startAt);
  const emit = terminal.emit(config.logLevel, clock.now);
  return await openCrossrate({ config, clock, emit, version, simulated }).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
}

/** The accounts of the configured ledger. Rejects with ConfigFault, or when the ledger cannot be used. */
export const openRealAccounts: OpenAccounts = async ({ environment, terminal, words }) => {
  const config = withNewLedger(readConfig(environment, DEFAULTS), words);
  const clock = startClock(config.startAt);
  const emit = terminal.emit(config.logLevel, clock.now);
  const { openAccountTools } = await loadAccountTools();
  return await openAccountTools(config, clock, emit).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
};
