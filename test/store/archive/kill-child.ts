/** The writer that gets killed: appends, flushes and compacts, and says each append's number once it has resolved. */

import { dayAt } from "#domain/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { NOW, pollOf } from "./kill-quotes.ts";

const [directory = "", from = "0", to = "0"] = process.argv.slice(2);
const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
console.log("ready");
for (let append = Number(from); append < Number(to); append++) {
  await archive.append(pollOf(append));
  console.log(`ack ${append}`);
  // Flushes run while the next appends do.
  if (append % 3 === 0) archive.flush().catch((fault) => fail(fault));
  if (append % 10 === 5) await archive.compact({ from: 0, to: dayAt(NOW), now: NOW });
  if (append % 50 === 49) await archive.append(pollOf(append - 1));
}
await archive.close();

function fail(fault: unknown): never {
  console.error(fault);
  process.exit(3);
}
