import { fullIngest } from "./bench/ingest.ts";
import { rmSync } from "node:fs";
rmSync("/tmp/ing",{recursive:true,force:true});
console.log(await fullIngest("/tmp/ing","2026-04-13T16:30:00Z"), (process.memoryUsage.rss()/1e6).toFixed(0)+"MB");
process.exit(0);
