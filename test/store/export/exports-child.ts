/** A stand-in for a server: starts the process that makes exports, prints its id, and waits. */

import { openDuckDbProcess } from "#store/parquet/duckdb-process.ts";

const [directory = ""] = process.argv.slice(2);
const duckdb = openDuckDbProcess({ directories: [directory], threads: 1, memoryMegabytes: 64 }, () => {});
await duckdb.run("CREATE TABLE rows_1 (a INTEGER)");
console.log(duckdb.pid());
setInterval(() => {}, 1000);
