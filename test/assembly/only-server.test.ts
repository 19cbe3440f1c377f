/** Who may answer beside another server of a directory; the wait for one that is ending has a bound, and ends as soon as that one has. */

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { becomeOnlyServer } from "#assembly/process.ts";
import { readConfig } from "#config.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a server that ends makes room; one that does not end is named after half a minute", async () => {
  const config = readConfig({ DATA_DIR: temporaryDirectory() });
  const said: string[] = [];
  let slept = 0;
  let whenAsleep = async () => {};
  const start = () =>
    becomeOnlyServer(config, {
      say: (line) => said.push(line),
      sleep: async (milliseconds) => {
        slept += milliseconds;
        await whenAsleep();
      },
    });

  const first = await start();
  await expect(start()).rejects.toThrow(`pid ${process.pid} on`);
  expect({ said, slept }).toEqual({ said: [], slept: 0 });

  first.leave();
  await expect(start()).rejects.toThrow("set REDIS_URL");
  expect(Math.round(slept / 1000)).toBe(30);
  expect(said).toHaveLength(1);

  whenAsleep = first.release;
  const second = await start();
  expect(said).toHaveLength(2);
  await second.release();
});

test("a server with Redis needs no lock where the directory cannot have one", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, ".server.sqlite"));
  const settings = { DATA_DIR: directory, ACCESS: "metered", LIVE_FEED: "off" };
  const start = (more: Record<string, string>) =>
    becomeOnlyServer(readConfig({ ...settings, ...more }), { say: () => {} });
  await (await start({ REDIS_URL: "redis://127.0.0.1:9" })).release();
  await expect(start({})).rejects.toThrow();
});

const METERED = { ACCESS: "metered", LIVE_FEED: "off" };
const NOTHING_TO_SHARE = { ACCESS: "open", LIVE_FEED: "off" };
const LIVE = { ACCESS: "open", LIVE_FEED: "coinbase" };

test.each([
  ["has live quotes, which a second one would not have", LIVE, LIVE, false],
  ["is joined by a collector, which counts nothing", METERED, { ...METERED, ROLE: "collector" }, true],
  ["has nothing to share", NOTHING_TO_SHARE, { ...NOTHING_TO_SHARE, ROLE: "api" }, true],
])("beside a server that %s: %j, then %j is taken: %p", async (_, one, other, isTaken) => {
  const DATA_DIR = temporaryDirectory();
  const start = async (settings: Readonly<Record<string, string>>) =>
    await becomeOnlyServer(readConfig({ DATA_DIR, ...settings }), { say: () => {} });
  const first = await start(one);
  const second = await start(other).catch((fault: Error) => fault.message);
  if (isTaken) expect(second).not.toBeString();
  else expect(second).toContain(`pid ${process.pid}`);
  await first.release();
});
