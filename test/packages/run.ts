/** `bun run check:packages`: the packages are made, and each starts as on a machine that has nothing of this repository. */

import { chosenParts, runSteps } from "#test/support/steps.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { BINARY_STEPS } from "./built/binary.ts";
import { BRIDGE_STEPS } from "./built/bridge.ts";
import { MADE_STEPS } from "./built/made.ts";
import { NPX_STEPS } from "./built/npx.ts";

const PARTS = [
  { name: "made", steps: MADE_STEPS },
  { name: "binary", steps: BINARY_STEPS },
  { name: "npx", steps: NPX_STEPS },
  { name: "bridge", steps: BRIDGE_STEPS },
];

const HELP = `usage: bun run check:packages [--only <part>] [--help]

Parts, in order; the others need what "made" makes into dist/:
${PARTS.flatMap(({ name, steps }) => steps.map(({ what }) => `  ${name.padEnd(8)}${what}`)).join("\n")}

npx fetches the dependencies of the npm package once, and one bridge of another project. The last line is "N passed, N failed".`;

const folder = temporaryDirectory();
const steps = chosenParts(PARTS, HELP).flatMap((part) => part.steps);
await runSteps(steps.map(({ what, run }) => ({ what, run: () => run(folder) })));
