/** The steps of a check that is run apart, and the words that choose among them. */

import { parseArgs } from "node:util";
import { endAll } from "./at-end.ts";

export interface Step {
  readonly what: string;
  /** Resolves with a text of figures for people, if any; rejects with the reason. */
  run(): Promise<unknown>;
  /** After its failure the steps behind it count as failed, and are not run. */
  readonly isNeeded?: true;
}

/** Runs all steps, prints a line for each and the sum; the exit code is 1 when one failed. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  let passed = 0;
  for (const { what, run, isNeeded } of steps) {
    const begun = performance.now();
    try {
      const figures = await run();
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      passed += 1;
      console.log(`ok     ${seconds.padStart(7)}  ${what}${figures ? `: ${figures}` : ""}`);
    } catch (fault) {
      console.log(`FAILED ${what}:\n${fault instanceof Error ? fault.message : fault}`);
      if (isNeeded) break;
    }
  }
  await endAll();
  console.log(`${passed} passed, ${steps.length - passed} failed`);
  process.exitCode = passed === steps.length ? 0 : 1;
}

/** The parts that `--only` names, all without it; exits with the help text, or with status 2 when the arguments make no sense. */
export function chosenParts<Part extends { readonly name: string }>(
  parts: readonly Part[],
  help: string,
): readonly Part[] {
  try {
    const { values } = parseArgs({
      options: { help: { type: "boolean", short: "h" }, only: { type: "string", multiple: true } },
    });
    if (values.help === true) {
      console.log(help);
      process.exit(0);
    }
    const { only = parts.map(({ name }) => name) } = values;
    const unknown = only.filter((chosen) => !parts.some(({ name }) => name === chosen));
    if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(", ")}`);
    return parts.filter(({ name }) => only.includes(name));
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${help}`);
    process.exit(2);
  }
}
