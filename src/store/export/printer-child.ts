/** The process that makes the exports of a server: it does what its messages say, and ends with the server. */

import { type OpenTable, openPrinter, type Printer } from "./printer.ts";
import type { FromPrinter, PrinterRequest, ToPrinter } from "./printer-messages.ts";

let printer: Printer | null = null;
/** Messages about a table follow each other without waiting: what comes before it was made waits for it. */
const tables = new Map<string, Promise<OpenTable>>();
const printing = new Map<number, AbortController>();

process.on("message", async (message: ToPrinter) => {
  if ("interrupt" in message) {
    printing.get(message.interrupt)?.abort();
    return;
  }
  const { number, request } = message;
  const error = await perform(number, request).then(
    () => null,
    (fault: unknown) => (fault instanceof Error ? fault.message : String(fault)),
  );
  process.send?.({ number, error } satisfies FromPrinter);
});
process.on("disconnect", () => process.exit(0));
// A signal to the whole group is the server's: exports under way end with it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

async function perform(number: number, request: PrinterRequest): Promise<void> {
  if (request.kind === "open") {
    printer = openPrinter(request.options);
    return;
  }
  if (printer === null) throw new Error("the printer was not opened");
  switch (request.kind) {
    case "create": {
      const made = printer.createTable(request.table, request.statement);
      tables.set(request.table, made);
      await made;
      return;
    }
    case "append":
      return await (await tableOf(request.table)).append(request.columns, request.count);
    case "end": {
      const table = tableOf(request.table);
      tables.delete(request.table);
      return await (await table).end();
    }
    case "drop":
      await printer.drop(request.table);
      // DuckDB frees the rows with the last object that refers to them, and little else here makes garbage.
      Bun.gc(true);
      return;
    case "print": {
      const stop = new AbortController();
      printing.set(number, stop);
      try {
        return await printer.print(request.job, stop.signal);
      } finally {
        printing.delete(number);
      }
    }
  }
}

function tableOf(name: string): Promise<OpenTable> {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`no table ${name} is being filled`);
  return table;
}
