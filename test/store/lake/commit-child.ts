/** A writer process for the tests: commits one observation after the other and reports each on standard output. */

import { openLake } from "#store/lake/lake.ts";
import { add, figureAt } from "./sample.ts";

const [directory = "", quote = "USD", count = "0"] = process.argv.slice(2);
const lake = await openLake({ directory, simulated: false });
for (let at = 0; at < Number(count); at++) {
  await add(lake, { accepted: [figureAt(at, quote as "USD")] });
  console.log(`committed ${at}`);
}
await lake.close();
