/** Flags of a command, as data: parsed from its arguments, refused by name with what is allowed, listed in its usage line. */

import type { Config } from "#config.ts";
import { UsageFault } from "./command.ts";

export interface Flag<Name extends string = string> {
  /** With its dashes: `--start`. */
  readonly name: Name;
  /** How the usage line writes a value. */
  readonly shown: string;
  /** What a value is, in words that follow "…: " and come before " is needed". */
  readonly allowed: string;
  readonly accepts?: (value: string) => boolean;
  readonly required?: boolean;
  /** For `--help`. */
  readonly meaning: string;
}

/**
 * Values by flag, out of `--name value` and `--name=value`; undefined where it was not given. Throws UsageFault for
 * unknown and repeated flags, for missing ones, and for values that are not accepted.
 */
export function readFlags<Name extends string>(
  words: readonly string[],
  flags: readonly Flag<Name>[],
): (name: Name) => string | undefined {
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = flags.find((candidate) => candidate.name === name);
    if (flag === undefined) {
      throw new UsageFault(`there is no ${name}; allowed are ${flags.map((known) => known.name).join(", ")}`);
    }
    if (values.has(name)) throw new UsageFault(`${name} is given twice`);
    if (equals < 0) at += 1;
    const value = equals < 0 ? words[at] : word.slice(equals + 1);
    if (value === undefined || value.trim() === "" || (equals < 0 && value.startsWith("--"))) {
      throw new UsageFault(`${name} has no value: ${flag.allowed} is needed`);
    }
    if (flag.accepts?.(value) === false) {
      throw new UsageFault(`${name} ${value}: ${flag.allowed} is needed`);
    }
    values.set(name, value);
  }
  const missing = flags.find(({ name, required }) => required === true && !values.has(name));
  if (missing !== undefined) throw new UsageFault(`${missing.name} is missing: ${missing.allowed} is needed`);
  return (name) => values.get(name);
}

/** The flags that must be given, as the usage line shows them. */
export function usageOf(flags: readonly Flag[]): string {
  const required = flags.filter((flag) => flag.required === true);
  const rest = required.length < flags.length ? ["[options]"] : [];
  return [...required.map(({ name, shown }) => `${name} ${shown}`), ...rest].join(" ");
}

/** Every flag with its meaning, one a line. */
export function helpOf(flags: readonly Flag[]): string {
  const left = flags.map(({ name, shown }) => `  ${name} ${shown}`);
  const width = Math.max(...left.map((text) => text.length));
  return flags.map(({ meaning }, index) => `${left[index]?.padEnd(width)}  ${meaning}`).join("\n");
}

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
