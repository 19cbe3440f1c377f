/** The durable length of the journal is recorded beside it: a truncated or missing segment is reported, and never read as a shorter one. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { segmentFile } from "#store/archive/journal/journal.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { copyOf } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, MINUTE, quote, stored } from "./sample.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");
const NOTE = segmentFile(1).replace(".log", ".length");

/** A lake whose writer died after three appends; resolves with its directory. */
async function leftByDeath(): Promise<string> {
  const directory = temporaryDirectory();
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  for (let nth = 0; nth < 3; nth++)
    await archive.append([quote("USD/EUR", `0.8${nth}`, NOON + nth * MINUTE)]);
  const left = copyOf(directory);
  await archive.close();
  return left;
}

async function start(directory: string) {
  const emitted: string[] = [];
  const emit = (event: TelemetryEvent) => {
    if (event.kind === "lake_damaged") emitted.push(event.detail);
  };
  const archive = await openTemporary(directory, { emit });
  await archive.close();
  return { emitted, quotes: (await stored(directory)).length };
}

test("an intact journal is moved into the table without an event, and nothing of it stays", async () => {
  const directory = await leftByDeath();
  expect(await start(directory)).toEqual({ emitted: [], quotes: 3 });
  const names = readdirSync(join(directory, "intraday/.journal"));
  expect(names.filter((name) => /\.(log|length|damaged)$/.test(name))).toEqual([]);
});

test.each([
  [1, 2],
  [20, 2],
  [90, 1],
])("a segment that lost its last %i bytes is reported", async (lost, left) => {
  const directory = await leftByDeath();
  const path = join(directory, segmentFile(1));
  const { size } = statSync(path);
  truncateSync(path, size - lost);
  const { emitted, quotes } = await start(directory);
  expect(emitted.length).toBe(1);
  expect(emitted[0]).toStartWith(`${segmentFile(1)}: it has ${size - lost} of ${size} bytes`);
  expect(quotes).toBe(left);
  expect((await start(directory)).emitted).toEqual([]);
});

test("an emptied segment and a missing one are reported", async () => {
  const emptied = await leftByDeath();
  const { size } = statSync(join(emptied, segmentFile(1)));
  truncateSync(join(emptied, segmentFile(1)));
  expect((await start(emptied)).emitted[0]).toStartWith(`${segmentFile(1)}: it has 0 of ${size} bytes`);
  const missing = await leftByDeath();
  rmSync(join(missing, segmentFile(1)));
  expect((await start(missing)).emitted[0]).toStartWith(`${segmentFile(1)} is missing: it had ${size} bytes`);
  expect((await start(missing)).emitted).toEqual([]);
});

test("an append that a crash cut short is no damage: the recorded length does not include it", async () => {
  const directory = await leftByDeath();
  const path = join(directory, segmentFile(1));
  const line = readFileSync(path, "utf8").split("\n")[0] as string;
  writeFileSync(path, line.slice(0, -3), { flag: "a" });
  expect(await start(directory)).toEqual({ emitted: [], quotes: 3 });
});

test.each([
  ["missing", (path: string) => rmSync(path)],
  ["damaged", (path: string) => writeFileSync(path, "x")],
])("without its note (%s) a segment is what it holds", async (_, damage) => {
  const directory = await leftByDeath();
  damage(join(directory, NOTE));
  expect(await start(directory)).toEqual({ emitted: [], quotes: 3 });
});
