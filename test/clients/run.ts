/** `bun run check:clients`: clients made from /openapi.json by the generators that people use compile, and call the demo. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startedDemo } from "#test/packages/built/step.ts";
import { atEnd } from "#test/support/at-end.ts";
import { chosenParts, runSteps, type Step } from "#test/support/steps.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { CLIENTS, type Client, madeUpNames } from "./clients.ts";
import { ask, DEMO, differences } from "./demo.ts";
import { CACHE } from "./tools.ts";

const HELP = `Usage: bun run check:clients [--only NAME]…

Generates a client from the demo's /openapi.json with each of ${CLIENTS.length} generators, compiles it, and has it call the demo.
The generators are fetched once, pinned, into node_modules/.cache/crossrate-clients, by Bun, pip, go and mvn as this machine
has them set up. Needs Node, Python 3 with venv, Go (any), Maven and Java 11.

  --only NAME   only this client, more than once for several: ${CLIENTS.map(({ name }) => name).join(", ")}
  --help        this text

The last line is "N passed, N failed": the demo counts once, each client three times, as generated, compiled and called.`;

const clients = chosenParts(CLIENTS, HELP);
const document = join(CACHE, "openapi.json");
let url = "";

const start: Step = {
  what: "the demo starts",
  isNeeded: true,
  run: async () => {
    const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: temporaryDirectory(), ...DEMO };
    const demo = await startedDemo([process.execPath, "src/main.ts"], { cwd: process.cwd(), env });
    atEnd(demo.end);
    ({ url } = demo);
    mkdirSync(CACHE, { recursive: true });
    await Bun.write(document, await (await fetch(`${url}/openapi.json`)).text());
  },
};

const stepsOf = ({ name, generate, compile, call }: Client): readonly Step[] => [
  {
    what: `${name} is generated`,
    run: async () => {
      await generate(document);
      const names = madeUpNames(name);
      if (names.length > 0) throw new Error(`unreviewed generated names: ${names.join(", ")}`);
    },
  },
  { what: `${name} is compiled`, run: compile },
  {
    what: `${name} is called`,
    run: async () => {
      const wrong = differences(await call(url), await ask(url));
      if (wrong.length > 0) throw new Error(wrong.join("\n"));
    },
  },
];

await runSteps([start, ...clients.flatMap(stepsOf)]);
