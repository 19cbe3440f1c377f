/** `bun run check`: every step, one line each; the output of what failed; and `N passed, N failed` as the last line. */

import { parseArgs } from "node:util";
import { type Outcome, STEPS, type Step } from "./check-steps.ts";
import { readFailures } from "./check-tally.ts";

const HELP = `usage: bun run check [--only <step>] [--help]

Steps, in order:
${STEPS.map(({ name, purpose }) => `  ${name.padEnd(8)}${purpose}`).join("\n")}

The last line is "N passed, N failed": every test counts as one, and so does every other step.
With CI=true a skipped test counts as failed. Exit status: 0 when nothing failed, else 1.`;

const steps = chooseSteps(process.argv.slice(2));
process.exitCode = (await runAll(steps, process.env["CI"] === "true")) ? 0 : 1;

/** The chosen steps; exits with the help text, or with status 2 when the arguments make no sense. */
function chooseSteps(args: readonly string[]): readonly Step[] {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: "boolean", short: "h" }, only: { type: "string", multiple: true } },
    });
    if (values.help === true) {
      console.log(HELP);
      process.exit(0);
    }
    const only = values.only ?? STEPS.map(({ name }) => name);
    const unknown = only.filter((name) => !STEPS.some((step) => step.name === name));
    if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(", ")}`);
    return STEPS.filter(({ name }) => only.includes(name));
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${HELP}`);
    process.exit(2);
  }
}

/** Runs the steps one after the other, all of them even when one fails; resolves with whether nothing failed. */
async function runAll(chosen: readonly Step[], strict: boolean): Promise<boolean> {
  const started = performance.now();
  const outcomes: Outcome[] = [];
  for (const step of chosen) {
    const begun = performance.now();
    const outcome = await step.run(strict);
    outcomes.push(outcome);
    console.log(progress(step, outcome, performance.now() - begun));
    if (outcome.tally.failed > 0) console.log(`${outcome.output.trimEnd()}\n`);
  }
  const sum = (key: "passed" | "failed" | "skipped") =>
    outcomes.reduce((total, { tally }) => total + tally[key], 0);
  // Again, because the whole output is long and some logs keep its end alone.
  for (const failure of outcomes.flatMap(({ output }) => readFailures(output))) console.log(`\n${failure}`);
  for (const reason of new Set(outcomes.flatMap(({ reasons }) => reasons))) {
    console.log(`SKIPPED: ${reason}`);
  }
  console.log(`checked in ${seconds(performance.now() - started)}`);
  const skipped = sum("skipped");
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return sum("failed") === 0;
}

function progress({ name, purpose }: Step, { tally }: Outcome, milliseconds: number): string {
  const mark = tally.failed > 0 ? "FAILED" : "ok";
  const counts = name === "tests" ? ` ${tally.passed} passed, ${tally.failed} failed` : "";
  return `${mark.padEnd(7)}${name.padEnd(8)}${seconds(milliseconds).padStart(7)}  ${purpose}${counts}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
