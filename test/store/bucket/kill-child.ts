/** The writer that gets killed: commits figures and quotes to a bucket, and prints the number of each once it is durable. */

import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLakeStorage } from "#store/bucket/storage.ts";
import { openLake } from "#store/lake/lake.ts";
import { quote } from "#test/store/archive/sample.ts";
import { change, day, observation } from "#test/store/lake/sample.ts";

const [place = "{}", directory = "", from = "0"] = process.argv.slice(2);
const storage = await openLakeStorage({ ...JSON.parse(place), directory });
const lake = await openLake({ directory, simulated: false, storage });
const archive = await openQuoteArchive({ directory, simulated: false, storage, access: "write" });
for (let number = Number(from); ; number++) {
  const figure = {
    ...observation("2025-01-01", "USD", `1.${1000 + number}`),
    date: day("2025-01-01") + number,
  };
  await lake.commit(({ coverage, held }) => change({ accepted: [figure], coverage, held }));
  console.log(`figure ${number}`);
  await archive.append([quote("USD/EUR", `0.${1000 + number}`, Date.UTC(2026, 2, 2, 10) + number * 1000)]);
  console.log(`quote ${number}`);
  await archive.flush();
}
