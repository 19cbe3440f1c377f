#!/usr/bin/env bun
/** The program: what the runtime reads when a process starts first, everything else after. */

import { VERSION } from "#version.ts";

/** Of MEMORY_CACHE_MB (src/settings/table.ts), which is not read yet. */
const DEFAULT_CACHE_MEGABYTES = 48;
const MOST_TIMES = 2_000;

startWithRuntimeSettings();
// Not above: what is loaded before the process starts itself again is loaded twice.
const { runCommandLine } = await import("#commands/command-line.ts");
const options = {
  version: VERSION,
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
  keyboard: process.stdin,
  results: process.stdout,
};
process.exit(await runCommandLine(process.argv.slice(2), options));

/**
 * Settings of the runtime are read when a process starts, so the process starts itself again, once, in place, where one is
 * not set. DuckDB's statements run on the runtime's thread pool: at its default two long exports on two cores would stop every
 * other query and file read. JavaScriptCore lets its heap grow by the memory of the machine: on a large one it would double
 * before it collects, so it is given a small one. What lies outside the heap, caches and columns, counts in its size as well, and with it in
 * how much may be allocated between two collections: some 50 MB. That is bounded by itself. Where caches nearly fill the memory that it is
 * given, every collection is one of the whole heap: with larger caches it is given more. What is allocated while a collection
 * runs beside the program is not: on a busy machine it ran for so long that 70 MB of garbage came together. The program gets 30 % of
 * that time in place of 70 %, so that the collection is over sooner. What outlives one collection is looked at again only when the heap is
 * 2 × (growth factor − 1) times as large as after the last whole collection. A heap below 35 MB, 0.55 of a quarter of forceRAMSize, may become 2.4
 * times as large: no bound is near then. Up to 51 MB it is 1.6 times, above less, by the runtime's defaults.
 */
function startWithRuntimeSettings(): void {
  const settings = {
    UV_THREADPOOL_SIZE: "16",
    BUN_JSC_forceRAMSize: String(Math.round(heapMemoryBytes(process.env["MEMORY_CACHE_MB"]))),
    BUN_JSC_gcMaxHeapSize: String(16 * 1024 * 1024),
    BUN_JSC_maximumMutatorUtilization: "0.3",
    BUN_JSC_smallHeapRAMFraction: "0.55",
    BUN_JSC_smallHeapGrowthFactor: "2.2",
    BUN_JSC_mediumHeapRAMFraction: "0.8",
    BUN_JSC_mediumHeapGrowthFactor: "1.8",
  };
  if (Object.keys(settings).every((name) => process.env[name] !== undefined)) return;
  // A single binary has no script to name, and takes whatever stands before its words for one of them.
  const script = Bun.isStandaloneExecutable ? [] : [...process.execArgv, ...process.argv.slice(1, 2)];
  const again = [process.execPath, ...script, ...process.argv.slice(2)];
  (process as ProcessWithExec).execve?.(process.execPath, again, { ...settings, ...process.env });
}

/** 256 MiB for caches of the default size, and as much for each further time of it. A size that makes no sense is refused later. */
function heapMemoryBytes(cacheMegabytes: string | undefined): number {
  const times = Number(cacheMegabytes) / DEFAULT_CACHE_MEGABYTES || 1;
  return 256 * 1024 * 1024 * Math.min(Math.max(times, 1), MOST_TIMES);
}

/** Absent where the system has no exec: then the runtime keeps its defaults. */
type ProcessWithExec = { execve?(file: string, args: readonly string[], env: object): never };
