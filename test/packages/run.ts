/** `bun run check:packages`: the packages are made, and each starts as on a machine that has nothing of this repository. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BINARY_STEPS } from "./built/binary.ts";
import { BRIDGE_STEPS } from "./built/bridge.ts";
import { MADE_STEPS } from "./built/made.ts";
import { NPX_STEPS } from "./built/npx.ts";
import type { Step } from "./built/step.ts";

const PARTS: Readonly<Record<string, readonly Step[]>> = {
  made: MADE_STEPS,
  binary: BINARY_STEPS,
  npx: NPX_STEPS,
  bridge: BRIDGE_STEPS,
};

const HELP = `usage: bun run check:packages [--only <part>] [--help]

Parts, in order; the others need what "made" makes into dist/:
${Object.entries(PARTS)
  .map(([name, steps]) => steps.map(({ what }) => `  ${name.padEnd(8)}${what}`).join("\n"))
  .join("\n")}

npx fetches the dependencies of the npm package once, and one bridge of another project. The last line is "N passed, N failed".`;

const steps = chooseSteps(process.argv.slice(2));

let passed = 0;
let failed = 0;
const folder = await mkdtemp(join(tmpdir(), "crossrate-packages-"));
try {
  for (const { what, run } of steps) {
    const begun = performance.now();
    try {
      const figures = await run(folder);
      passed += 1;
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      console.log(`ok     ${seconds.padStart(7)}  ${what}${figures === "" ? "" : `: ${figures}`}`);
    } catch (fault) {
      failed += 1;
      console.log(`FAILED ${what}:\n${fault instanceof Error ? fault.message : fault}`);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The requested steps; exits with the help text, or with status 2 when the arguments make no sense. */
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
    return (values.only ?? Object.keys(PARTS)).flatMap((name) => {
      const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
      if (part === undefined) throw new Error(`no such part: ${name}`);
      return part;
    });
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${HELP}`);
    process.exit(2);
  }
}
