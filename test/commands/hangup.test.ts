/** A closed terminal (SIGHUP) ends every long-running command as SIGTERM does: what it holds is written, and nothing is left running. */

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { environmentOf, filledDirectory } from "./lakes.ts";

/** Takes requests and never answers. */
const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
afterAll(() => silent.stop(true));

interface Begun {
  readonly args: readonly string[];
  readonly environment: Record<string, string>;
  /** Whether the command is at its work, by what it has printed so far. */
  readonly isAtWork: (printed: string) => boolean | Promise<boolean>;
  readonly code: Readonly<Record<"SIGTERM" | "SIGHUP", number>>;
}

const CLEAN = { SIGTERM: 0, SIGHUP: 0 };
const ENDED = { SIGTERM: 143, SIGHUP: 129 };

const COMMANDS: readonly (readonly [name: string, begin: () => Begun | Promise<Begun>])[] = [
  [
    "serve",
    () => ({
      args: ["serve"],
      environment: {
        DATA_DIR: temporaryDirectory(),
        PORT: "0",
        LIVE_FEED: "off",
        UPSTREAM_BASE: silent.url.origin,
      },
      isAtWork: (printed) => printed.includes("answers on"),
      code: CLEAN,
    }),
  ],
  [
    "demo",
    () => ({
      args: ["demo"],
      environment: { DATA_DIR: temporaryDirectory(), PORT: "0", ACCESS: "open" },
      isAtWork: (printed) => /http:\/\/localhost:\d+/.test(printed),
      code: CLEAN,
    }),
  ],
  [
    "collect",
    () => {
      const DATA_DIR = temporaryDirectory();
      return {
        args: ["collect", "ecb_daily"],
        environment: { DATA_DIR, UPSTREAM_BASE: silent.url.origin },
        isAtWork: () => existsSync(join(DATA_DIR, "lake")) && silent.pendingRequests > 0,
        code: ENDED,
      };
    },
  ],
  [
    "mcp",
    async () => ({
      args: ["mcp", "--local"],
      environment: environmentOf(await filledDirectory()),
      isAtWork: (printed) => printed.includes('"id":1'),
      code: CLEAN,
    }),
  ],
];

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

for (const [name, begin] of COMMANDS) {
  test.each(["SIGHUP", "SIGTERM"] as const)(
    `${name} ends by %s`,
    async (signal) => {
      const { args, environment, isAtWork, code } = await begin();
      const child = Bun.spawn([process.execPath, "src/main.ts", ...args], {
        cwd: join(import.meta.dir, "..", ".."),
        env: {
          ...process.env,
          LOG_LEVEL: "silent",
          SHUTDOWN_DELAY_SECONDS: "0",
          ACCESS: "open",
          ...environment,
        },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore",
      });
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      child.stdin.flush();
      let printed = "";
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const part of child.stdout) printed += decoder.decode(part, { stream: true });
      })();
      while (!(await isAtWork(printed))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${printed}`);
        await Bun.sleep(20);
      }
      child.kill(signal);
      expect(await child.exited).toBe(code[signal]);
      await reading;
    },
    60_000,
  );
}

test("started with nohup, a closed terminal changes nothing", async () => {
  const child = Bun.spawn(["nohup", process.execPath, "src/main.ts", "serve"], {
    cwd: join(import.meta.dir, "..", ".."),
    env: {
      ...process.env,
      ...{ DATA_DIR: temporaryDirectory(), PORT: "0", ACCESS: "open", SHUTDOWN_DELAY_SECONDS: "0" },
      ...{ LIVE_FEED: "off", LOG_LEVEL: "silent", UPSTREAM_BASE: silent.url.origin },
    },
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const url = /http:\/\/localhost:\d+/.exec(new TextDecoder().decode(value))?.[0];
  child.kill("SIGHUP");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/status`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
}, 30_000);
