/** The process that converts a lake of the first layout and gets killed meanwhile; done, it waits for that. */

import { openLake } from "#store/lake/lake.ts";

const [directory = ""] = process.argv.slice(2);
// Loaded before the clock runs: the time to live is for the conversion.
await import("@duckdb/node-api");
await import("#store/lake/conversion/convert.ts");
console.log("ready");
await openLake({ directory, simulated: false });
setInterval(() => {}, 1000);
