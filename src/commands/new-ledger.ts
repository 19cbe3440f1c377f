/** `--new-ledger`: the operator's word that a ledger may begin where there was another. Of every command that opens one. */

import type { Config } from "#config.ts";

export const NEW_LEDGER = "--new-ledger";

/** For `--help`. */
export const NEW_LEDGER_HELP = `${NEW_LEDGER}: begin an empty ledger where the one of DATA_DIR or DATABASE_URL is gone, or go on with another one.
Without it that is refused: accounts, API keys, usage, official publications and webhook deliveries are in the ledger.
Give it once, then leave it away. It never removes a ledger that can be read.`;

/** The words without the flag. */
export function withoutNewLedger(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== NEW_LEDGER);
}

/** The configuration with what the command line says of the ledger. */
export function withNewLedger(config: Config, words: readonly string[]): Config {
  if (!words.includes(NEW_LEDGER)) return config;
  return { ...config, accounts: { ...config.accounts, newLedger: true } };
}
