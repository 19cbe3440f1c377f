/** The process that gets killed: repairs the daily tables of a lake. */

import { repairDaily } from "#store/lake/maintain.ts";

await repairDaily(process.argv[2] as string, Date.now(), true);
console.log("repaired");
