/**
 * Readers of every kind beside a writer: no read fails, and each is exactly one state that was committed. The writer's
 * model says which rows each version has; it is worked out from what was written, not from what can be read.
 *
 * The check reads for seconds. Ten minutes, with figures on the terminal:
 *
 *     READERS_SECONDS=600 bun test test/faults/readers.test.ts
 *
 * READERS_SEED repeats the changes of a run.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const SECONDS = Number(process.env["READERS_SECONDS"] ?? 4);
const SEED = Number(process.env["READERS_SEED"] ?? Date.now() % 1_000_000);
const isLong = SECONDS >= 60;
/** Older versions stay readable for so long; a reader begins with none that has less than two fifths of it left. */
const RETENTION_SECONDS = isLong ? 20 : 3;
const SLOW_SECONDS = isLong ? 3 : 1.5;
const PYTHON = optionalPython(
  ["deltalake", "polars", "duckdb", "pandas", "pyarrow"],
  "reading the lake's tables while they are written",
);
/** Delta readers on the lake that is written without pause, and plain ones on `current/` of the other. */
const READERS = [
  ["deltalake:quick", "polars:quick", "duckdb:quick"],
  ["duckdb:current", "polars:current", "pandas:current"],
];

test.skipIf(PYTHON === null)(
  `${SECONDS} seconds of readers beside a writer (READERS_SEED=${SEED})`,
  async () => {
    console.log(`readers: seed ${SEED}, ${SECONDS} s`);
    const directory = temporaryDirectory();
    const writer = startWriter(directory);
    await writer.ready;
    const groups = isLong ? READERS : [READERS.flat()];
    const found = await Promise.all(groups.map((readers) => read(directory, readers)));
    const output = await writer.end();
    console.log(`readers: written ${output.trim().split("\n").at(-1)}`);
    for (const { reads } of found) console.log(`readers: read ${JSON.stringify(reads)}`);
    expect(found.flatMap(({ faults }) => faults)).toEqual([]);
    for (const [reader, counts] of found.flatMap(({ reads }) => Object.entries(reads))) {
      const of = reader.endsWith("current") ? ["one version"] : ["newest", "older"];
      for (const kind of of)
        expect(`${reader} ${kind} ${(counts[kind] ?? 0) > 0}`).toBe(`${reader} ${kind} true`);
    }
  },
  SECONDS * 1000 + 60_000,
);

/** It writes until `end`, which resolves with what it printed. */
function startWriter(directory: string) {
  const parameters = [directory, SEED, RETENTION_SECONDS, SLOW_SECONDS].map(String);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "readers-writer.ts"), ...parameters], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const isReady = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk;
      if (output.includes("ready")) isReady.resolve();
    }
    isReady.reject(new Error("the writer ended before it was ready"));
  })();
  return {
    ready: isReady.promise,
    end: async () => {
      child.stdin.end();
      await listening;
      expect(await child.exited).toBe(0);
      return output;
    },
  };
}

interface Answer {
  readonly reads: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly faults: readonly string[];
}

async function read(directory: string, readers: readonly string[]): Promise<Answer> {
  const parameters = [directory, SECONDS, RETENTION_SECONDS, SEED, ...readers].map(String);
  const command = [PYTHON as string, join(import.meta.dir, "readers.py"), ...parameters];
  return JSON.parse(await run(command)) as Answer;
}
