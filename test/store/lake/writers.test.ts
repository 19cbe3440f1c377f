/** Several processes on one lake: writers take turns, readers notice, no process waits for ever. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { TelemetryEvent } from "#telemetry.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { contents, firstChange, openedLake, secondChange } from "./sample.ts";

test("writers in two processes lose nothing of each other's, and opening meanwhile repairs nothing", async () => {
  const directory = temporaryDirectory();
  await (await openedLake(directory)).close();
  const script = join(import.meta.dir, "commit-child.ts");
  const children = ["USD", "JPY"].map((quote) =>
    Bun.spawn([process.execPath, script, directory, quote, "8"], { stdout: "pipe", stderr: "inherit" }),
  );
  const emitted: TelemetryEvent[] = [];
  let running = true;
  const done = Promise.all(children.map(({ exited }) => exited)).finally(() => {
    running = false;
  });
  const versions: string[] = [];
  while (running) {
    const lake = await openedLake(directory, { emit: (event) => emitted.push(event) });
    const { version, observations } = await lake.read();
    versions.push(`${observations.count} ${version}`);
    await lake.close();
    // Nothing of this waits for the system: without a turn the ends of the children would never be noticed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await done).toEqual([0, 0]);
  expect((await contents(directory)).current).toHaveLength(16);
  expect(emitted).toEqual([]);
  // One version, one content: the count never differs under the same name.
  expect(new Set(versions.map((line) => line.split(" ")[1])).size).toBe(new Set(versions).size);
});

test("a process notices another's commit by the version, and decides on what that one wrote", async () => {
  const directory = temporaryDirectory();
  const one = await openedLake(directory);
  const other = await openedLake(directory);
  await one.read();
  const version = await other.commit(() => firstChange());
  expect(await one.version()).toBe(version);
  let seen = 0;
  await one.commit(({ observations }) => {
    seen = observations.count;
    return secondChange();
  });
  expect(seen).toBe(6);
  expect((await other.read()).observations.count).toBe(7);
});

test("commits within one process queue, and closing waits for them", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const first = lake.commit(() => firstChange());
  const second = lake.commit(() => secondChange());
  await lake.close();
  await Promise.all([first, second]);
  const again = await openedLake(directory);
  expect((await again.read()).observations.count).toBe(7);
});

test("a lake that another process holds locked is still read, and writing it is a clear error after a bounded wait", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory, { waitSeconds: 0 });
  await lake.commit(() => firstChange());
  const other = new Database(join(directory, ".writer.sqlite"));
  other.run("BEGIN EXCLUSIVE");
  expect(lake.commit(() => secondChange())).rejects.toThrow("in use by another process");
  expect(lake.upkeep()).rejects.toThrow("in use by another process");
  expect((await lake.read()).observations.count).toBe(6);
  const reader = await openedLake(directory, { waitSeconds: 0 });
  expect(await reader.version()).toBe(await lake.version());
  await reader.close();
  other.run("ROLLBACK");
  other.close();
  await lake.commit(() => secondChange());
});
