/** Two servers on one DATA_DIR: without Redis they share neither counts nor live quotes, so the second does not answer beside the first. */

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Process, runInProcess, startServe } from "./process.ts";

setDefaultTimeout(60_000);
const running: Process[] = [];
afterAll(async () => {
  for (const one of running) await one.end("SIGKILL");
});

const QUIET = { UPSTREAM_BASE: "http://127.0.0.1:9", LIVE_FEED: "off", OFFICIAL_TABLES: "off" };

function place(settings: Record<string, string> = {}) {
  return { DATA_DIR: temporaryDirectory(), ACCESS: "metered", ...QUIET, ...settings };
}

async function serve(settings: Record<string, string>): Promise<Process> {
  const one = await startServe(settings);
  running.push(one);
  return one;
}

const second = (settings: Record<string, string>) => runInProcess(["serve"], { PORT: "0", ...settings });
const healthOf = async ({ url }: Process) => (await fetch(`${url}/health`)).status;

test.each(["all", "api"])(
  "a server refuses one with ROLE=%s beside it, which names it and says what to do",
  async (role) => {
    const settings = place();
    const first = await serve({ ...settings, ROLE: "all" });
    const { code, out, err } = await second({ ...settings, ROLE: role });
    expect({ code, out, lines: err.trimEnd().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
    for (const part of [`DATA_DIR=${settings.DATA_DIR}`, `pid ${first.pid}`, "REDIS_URL", "stop"])
      expect(err).toContain(part);
    // A refused start took nothing from the first, and the next one is refused, too.
    expect(await healthOf(first)).toBe(200);
    expect((await second({ ...settings, ROLE: role })).code).toBe(1);
    expect(await first.end()).toBe(0);
  },
);

test("with open access and live quotes too: a second server would not have the first one's quotes", async () => {
  const settings = place({ ACCESS: "open", LIVE_FEED: "coinbase" });
  const first = await serve(settings);
  expect((await second(settings)).err).toContain(`pid ${first.pid}`);
  expect(await first.end()).toBe(0);
});

test("a server that was killed holds up no start", async () => {
  const settings = place();
  await (await serve(settings)).end("SIGKILL");
  const next = await serve(settings);
  expect(next.printed.err).not.toContain("waiting");
  expect(await healthOf(next)).toBe(200);
  expect(await next.end()).toBe(0);
});

test("a server that is asked to end lets the next one wait, which says so and then answers on the same port", async () => {
  const settings = place({ SHUTDOWN_DELAY_SECONDS: "3" });
  const first = await serve(settings);
  const ended = first.end("SIGTERM");
  while ((await fetch(`${first.url}/status`)).status !== 503) await Bun.sleep(20);
  const next = await serve({ ...settings, PORT: new URL(first.url).port });
  expect(await ended).toBe(0);
  expect(next.printed.err).toContain(`waiting for it, at most`);
  expect(next.printed.err).toContain(`pid ${first.pid}`);
  expect(await healthOf(next)).toBe(200);
  // It is the one that holds the directory now.
  expect((await second(settings)).err).toContain(`pid ${next.pid}`);
  expect(await next.end()).toBe(0);
});

test.each([
  ["a collector, which counts nothing", { ROLE: "all" }, { ROLE: "collector" }],
  ["a server that shares Redis", { REDIS_URL: "redis://127.0.0.1:9" }, { REDIS_URL: "redis://127.0.0.1:9" }],
  ["a server that has nothing to share", { ACCESS: "open", ROLE: "all" }, { ACCESS: "open", ROLE: "api" }],
])("%s may run beside another", async (_, one: Record<string, string>, other: Record<string, string>) => {
  const settings = place();
  const both = [await serve({ ...settings, ...one }), await serve({ ...settings, ...other })];
  expect(await Promise.all(both.map(healthOf))).toEqual([200, 200]);
  expect(await Promise.all(both.map((process) => process.end()))).toEqual([0, 0]);
});

test("commands work on the directory of a server", async () => {
  const settings = place();
  const server = await serve(settings);
  const commands = [
    ["accounts", "list"],
    ["accounts", "create-admin", "ada@example.org"],
    ["held"],
    ["admin", "keys", "rewrap"],
  ];
  for (const words of commands)
    expect({ words, ...(await runInProcess(words, settings)) }).toMatchObject({ code: 0 });
  expect((await runInProcess(["collect"], settings)).err).not.toContain("REDIS_URL");
  expect(await server.end()).toBe(0);
});
