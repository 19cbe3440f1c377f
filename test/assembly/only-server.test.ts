/** Who may answer beside another server of a directory; the wait for one that is ending has a bound, and ends as soon as that one has. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { becomeOnlyServer, cursorSecret } from "#assembly/process.ts";
import { type Config, readConfig } from "#config.ts";
import { run } from "#test/clients/process.ts";
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

// The secret that signs cursors, where the operator gives none: shared by all processes, readable by its owner only.
test("is made once, whichever process starts first, and only its owner may read it", async () => {
  const directory = temporaryDirectory();
  const config = readConfig({ DATA_DIR: directory });
  const program = `import { cursorSecret } from "#assembly/process.ts"; import { readConfig } from "#config.ts";
    console.log(cursorSecret(readConfig({ DATA_DIR: ${JSON.stringify(directory)} })));`;
  const starts = Array.from({ length: 4 }, () => run([process.execPath, "-e", program]));
  const all = (await Promise.all(starts)).map((printed) => printed.trim());
  const one = cursorSecret(config);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(all)).toEqual(new Set([one]));
  expect(readdirSync(directory)).toEqual(["cursor.key"]);
  expect(statSync(join(directory, "cursor.key")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(directory, "cursor.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
});

test("the operator's own is taken instead, and nothing is written", async () => {
  const directory = temporaryDirectory();
  expect(cursorSecret(readConfig({ DATA_DIR: directory, CURSOR_SECRET: "theirs" }))).toBe("theirs");
  expect(readdirSync(directory)).toEqual([]);
});

describe("a damaged file is refused with its path and a remedy, left unchanged, and its content is not printed", () => {
  const damages: readonly (readonly [string, (text: string) => string, string])[] = [
    ["emptied", () => "", "it is empty"],
    ["blank", () => "\0\n".repeat(3), "it is damaged (64 hex digits"],
    ["cut", (text) => text.slice(0, 40), "it is damaged (64 hex digits"],
    ["other characters", (text) => text.replace(/^./, "x"), "it is damaged (64 hex digits"],
    ["other text", () => "an older secret", "it is damaged (64 hex digits"],
    ["a line more", (text) => text + text, "it is damaged (64 hex digits"],
  ];
  test.each(damages)("%s", async (_, damage, expected) => {
    const directory = temporaryDirectory();
    const path = join(directory, "cursor.key");
    const config = readConfig({ DATA_DIR: directory });
    const secret = cursorSecret(config);
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const message = messageOf(config);
    expect(message).toStartWith(`${path}: ${expected}`);
    expect(message).toContain("delete it, and the next start makes a new one");
    expect(message).not.toContain(secret.slice(20, 36));
    expect(readFileSync(path, "utf8")).toBe(damaged);
    rmSync(path);
    expect(cursorSecret(config)).not.toBe(secret);
  });

  test("no file at all", async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "cursor.key"));
    const message = messageOf(readConfig({ DATA_DIR: directory }));
    expect(message).toContain("cursor.key: it cannot be read (EISDIR)");
  });
});

function messageOf(config: Config): string {
  try {
    return cursorSecret(config);
  } catch (fault) {
    return (fault as Error).message;
  }
}
