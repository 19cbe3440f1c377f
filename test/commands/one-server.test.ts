/** Two servers on one DATA_DIR: without Redis they share neither counts nor live quotes, so the second does not answer beside the first. */

import { expect, test } from "bun:test";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectRefusedInOneLine, type Process, runInProcess, startServe } from "./process.ts";

const settings = {
  ...{ DATA_DIR: temporaryDirectory(), ACCESS: "metered", SHUTDOWN_DELAY_SECONDS: "3" },
  ...{ UPSTREAM_BASE: "http://127.0.0.1:9", LIVE_FEED: "off", OFFICIAL_TABLES: "off" },
};

const serve = (more: Record<string, string> = {}) => startServe({ ...settings, ...more });

const second = (more: Record<string, string> = {}) =>
  runInProcess(["serve"], { PORT: "0", ...settings, ...more });
const healthOf = async ({ url }: Process) => (await fetch(`${url}/health`)).status;

const first = await serve();

test.each(["all", "api"])(
  "a server refuses one with ROLE=%s beside it, which names it and says what to do",
  async (ROLE) => {
    const named = [`DATA_DIR=${settings.DATA_DIR}`, `pid ${first.pid}`, "REDIS_URL", "stop"];
    expectRefusedInOneLine(await second({ ROLE }), "crossrate serve: ", ...named);
    // A refused start took nothing from the first, and the next one is refused, too.
    expect(await healthOf(first)).toBe(200);
    expect((await second({ ROLE })).code).toBe(1);
  },
);

test("a server with Redis is refused beside one without, and one without beside those with it, which start beside each other", async () => {
  const shared = { DATA_DIR: temporaryDirectory(), REDIS_URL: "redis://127.0.0.1:9", REPLICAS: "2" };
  expect((await second({ ...shared, DATA_DIR: settings.DATA_DIR })).err).toContain(`pid ${first.pid}`);
  const replicas = [await serve(shared), await serve({ ...shared, ROLE: "api" })];
  const { code, err } = await second({ DATA_DIR: shared.DATA_DIR });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("set REDIS_URL for both") });
  for (const one of replicas) await one.end("SIGKILL");
  const alone = await serve({ DATA_DIR: shared.DATA_DIR });
  expect(await alone.end()).toBe(0);
});

test("commands work on the directory of a server", async () => {
  const commands = [
    ["accounts", "list"],
    ["accounts", "create-admin", "ada@example.org"],
    ["held"],
    ["admin", "keys", "rewrap"],
  ];
  for (const words of commands)
    expect({ words, ...(await runInProcess(words, settings)) }).toMatchObject({ code: 0 });
  expect((await runInProcess(["collect"], settings)).err).not.toContain("REDIS_URL");
});

test("one that was killed holds up no start; one that ends lets the next wait, which says so and answers on the same port", async () => {
  await first.end("SIGKILL");
  // Longer than a start takes on a machine that does much else.
  const ending = await serve({ SHUTDOWN_DELAY_SECONDS: "8" });
  expect(ending.printed.err).not.toContain("waiting");
  expect(await healthOf(ending)).toBe(200);
  const ended = ending.end("SIGTERM");
  while ((await fetch(`${ending.url}/status`)).status !== 503) await Bun.sleep(20);
  const next = await serve({ PORT: new URL(ending.url).port, SHUTDOWN_DELAY_SECONDS: "0" });
  expect(await ended).toBe(0);
  expect(next.printed.err).toContain(`waiting for it, at most`);
  expect(next.printed.err).toContain(`pid ${ending.pid}`);
  expect(await healthOf(next)).toBe(200);
  // It is the one that holds the directory now.
  expect((await second()).err).toContain(`pid ${next.pid}`);
  expect(await next.end()).toBe(0);
});
