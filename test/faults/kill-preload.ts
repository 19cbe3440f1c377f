/**
 * Preloaded into a process, it kills that process at the KILL_AT-th thing that it does to the file system, before it is
 * done; with KILL_HALF a write is done by half first. Without KILL_AT it counts, and prints the count when the process ends.
 * What DuckDB and SQLite do by themselves is not seen here: what they write counts by the flush that follows.
 */

import { mock } from "bun:test";
import * as fs from "node:fs";
import * as promises from "node:fs/promises";

const KILL_AT = Number(process.env["KILL_AT"] ?? 0);
const HALF = process.env["KILL_HALF"] === "1";
type Call = (...parameters: never[]) => unknown;

// Copies: the imports themselves lead to what is put in their place.
const [real, realPromises] = [{ ...fs }, { ...promises }];
let count = 0;

/** Calls `half` instead of the effect when this is the one to die at, where writing half of it means something. */
function effect(half: () => void = () => {}): void {
  count += 1;
  if (count !== KILL_AT) return;
  if (HALF) half();
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way.
  for (;;) {}
}

const changed: Record<string, unknown> = { ...real };
for (const name of [
  "renameSync",
  "linkSync",
  "fsyncSync",
  "rmSync",
  "mkdirSync",
  "rmdirSync",
  "copyFileSync",
]) {
  const done = changed[name] as Call;
  changed[name] = (...parameters: never[]) => {
    effect();
    return done(...parameters);
  };
}
changed["writeFileSync"] = (path: string, content: string | Uint8Array) => {
  effect(() => real.writeFileSync(path, content.slice(0, content.length / 2)));
  real.writeFileSync(path, content);
};
mock.module("node:fs", () => ({ ...changed, default: changed }));

const changedPromises: Record<string, unknown> = { ...realPromises };
changedPromises["open"] = async (...parameters: Parameters<typeof promises.open>) => {
  const handle = await realPromises.open(...parameters);
  for (const name of ["sync", "datasync", "truncate"] as const) {
    const done = handle[name].bind(handle) as Call;
    handle[name] = (async (...rest: never[]) => {
      effect();
      return await done(...rest);
    }) as never;
  }
  const write = handle.write.bind(handle) as (...rest: unknown[]) => Promise<unknown>;
  handle.write = (async (bytes: Uint8Array, from: number, length: number, at: number) => {
    effect(() => real.writeSync(handle.fd, bytes, from, Math.floor(length / 2), at));
    return await write(bytes, from, length, at);
  }) as never;
  return handle;
};
mock.module("node:fs/promises", () => ({ ...changedPromises, default: changedPromises }));

process.on("exit", () => {
  if (KILL_AT === 0) real.writeSync(1, `effects ${count}\n`);
});
