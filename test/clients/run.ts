/** `bun run check:clients`: clients made from /openapi.json by the generators that people use compile, and call the demo. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CLIENTS, type Client, madeUpNames } from "./clients.ts";
import { ask, differences, withDemo } from "./demo.ts";
import { CACHE } from "./tools.ts";

const NAMES = CLIENTS.map(({ name }) => name);
const HELP = `Usage: bun run check:clients [--only NAME]…

Generates a client from the demo's /openapi.json with each of ${NAMES.length} generators, compiles it, and has it call the demo.
The generators are fetched once, pinned, into node_modules/.cache/crossrate-clients, by Bun, pip, go and mvn as this machine
has them set up. Needs Node, Python 3 with venv, Go (any), Maven and Java 11.

  --only NAME   only this client, more than once for several: ${NAMES.join(", ")}
  --help        this text

The last line is "N passed, N failed": each client counts three times, as generated, compiled and called.`;

interface Tally {
  passed: number;
  failed: number;
}

/** One client: after a failure what follows from it fails too. */
async function check(client: Client, url: string, document: string): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const steps: [what: string, run: () => Promise<void>][] = [
    [
      "generated",
      async () => {
        await client.generate(document);
        const names = madeUpNames(client.name);
        if (names.length > 0) throw new Error(`unreviewed generated names: ${names.join(", ")}`);
      },
    ],
    ["compiled", client.compile],
    [
      "called",
      async () => {
        const wrong = differences(await client.call(url), await ask(url));
        if (wrong.length > 0) throw new Error(wrong.join("\n"));
      },
    ],
  ];
  const begun = performance.now();
  for (const [what, run] of steps) {
    try {
      await run();
      tally.passed += 1;
    } catch (fault) {
      tally.failed = steps.length - tally.passed;
      console.log(`FAILED ${client.name} is not ${what}:\n${fault instanceof Error ? fault.message : fault}`);
      break;
    }
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (tally.failed === 0) console.log(`ok     ${client.name.padEnd(36)}${seconds.padStart(6)} s`);
  return tally;
}

async function runAll(chosen: readonly Client[]): Promise<Tally> {
  const sum: Tally = { passed: 0, failed: 0 };
  await withDemo(async (url) => {
    const document = join(CACHE, "openapi.json");
    await mkdir(CACHE, { recursive: true });
    await Bun.write(document, await (await fetch(`${url}/openapi.json`)).text());
    for (const client of chosen) {
      const { passed, failed } = await check(client, url, document);
      sum.passed += passed;
      sum.failed += failed;
    }
  });
  return sum;
}

/** The requested clients; exits with the help text, or with status 2 when the arguments make no sense. */
function choose(args: readonly string[]): readonly Client[] {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: "boolean", short: "h" }, only: { type: "string", multiple: true } },
    });
    if (values.help === true) {
      console.log(HELP);
      process.exit(0);
    }
    const only = values.only ?? NAMES;
    const unknown = only.filter((name) => !NAMES.includes(name));
    if (unknown.length > 0) throw new Error(`no such client: ${unknown.join(", ")}`);
    return CLIENTS.filter(({ name }) => only.includes(name));
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${HELP}`);
    process.exit(2);
  }
}

const chosen = choose(process.argv.slice(2));
let tally: Tally = { passed: 0, failed: 3 * chosen.length };
try {
  tally = await runAll(chosen);
} catch (fault) {
  console.log(`FAILED ${fault instanceof Error ? fault.message : fault}`);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
