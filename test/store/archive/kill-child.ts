/** The writer that gets killed: appends, flushes, indexes and cleans up, and prints each append's number once it has resolved. */

import { dayAt } from "#domain/time/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { instantOf, pollOf } from "./kill-quotes.ts";

const [directory = "", from = "0", to = "0"] = process.argv.slice(2);
let clock = instantOf(Number(from));
const now = () => clock;
const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
console.log("ready");
for (let append = Number(from); append < Number(to); append++) {
  clock = instantOf(append);
  await archive.append(pollOf(append));
  console.log(`ack ${append}`);
  // Flushes run while the next appends do.
  if (append % 3 === 0) archive.flush().catch((fault) => fail(fault));
  if (append % 10 === 5) await archive.index({ from: 0, to: dayAt(clock), now: clock });
  if (append % 20 === 9) await archive.upkeep();
  if (append % 50 === 49) await archive.append(pollOf(append - 1));
}
await archive.close();

function fail(fault: unknown): never {
  console.error(fault);
  process.exit(3);
}
