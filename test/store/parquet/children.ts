/** The processes that run DuckDB for this one. Linux only. */

import { readdirSync, readFileSync } from "node:fs";

export function duckDbChildren(): readonly number[] {
  return readdirSync("/proc/self/task")
    .flatMap((thread) => textOf(`/proc/self/task/${thread}/children`).trim().split(" "))
    .filter((pid) => pid !== "" && textOf(`/proc/${pid}/cmdline`).includes("duckdb-child"))
    .map(Number);
}

/** Empty where the thread or process has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
