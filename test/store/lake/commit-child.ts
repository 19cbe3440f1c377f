/** A writer process for the tests: commits one observation after the other and reports each on standard output. */

import { openLake } from "#store/lake/lake.ts";
import { add, day, observation } from "./sample.ts";

const [directory = "", quote = "USD", count = "0"] = process.argv.slice(2);
const lake = await openLake({ directory, simulated: false });
for (let at = 0; at < Number(count); at++) {
  const figure = {
    ...observation("2025-01-01", quote as "USD", `1.${1000 + at}`),
    date: day("2025-01-01") + at,
  };
  await add(lake, { accepted: [figure] });
  console.log(`committed ${at}`);
}
await lake.close();
