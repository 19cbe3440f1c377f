/** A writer with a signed history for the tests: commits one observation after the other until it is killed. */

import { change, day, observation } from "#test/store/lake/sample.ts";
import { openSigned } from "./signed-lake.ts";

const [dataDir = "", first = "0", count = "100"] = process.argv.slice(2);
const { lake, emitted } = await openSigned(dataDir);
console.log("ready");
for (let at = Number(first); at < Number(first) + Number(count); at++) {
  const figure = { ...observation("2025-01-01", "USD", `1.${1000 + at}`), date: day("2025-01-01") + at };
  await lake.commit(({ coverage, held }) => change({ accepted: [figure], coverage, held }));
  console.log(`committed ${at}`);
}
await lake.close();
if (emitted.length > 0) throw new Error(JSON.stringify(emitted));
