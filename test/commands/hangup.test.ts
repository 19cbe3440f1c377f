/** A closed terminal (SIGHUP) ends a command as SIGTERM does: what it holds is written, and nothing is left running. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startCommand, until } from "./process.ts";

/** Takes requests and never answers. */
const silent = listen(() => new Promise<Response>(() => {}));

// SIGTERM takes the same path, which the other tests end by. A server ends by itself, any other command by the signal of its context.
test.each([
  ["serve", ["serve"], 0],
  ["collect", ["collect", "ecb_daily"], 129],
] as const)("%s ends by SIGHUP", async (name, args, code) => {
  const DATA_DIR = temporaryDirectory();
  const settings = { DATA_DIR, PORT: "0", LIVE_FEED: "off", UPSTREAM_BASE: silent.url };
  const command = startCommand(args, settings);
  const isCollecting = () => existsSync(join(DATA_DIR, "lake")) && silent.pending() > 0;
  await until(
    async () => (name === "serve" ? command.printed.out.includes("answers on") : isCollecting()),
    (isAtWork) => isAtWork,
  );
  expect(await command.end("SIGHUP")).toBe(code);
});

test("started with nohup, a closed terminal changes nothing", async () => {
  const settings = { DATA_DIR: temporaryDirectory(), LIVE_FEED: "off" };
  const command = startCommand(["serve"], { ...settings, UPSTREAM_BASE: silent.url }, ["nohup"]);
  const [url] = await command.until("out", /http:\/\/localhost:\d+/);
  process.kill(command.pid, "SIGHUP");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/status`)).status).toBe(200);
  expect(await command.end()).toBe(0);
});
