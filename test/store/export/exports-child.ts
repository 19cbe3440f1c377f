/** A stand-in for a server: starts the process that makes exports, prints its id, and waits. */

import { openPrinterProcess } from "#store/export/printer-process.ts";

const [directory = ""] = process.argv.slice(2);
const printer = openPrinterProcess({ directories: [directory], threads: 1, memoryMegabytes: 64 }, () => {});
const table = await printer.createTable("rows_1", "CREATE TABLE rows_1 (a INTEGER)");
await table.end();
console.log(printer.pid());
setInterval(() => {}, 1000);
