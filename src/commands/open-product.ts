/** Opens the product on the configured lake, for the commands that do not serve. */

import type { CommandContext, Terminal } from "#cli/command.ts";
import { openAccountTools, openCrossrate, startClock } from "#compose.ts";
import { type Config, readConfig } from "#config.ts";
import type { Clock } from "#ports.ts";
import { type Emit, logLines } from "#telemetry.ts";
import { inSettings } from "./start-fault.ts";

/** The demo's data directory, unless DATA_DIR is set. */
export const DEMO_DIRECTORY = "data/demo";

/** Options of the commands that may begin an empty ledger. */
export interface LedgerOptions {
  readonly newLedger?: boolean;
}

/** Reads the settings of a command. Rejects with ConfigFault. */
export function settingsOf(
  { environment, terminal }: Pick<CommandContext, "environment" | "terminal">,
  defaults: Readonly<Record<string, string>> = {},
  { newLedger = false }: LedgerOptions = {},
): { readonly config: Config; readonly clock: Clock; readonly emit: Emit } {
  const read = readConfig(environment, defaults);
  const config = newLedger ? { ...read, accounts: { ...read.accounts, newLedger } } : read;
  const clock = startClock(config.startAt);
  return { config, clock, emit: eventLog(terminal, config.logLevel, clock.now) };
}

/** Logs events as lines on standard error, at the configured level. */
export function eventLog(terminal: Terminal, level: Config["logLevel"], now: () => number): Emit {
  return level === "silent" ? () => {} : logLines({ level, now, write: terminal.complain });
}

/** A command prints its own result: only warnings are logged in between, unless LOG_LEVEL says otherwise. */
export const QUIET = { LOG_LEVEL: "warn" } as const;

export type Opened = Awaited<ReturnType<typeof openCrossrate>>;

/** Runs work with the product on the lake, and closes it in any case. Rejects with ConfigFault, or when the lake cannot be used. */
export async function withProduct<T>(
  context: CommandContext,
  work: (crossrate: Opened) => Promise<T>,
  { simulated = false, ...ledger }: LedgerOptions & { readonly simulated?: boolean } = {},
): Promise<T> {
  const settings = settingsOf(context, simulated ? { ...QUIET, DATA_DIR: DEMO_DIRECTORY } : QUIET, ledger);
  const { version } = context;
  const crossrate = await openCrossrate({ ...settings, version, simulated }).catch((fault: unknown) => {
    throw inSettings(fault, settings.config);
  });
  try {
    return await work(crossrate);
  } finally {
    await crossrate.close();
  }
}

/** Opens the accounts of the configured ledger. Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccounts(context: CommandContext, options: LedgerOptions) {
  const { config, clock, emit } = settingsOf(context, QUIET, options);
  return await openAccountTools(config, clock, emit).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
}
