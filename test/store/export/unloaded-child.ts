/** Makes an export of every form as a server does, and prints whether DuckDB's library is in this process and in those that it started. */

import { readFileSync } from "node:fs";
import { EXPORT_FORMATS } from "#domain/history/rate-columns.ts";
import { madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const { exports } = openTemporaryExports();
for (const format of EXPORT_FORMATS)
  await exports.finish(requestFor(madeUpPlan(), format), new AbortController().signal);
const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
console.log(JSON.stringify({ own: hasDuckDb(process.pid), printers: children.map(Number).map(hasDuckDb) }));
await exports.close();

function hasDuckDb(pid: number): boolean {
  return readFileSync(`/proc/${pid}/maps`, "utf8").includes("libduckdb");
}
