/**
 * Readers of every kind beside a writer: no read fails, and each is exactly one state that was committed. The writer's
 * model says which rows each version has; it is worked out from what was written, not from what can be read. READERS_SEED repeats the
 * changes of a run.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { words } from "#test/support/words.ts";

const SECONDS = 4;
const SEED = Number(process.env["READERS_SEED"] ?? Date.now() % 1_000_000);
/** Older versions stay readable for so long; a reader begins with none that has less than two fifths of it left. */
const RETENTION_SECONDS = 3;
const SLOW_SECONDS = 1.5;
const PYTHON = optionalPython(
  ["deltalake", "polars", "duckdb", "pandas", "pyarrow"],
  "reading the lake's tables while they are written",
);
/** Delta readers on the lake that is written without pause, and plain ones on `current/` of the other. */
const READERS = words(
  "deltalake:quick polars:quick duckdb:quick duckdb:current polars:current pandas:current",
);

test.skipIf(PYTHON === null)(
  `${SECONDS} seconds of readers beside a writer (READERS_SEED=${SEED})`,
  async () => {
    const directory = temporaryDirectory();
    const writer = startWriter(directory);
    await writer.ready;
    const { reads, faults } = await read(directory);
    await writer.end();
    expect(faults).toEqual([]);
    for (const [reader, counts] of Object.entries(reads)) {
      const of = reader.endsWith("current") ? ["one version"] : ["newest", "older"];
      for (const kind of of)
        expect(`${reader} ${kind} ${(counts[kind] ?? 0) > 0}`).toBe(`${reader} ${kind} true`);
    }
  },
  SECONDS * 1000 + 60_000,
);

/** It writes until `end`. */
function startWriter(directory: string) {
  const parameters = [directory, SEED, RETENTION_SECONDS, SLOW_SECONDS].map(String);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "readers-writer.ts"), ...parameters], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  return {
    ready: (async () => {
      const { value } = await child.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("ready\n");
    })(),
    end: async () => {
      child.stdin.end();
      expect(await child.exited).toBe(0);
    },
  };
}

interface Answer {
  readonly reads: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly faults: readonly string[];
}

async function read(directory: string): Promise<Answer> {
  const parameters = [directory, SECONDS, RETENTION_SECONDS, SEED, ...READERS].map(String);
  const command = [PYTHON as string, join(import.meta.dir, "readers.py"), ...parameters];
  return JSON.parse(await run(command)) as Answer;
}
