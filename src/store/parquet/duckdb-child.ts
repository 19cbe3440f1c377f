/** The process that runs DuckDB for a server: does what it is asked for, and ends with the server. Its options are its last argument. */

import { type DuckDb, openDuckDb } from "./duckdb.ts";
import type { FromChild, ToChild } from "./duckdb-process.ts";

const duckdb = openDuckDb(JSON.parse(process.argv.at(-1) as string));
const stops = new Map<number, AbortController>();

process.on("message", async (message: ToChild) => {
  if ("interrupt" in message) {
    stops.get(message.interrupt)?.abort();
    return;
  }
  const { number, method, values } = message;
  const stop = new AbortController();
  stops.set(number, stop);
  let answer: FromChild;
  try {
    const work = duckdb[method] as (...values: readonly unknown[]) => ReturnType<DuckDb[typeof method]>;
    answer = { number, value: await work(...values, stop.signal), error: null };
  } catch (fault) {
    answer = { number, error: fault instanceof Error ? fault.message : String(fault) };
  }
  stops.delete(number);
  process.send?.(answer);
  // DuckDB frees the rows with the last object that refers to them, and little else here triggers a garbage collection.
  if (method === "drop") Bun.gc(true);
});
process.on("disconnect", () => process.exit(0));
// Ignored: a signal to the whole group is for the server, and this process ends with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
