/**
 * A disk without room at the start: one line that names the disk and the remedy, and a normal start once there is room. A disk that turns
 * read-only does not keep a server from ending. Results that find no room are no success.
 */

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openLock } from "#store/disk/writer-lock.ts";
import { freePort } from "#test/support/free-port.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectRefusedInOneLine, runCommand, startServe } from "./process.ts";

const disk = smallDisk("a full disk at the start", 4 * 1024 * 1024);
const FILLER = join(disk.path, "filler");

/** Settings of a server whose data lie on the small disk, of which so many bytes are free. */
function full(name: string, bytesLeft: number, access: string) {
  const directory = join(disk.path, name);
  rmSync(FILLER, { force: true });
  disk.fill(FILLER, bytesLeft);
  const settings = { LIVE_FEED: "off", UPSTREAM_BASE: "http://127.0.0.1:9", PORT: "0", ACCESS: access };
  return { directory, settings: { ...settings, DATA_DIR: directory } };
}

test.skipIf(!disk.isMounted).each([
  ["serve", "open", 20_480],
  ["serve", "metered", 400_000],
  ["held", "open", 0],
])("%s with ACCESS=%s and %d bytes of room reports the full disk", async (command, access, bytesLeft) => {
  const { directory, settings } = full(`${command}-${access}-${bytesLeft}`, bytesLeft, access);
  const noRoom = `crossrate ${command}: DATA_DIR=${directory}: no space left on the disk of ${directory}`;
  expectRefusedInOneLine(await runCommand([command], settings), noRoom, "make room there and start again");

  rmSync(FILLER);
  const server = await startServe(settings);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect(await server.end()).toBe(0);
  rmSync(directory, { recursive: true });
});

test.skipIf(!disk.isMounted)("a writer lock that finds no room names its file", async () => {
  const directory = join(disk.path, "lock");
  mkdirSync(directory);
  rmSync(FILLER, { force: true });
  disk.fill(FILLER, 0);
  const path = join(directory, ".writer.sqlite");
  const full = openLock(path, 0);
  const failed = full.exclusive(async () => {}).catch((fault: unknown) => fault);
  expect(await failed).toMatchObject({ name: "DiskFull", path });
  expect(String(await failed)).toContain(path);
  await full.close();
  rmSync(FILLER);
  const lock = openLock(path, 0);
  expect(await lock.exclusive(async () => "done")).toBe("done");
  await lock.close();
});

test.skipIf(!existsSync("/dev/full"))("a result that finds no room on its disk is a failure", async () => {
  const toFullDisk = ["/bin/sh", "-c", 'exec "$0" "$@" > /dev/full'];
  const { code, err } = await runCommand(["currencies"], { DATA_DIR: temporaryDirectory() }, toFullDisk);
  expect(code).toBe(1);
  expect(err).toEndWith("crossrate currencies: ENOSPC: no space left on device, write\n");
});

const worn = smallDisk("a disk that turns read-only", 16 * 1024 * 1024);
test.skipIf(!worn.isMounted)(
  "a server whose disk has turned read-only ends when it is asked to",
  async () => {
    const server = await startServe({
      ...{ DATA_DIR: join(worn.path, "data"), UPSTREAM_BASE: "http://127.0.0.1:9", LIVE_FEED: "off" },
      ...{ ACCESS: "metered", ADMIN_PORT: String(freePort()) },
    });
    worn.makeReadOnly();
    expect(await server.end("SIGTERM")).toBe(0);
    expect(server.printed.err).not.toContain("EROFS");
  },
);
