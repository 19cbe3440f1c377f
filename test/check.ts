/** `bun run check`: every step, one line each; the output of what failed; and `N passed, N failed` as the last line. */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Outcome, STEPS, type Step } from "./check-steps.ts";
import { readFailures } from "./check-tally.ts";

const HELP = `usage: bun run check [--only <step>] [--help] [<file or folder of tests>…]

While you work: bun run check --only tests test/api

Steps, in order:
${STEPS.map(({ name, purpose }) => `  ${name.padEnd(8)}${purpose}`).join("\n")}

The last line is "N passed, N failed": every test counts as one, and so does every other step.
With CI=true a skipped test counts as failed. Exit status: 0 when nothing failed, else 1.`;

const { steps, paths } = chosenBy(process.argv.slice(2));
process.exitCode = (await runAll()) ? 0 : 1;

/** The chosen steps and tests; exits with the help text, or with status 2 when the arguments make no sense. */
function chosenBy(args: readonly string[]): { steps: readonly Step[]; paths: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, only: { type: "string", multiple: true } },
    });
    if (values.help === true) {
      console.log(HELP);
      process.exit(0);
    }
    const only = values.only ?? STEPS.filter(({ isApart }) => isApart !== true).map(({ name }) => name);
    const unknown = only.filter((name) => !STEPS.some((step) => step.name === name));
    if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(", ")}`);
    const missing = positionals.filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`no such file or folder: ${missing.join(", ")}`);
    return { steps: STEPS.filter(({ name }) => only.includes(name)), paths: positionals };
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${HELP}`);
    process.exit(2);
  }
}

/** Runs all steps even when one fails, the tests last; resolves with whether nothing failed. */
async function runAll(): Promise<boolean> {
  const isStrict = process.env["CI"] === "true";
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const run = async (step: Step) => {
    const begun = performance.now();
    const outcome = await step.run(isStrict, paths);
    outcomes.push(outcome);
    console.log(progress(step, outcome, performance.now() - begun));
    if (outcome.tally.failed > 0) console.log(`${outcome.output.trimEnd()}\n`);
  };
  await Promise.all(steps.filter(({ runsTests }) => runsTests !== true).map(run));
  for (const step of steps) if (step.runsTests === true) await run(step);
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

function progress({ name, purpose, runsTests }: Step, { tally }: Outcome, milliseconds: number): string {
  const mark = tally.failed > 0 ? "FAILED" : "ok";
  const counts = runsTests === true ? `: ${tally.passed} passed, ${tally.failed} failed` : "";
  return `${mark.padEnd(7)}${name.padEnd(8)}${seconds(milliseconds).padStart(7)}  ${purpose}${counts}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
