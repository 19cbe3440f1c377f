/** The importer that gets killed. */

import { openQuoteArchive } from "#store/archive/archive.ts";

const [directory = "", path = "", now = "0"] = process.argv.slice(2);
const archive = await openQuoteArchive({
  directory,
  simulated: false,
  access: "read",
  now: () => Number(now),
});
console.log("ready");
await archive.importQuotes({
  ...{ path, label: null, from: 0, reference: () => null, progress: () => {} },
  wishes: { pair: null, offsetMinutes: 0, side: null, columns: {} },
});
await archive.close();
// It lives on until it is killed.
setInterval(() => {}, 60_000);
