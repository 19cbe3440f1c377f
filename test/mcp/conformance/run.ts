/**
 * `bun run check:mcp`: the protocol's own conformance suite on the product. The suite is fetched once, pinned, into
 * node_modules/.cache; it needs Node 22, which it brings.
 */

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sampleApp } from "#test/api/sample-world.ts";
import { ended } from "#test/clients/process.ts";

const CACHE = resolve("node_modules/.cache/crossrate-mcp-conformance");
const PACKAGES = ["node@22.23.3", "@modelcontextprotocol/conformance@0.1.16"];

const RUN = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

/** Names of scenarios that call tools, prompts and resources of the suite's own, which no product has. */
const OF_ITS_OWN =
  /^(completion-complete|json-schema-2020-12|resources-(read-\w+|templates-read)|prompts-get-.+|tools-call-(simple-text|image|audio|embedded-resource|mixed-content|error))$/;

const NO_STREAM = "needs messages to the client during a call: every answer here is one JSON body";
const NO_SESSION = "needs a session: this server has none";

/** What is not offered, with the reason; docs/mcp.md says the same. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "logging-set-level": NO_SESSION,
  "tools-call-with-logging": NO_STREAM,
  "tools-call-with-progress": NO_STREAM,
  "tools-call-sampling": NO_STREAM,
  "tools-call-elicitation": NO_STREAM,
  "elicitation-sep1034-defaults": NO_STREAM,
  "elicitation-sep1330-enums": NO_STREAM,
  "server-sse-polling": NO_STREAM,
  "server-sse-multiple-streams": NO_STREAM,
  "resources-subscribe": NO_SESSION,
  "resources-unsubscribe": NO_SESSION,
};

async function run(command: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { code, out, err } = await ended(command, { cwd: CACHE });
  return { code, output: out + err };
}

async function install(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const manifest = Bun.file(join(CACHE, "package.json"));
  if (!(await manifest.exists())) await Bun.write(manifest, '{"private":true}');
  const wanted = [
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--save-exact",
    "--prefer-offline",
    ...PACKAGES,
  ];
  const { code, output } = await run(wanted);
  if (code !== 0) throw new Error(`the conformance suite cannot be installed:\n${output}`);
}

const NODE = "node_modules/.bin/node";
const SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/** Every scenario that the suite has is run or left out for a reason. */
async function unheardOf(): Promise<readonly string[]> {
  const { output } = await run([NODE, SUITE, "list", "--server"]);
  const names = [...output.matchAll(/^ +- ([\w-]+)/gm)].map(([, name]) => name as string);
  if (names.length === 0) throw new Error(`the suite lists no scenarios:\n${output}`);
  const known = new Set([...RUN, ...Object.keys(LEFT_OUT)]);
  return names.filter((name) => !known.has(name) && !OF_ITS_OWN.test(name));
}

await install();
const failures: string[] = [];
for (const name of await unheardOf()) {
  failures.push(name);
  console.log(`FAILED ${name} is a scenario that is neither run nor left out`);
}
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: sampleApp().answer });
for (const scenario of RUN) {
  const url = `http://127.0.0.1:${server.port}/v1/mcp/`;
  const { code, output } = await run([NODE, SUITE, "server", "--url", url, "--scenario", scenario]);
  const [, passed = "0"] = /Passed: (\d+)\/\d+/.exec(output) ?? [];
  const isGood = code === 0 && Number(passed) > 0;
  console.log(`${isGood ? "ok     " : "FAILED "}${scenario}${isGood ? "" : `\n${output}`}`);
  if (!isGood) failures.push(scenario);
}
await server.stop(true);
for (const [name, reason] of Object.entries(LEFT_OUT)) console.log(`left out ${name}: ${reason}`);
console.log(`${RUN.filter((name) => !failures.includes(name)).length} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
