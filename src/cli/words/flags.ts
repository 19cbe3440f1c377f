/** The words of a command as data: operands and flags, refused by name with what is allowed, and listed in its help. */

import { type Flag, UsageFault } from "#cli/command.ts";

export interface ReadWords<Name extends string> {
  /** The words that are neither flags nor their values. */
  readonly operands: readonly string[];
  /** The value of a flag, "" of one that has none; undefined where it was not given. */
  flag(name: Name): string | undefined;
  has(name: Name): boolean;
}

/**
 * Reads `--name value`, `--name=value`, flags without a value, and at most `mostOperands` other words. A word such as -5 is
 * no flag, and after `--` none is. Throws UsageFault for unknown and repeated flags, for missing ones, for values that are
 * not accepted, and for too many words.
 */
export function readWords<Name extends string>(
  words: readonly string[],
  flags: readonly Flag<Name>[],
  mostOperands: number,
): ReadWords<Name> {
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--" && mostOperands > 0) {
      operands.push(...words.slice(at + 1));
      break;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const given = equals < 0 ? word : word.slice(0, equals);
    const flag = flags.find(({ name, short }) => name === given || short === given);
    if (flag === undefined) {
      if (mostOperands > 0 && !/^-\D/.test(word)) {
        operands.push(word);
        continue;
      }
      throw new UsageFault(`there is no ${given}; ${allowedFlags(flags)}`);
    }
    const { name, allowed } = flag;
    if (values.has(name)) throw new UsageFault(`${name} is given twice`);
    if (flag.shown === undefined) {
      if (equals >= 0) throw new UsageFault(`${name} takes no value`);
      values.set(name, "");
      continue;
    }
    if (equals < 0) at += 1;
    const value = equals < 0 ? words[at] : word.slice(equals + 1);
    if (value === undefined || value.trim() === "" || (equals < 0 && value.startsWith("--"))) {
      throw new UsageFault(`${name} has no value: ${allowed} is needed`);
    }
    if (flag.accepts?.(value) === false) throw new UsageFault(`${name} ${value}: ${allowed} is needed`);
    values.set(name, value);
  }
  const tooMuch = operands[mostOperands];
  if (tooMuch !== undefined) throw new UsageFault(`${tooMuch} is an unexpected argument`);
  const missing = flags.find(({ name, required }) => required === true && !values.has(name));
  if (missing !== undefined) throw new UsageFault(`${missing.name} is missing: ${missing.allowed} is needed`);
  return { operands, flag: (name) => values.get(name), has: (name) => values.has(name) };
}

function allowedFlags(flags: readonly Flag[]): string {
  return flags.length === 0 ? "it has no flags" : `allowed are ${flags.map(({ name }) => name).join(", ")}`;
}

/** The flags that must be given, as the usage line shows them. */
export function usageOf(flags: readonly Flag[]): string {
  const required = flags.filter((flag) => flag.required === true);
  const rest = required.length < flags.length ? ["[options]"] : [];
  return [...required.map(({ name, shown }) => `${name} ${shown}`), ...rest].join(" ");
}

/** Every flag with its meaning, one a line. */
export function helpOf(flags: readonly Flag[]): string {
  const left = flags.map(({ name, short, shown }) =>
    [`  ${short === undefined ? "" : `${short}, `}${name}`, shown ?? ""].join(" ").trimEnd(),
  );
  const width = Math.max(...left.map((text) => text.length));
  return flags.map(({ meaning }, index) => `${left[index]?.padEnd(width)}  ${meaning}`).join("\n");
}

/** A flag whose value is one of some words. */
export function choiceFlag<Name extends string>(
  name: Name,
  values: readonly string[],
  meaning: string,
): Flag<Name> {
  return {
    name,
    meaning,
    shown: values.join("|"),
    allowed: `one of ${values.join(", ")}`,
    choices: values,
    accepts: (text) => values.includes(text),
  };
}
