/** Flags that several commands on this machine's stores share. */

import type { Flag } from "#cli/command.ts";
import { readWords } from "#cli/words/flags.ts";
import type { Config } from "#config.ts";

/** Values by flag, of a command that takes nothing but flags. Throws UsageFault as `readWords` does. */
export function readFlags<Name extends string>(
  words: readonly string[],
  flags: readonly Flag<Name>[],
): (name: Name) => string | undefined {
  return readWords(words, flags, 0).flag;
}

export const NEW_LEDGER = "--new-ledger";

export const NEW_LEDGER_FLAG: Flag = {
  name: NEW_LEDGER,
  meaning: "begin an empty ledger where the old one is gone",
};

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
