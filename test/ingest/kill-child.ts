/** The writer that gets killed: commits one document after the other and prints each number once the commit has resolved. */

import { accept } from "#domain/acceptance/acceptance.ts";
import { openLake } from "#store/lake/lake.ts";
import { documentOf, TODAY } from "./kill-commits.ts";

const [directory = "", from = "0", to = "0"] = process.argv.slice(2);
const lake = await openLake({ directory, simulated: false });
console.log("ready");
for (let commit = Number(from); commit < Number(to); commit++) {
  await lake.commit((current) => {
    const documents = [documentOf(commit), documentOf(commit, "sdmx")];
    const { accepted, withdrawn, held } = accept(current, "ecb_daily", documents, TODAY);
    const { retrievedAt } = documentOf(commit).provenance;
    const coverage = [{ source: "ecb_daily", coveredThrough: TODAY, retrievedAt }] as const;
    return { accepted, withdrawn, held, coverage };
  });
  console.log(`ack ${commit}`);
}
await lake.close();
