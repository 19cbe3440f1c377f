/** A closed terminal (SIGHUP) ends every long-running command as SIGTERM does: what it holds is written, and nothing is left running. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startCommand, until } from "./process.ts";

/** Takes requests and never answers. */
const silent = listen(() => new Promise<Response>(() => {}));

interface Begun {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  /** Whether the command is at its work, by what it has printed so far. */
  readonly isAtWork: (printed: string) => boolean;
  readonly code: number;
}

const COMMANDS: readonly (readonly [name: string, begin: () => Begun])[] = [
  [
    "serve",
    () => ({
      args: ["serve"],
      environment: {
        DATA_DIR: temporaryDirectory(),
        PORT: "0",
        LIVE_FEED: "off",
        UPSTREAM_BASE: silent.url,
      },
      isAtWork: (printed) => printed.includes("answers on"),
      code: 0,
    }),
  ],
  [
    "demo",
    () => ({
      args: ["demo"],
      // A short history is soon read.
      environment: { DATA_DIR: temporaryDirectory(), ACCESS: "open", NOW: "1999-06-15T14:30:00Z" },
      isAtWork: (printed) => /http:\/\/localhost:\d+/.test(printed),
      code: 0,
    }),
  ],
  [
    "collect",
    () => {
      const DATA_DIR = temporaryDirectory();
      return {
        args: ["collect", "ecb_daily"],
        environment: { DATA_DIR, UPSTREAM_BASE: silent.url },
        isAtWork: () => existsSync(join(DATA_DIR, "lake")) && silent.pending() > 0,
        code: 129,
      };
    },
  ],
  [
    "mcp",
    () => ({
      args: ["mcp", "--url", silent.url],
      environment: {},
      isAtWork: (printed) => printed.includes('"id":1'),
      code: 0,
    }),
  ],
];

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

// SIGTERM takes the same path, which the other tests of serve end by.
test.each(COMMANDS)(
  "%s ends by SIGHUP",
  async (_, begin) => {
    const { args, environment, isAtWork, code } = begin();
    const command = startCommand(args, environment);
    command.send(`${JSON.stringify(INITIALIZE)}\n`);
    await until(
      async () => isAtWork(command.printed.out),
      (isReady) => isReady,
    );
    expect(await command.end("SIGHUP")).toBe(code);
  },
  60_000,
);

test("started with nohup, a closed terminal changes nothing", async () => {
  const settings = { DATA_DIR: temporaryDirectory(), LIVE_FEED: "off" };
  const command = startCommand(["serve"], { ...settings, UPSTREAM_BASE: silent.url }, ["nohup"]);
  const [url] = await command.until("out", /http:\/\/localhost:\d+/);
  process.kill(command.pid, "SIGHUP");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/status`)).status).toBe(200);
  expect(await command.end()).toBe(0);
}, 30_000);
