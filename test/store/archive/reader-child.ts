/** Another process that only reads: prints the newest quotes of a window as JSON. Arguments: directory, from, to. */

import { openQuoteArchive } from "#store/archive/archive.ts";

const [directory = "", from, to] = process.argv.slice(2);
const archive = await openQuoteArchive({ directory, simulated: false, access: "read" });
process.stdout.write(JSON.stringify(await archive.newest(Number(from), Number(to))));
await archive.close();
