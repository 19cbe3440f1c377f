/** docs/mcp.md and server.json are true: every set-up connects, every tool, resource and prompt is there, every figure is the code's. */

import { describe, expect, test } from "bun:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { commandIn } from "#cli/completion.ts";
import { SETTINGS } from "#config.ts";
import { PROMPTS } from "#mcp/prompts.ts";
import { TEMPLATES } from "#mcp/resources.ts";
import { TOOLS } from "#mcp/server.ts";
import { wholeProgram } from "#packaging/generate-commands.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { run } from "#test/clients/process.ts";
import { connect } from "#test/mcp/clients.ts";
import { listen } from "#test/support/listen.ts";
import { codeBlocks, ROOT, readDocument } from "./document.ts";

const page = await readDocument("docs/mcp.md");
const mcp = commandIn(wholeProgram(), ["mcp"]);
const { url } = listen(sampleApp().answer);

const blocks = (of: string) =>
  codeBlocks(page).flatMap(({ language, content }) => (language === of ? [content] : []));

const DOCUMENTED_URL = "http://localhost:3000";
const VARIABLES = new Set(["CROSSRATE_URL", "CROSSRATE_API_KEY", ...Object.keys(SETTINGS.properties)]);

interface Entry {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

const configurations = blocks("json").map(
  (text) => JSON.parse(text) as { mcpServers?: Record<string, Entry>; servers?: Record<string, Entry> },
);
const entries = configurations.flatMap(({ mcpServers, servers }) =>
  Object.values(mcpServers ?? servers ?? {}),
);

/** A process is the command of the product, with flags and variables that exist. */
function expectCommand({ command, args = [], env = {} }: Entry): void {
  expect([command, args[0]]).toEqual(["crossrate", mcp.name()]);
  const flags = mcp.options.map(({ long }) => long);
  for (const flag of args.filter((word) => word.startsWith("--"))) expect(flags).toContain(flag);
  for (const name of Object.keys(env)) expect(VARIABLES).toContain(name);
}

describe("docs/mcp.md", () => {
  test("has a configuration for each client that connects, or names the command", async () => {
    expect(entries.length).toBe(5);
    for (const entry of entries) {
      if (entry.url === undefined) {
        expectCommand(entry);
        continue;
      }
      expect(entry.url).toBe(`${DOCUMENTED_URL}/v1/mcp/`);
      for (const [name, value] of Object.entries(entry.headers ?? {}))
        expect(`${name}: ${value}`).toMatch(/^Authorization: Bearer (fxk_…|\$\{input:crossrate-key\})$/);
      const client = await connect("npm 1.x", entry.url.replace(DOCUMENTED_URL, url));
      expect((await client.tools()).length).toBe(TOOLS.length);
    }
  });

  test("has a command for Claude Code with the same address and header", () => {
    const [command = ""] = blocks("sh");
    expect(command).toMatch(
      /^claude mcp add --transport http crossrate http:\/\/localhost:3000\/v1\/mcp\/ --header "Authorization: Bearer fxk_…"$/m,
    );
  });

  test("shows a call by hand that is answered", async () => {
    const [, command = ""] = blocks("sh");
    const answer = JSON.parse(await run(["sh", "-c", command.replace(DOCUMENTED_URL, url)]));
    expect(answer.result.structuredContent).toMatchObject({
      from: "USD",
      to: "EUR",
      amount: 100,
      result: "success",
    });
  });

  test("lists every tool, resource and prompt", () => {
    const listed = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name = ""]) => name);
    expect(listed).toEqual(TOOLS.map(({ name }) => name));
    for (const { name } of PROMPTS) expect(page).toContain(`\`${name}\``);
    for (const { uriTemplate } of TEMPLATES) expect(page).toContain(`\`${uriTemplate}\``);
  });

  test("names the revisions that the SDK serves", () => {
    const handshaking = [...SUPPORTED_PROTOCOL_VERSIONS].sort();
    expect(page).toContain(`from ${handshaking[0]} to ${handshaking.at(-1)}`);
  });
});

test("server.json describes the npm package of this version, in the form that registries take", async () => {
  const described = await Bun.file(`${ROOT}/server.json`).json();
  const { version, name } = await Bun.file(`${ROOT}/package.json`).json();
  expect(described.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(described.description.length).toBeLessThanOrEqual(100);
  expect([described.version, described.packages[0].version]).toEqual([version, version]);
  const [npm] = described.packages;
  expect(npm).toMatchObject({ registryType: "npm", identifier: name, transport: { type: "stdio" } });
  expectCommand({ command: name, args: npm.packageArguments.map(({ value }: { value: string }) => value) });
  for (const variable of npm.environmentVariables) expect(VARIABLES).toContain(variable.name);
});
