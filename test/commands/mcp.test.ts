/** `crossrate mcp` as a client starts it: the same answers as REST, on the lake alone and on a server, and nothing else on standard output. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { TOOLS } from "#mcp/server.ts";
import { openLake } from "#store/lake/lake.ts";
import { firstChange } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { environmentOf, recentDirectory } from "./lakes.ts";
import { startServe } from "./process.ts";

const ROOT = join(import.meta.dir, "..", "..");
/** A process inherits nothing but what it needs to run. */
const PLAIN = { PATH: process.env["PATH"] ?? "", HOME: "/nowhere", LOG_LEVEL: "info" };

const directory = await recentDirectory();
const server = await startServe(environmentOf(directory));

function startedBy(args: readonly string[], environment: Readonly<Record<string, string>>) {
  return {
    command: process.execPath,
    args: [join(ROOT, "src/main.ts"), "mcp", ...args],
    // An editor starts it anywhere.
    cwd: temporaryDirectory(),
    env: { ...PLAIN, ...environment },
    stderr: "ignore" as const,
  };
}

async function connected(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport(startedBy(args, environment)));
  atEnd(() => client.close());
  return client;
}

/** Questions whose answers say nothing of the moment, beside what REST answers them with. */
const SAME: readonly (readonly [tool: string, given: Record<string, unknown>, path: string])[] = [
  [
    "get_historical",
    { date: "2026-03-28", base: "EUR", symbols: ["CHF", "JPY"] },
    "/v1/2026-03-28/EUR?symbols=CHF,JPY",
  ],
  [
    "get_range",
    { base: "USD", symbols: ["EUR"], start_date: "2026-03-01", end_date: "2026-03-31" },
    "/v1/range?base=USD&symbols=EUR&start_date=2026-03-01&end_date=2026-03-31",
  ],
  ["list_currencies", {}, "/v1/currencies"],
];

describe.each([
  ["on the lake, beside a server that writes it", () => connected(["--local"], environmentOf(directory))],
  ["on a server that --url names", () => connected(["--url", server.url], {})],
])("%s", (_, connect) => {
  test("every tool is there, and answers have the digits of REST", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const [name, given, path] of SAME) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: given });
      const { timestamp: _, ...body } = await (await fetch(server.url + path)).json();
      expect([name, isError ?? false]).toEqual([name, false]);
      expect(structuredContent).toMatchObject(body);
    }
    const batch = { from: "USD", pairs: [{ to: "EUR", amount: "100" }] };
    const { structuredContent } = await client.callTool({ name: "convert_batch", arguments: batch });
    expect(structuredContent).toMatchObject({ from: "USD", conversions: [{ to: "EUR" }] });
    const refused = await client.callTool({ name: "get_rate", arguments: { pair: "usd-xyz" } });
    expect(refused.isError).toBe(true);
  });
});

test("the older line of clients calls it too, and the demo's lake is marked as simulated", async () => {
  const DATA_DIR = temporaryDirectory();
  const lake = await openLake({ directory: join(DATA_DIR, "lake"), simulated: true });
  await lake.commit(() => firstChange());
  await lake.close();
  const client = new OlderClient({ name: "test", version: "1" });
  await client.connect(new OlderTransport(startedBy([], { DATA_DIR })));
  atEnd(() => client.close());
  const { content } = await client.callTool({ name: "get_historical", arguments: { date: "2025-01-02" } });
  expect(JSON.stringify(content)).toContain("SIMULATED");
});

test("where there is no server and no lake it has past days, and does not tell a model to wait for others", async () => {
  const client = await connected(["--local"], { DATA_DIR: temporaryDirectory() });
  const day = await client.callTool({
    name: "get_historical",
    arguments: { date: "2015-01-15", base: "EUR", symbols: ["CHF"] },
  });
  expect(day.structuredContent).toMatchObject({ rates: { CHF: 1.028 }, source: "ecb_daily" });
  const { isError, structuredContent } = await client.callTool({
    name: "get_rate",
    arguments: { base: "EUR", quote: "USD" },
  });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({ message: expect.stringContaining("past days of the ECB alone") });
  expect(structuredContent).not.toHaveProperty("retry_after_seconds");
});

test("standard output has messages of the protocol only, and the process ends with its input", async () => {
  const { command, args, cwd, env } = startedBy(["--local"], environmentOf(directory));
  const child = Bun.spawn([command, ...args], { cwd, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const call = { name: "convert", arguments: { amount: "100", from: "USD", to: "JPY" } };
  for (const message of [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: call },
    { id: 3, method: "no/such/method" },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  await child.stdin.flush();
  const answers = new Map<number, { readonly result?: object; readonly error?: { readonly code: number } }>();
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of child.stdout) {
    text += decoder.decode(part, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const { jsonrpc, id, ...answer } = JSON.parse(line);
      expect(jsonrpc).toBe("2.0");
      answers.set(id, answer);
    }
    if (answers.size === 3) void child.stdin.end();
  }
  expect(text).toBe("");
  expect(await child.exited).toBe(0);
  expect(answers.get(2)?.result).toMatchObject({ structuredContent: { from: "USD", to: "JPY" } });
  expect(answers.get(3)?.error?.code).toBe(-32_601);
});

test("CROSSRATE_URL names the server, and gets the key of the environment: its refusal is the tool's, and without an answer its address", async () => {
  const refusing = listen(({ headers }) => new Response(headers.get("authorization"), { status: 401 }));
  const environment = { CROSSRATE_URL: refusing.url, CROSSRATE_API_KEY: "fxk_unknown" };
  const client = await connected([], environment);
  const call = () => client.callTool({ name: "get_latest", arguments: {} });
  const refused = await call();
  await refusing.stop();
  const unanswered = await call();
  expect([refused.isError, unanswered.isError]).toEqual([true, true]);
  expect(refused.structuredContent).toMatchObject({ status: 401 });
  expect(unanswered.structuredContent).toMatchObject({ code: "service_unavailable" });
  expect(JSON.stringify(unanswered.structuredContent)).toContain(refusing.url);
});
