/** `crossrate range`: a time series as a table, as the server's pages, or as one file. */

import { statSync } from "node:fs";
import type { Read } from "#api/body.ts";
import type { RangeResponse } from "#api/range/page.ts";
import { type Client, clientOf } from "#cli/ask/client.ts";
import { download, transferLine } from "#cli/ask/download.ts";
import { partFile, passingSink } from "#cli/ask/part-file.ts";
import { type Command, type CommandContext, EXIT, UsageFault } from "#cli/command.ts";
import { printedBytes } from "#cli/show/amounts.ts";
import { printRangeTable } from "./range-table.ts";
import { RANGE_FLAGS, RANGE_HELP, type RangeWords, readRangeWords } from "./range-words.ts";

const PATH = "/v1/range";

export const rangeCommand: Command = {
  name: "range",
  group: "Ask a server",
  summary: "a time series as a table, or as a CSV, Parquet, NDJSON or Arrow file",
  usage: "BASE SYMBOLS YYYY-MM-DD YYYY-MM-DD [options]",
  help: `Both days are included. A table or a file is one call however long it is. --json prints the server's pages, a body a line,
each of which is a call.

A download that is cut is continued where it stood, also by a later run of the same command; until it is complete the file
is called FILE.part. On a terminal its size is asked for first, which is a call more.

${RANGE_HELP}

  crossrate range USD EUR 2024-01-01 2024-01-31
  crossrate range USD EUR,JPY 2020-01-01 2024-12-31 --interval 1mo --aggregate mean
  crossrate range EUR '*' 1999-01-04 2024-12-31 -o eur.parquet
  crossrate range USD EUR 2020-01-01 2024-12-31 --fill --csv | head
  crossrate range USD EUR 2015-01-01 2015-01-31 --as-of 2015-01-15T18:00:00Z`,
  words: { flags: RANGE_FLAGS, operands: "currencies" },
  async run(context) {
    const words = readRangeWords(context.words);
    refuseFolder(words.out);
    const client = await clientOf(context, words.url);
    if (words.json) return await printPages(context, client, words);
    if (words.format !== null) return await save(context, client, words);
    return await printRangeTable(context, client, words.query);
  },
};

async function printPages({ terminal }: CommandContext, client: Client, { query }: RangeWords) {
  let cursor: string | undefined;
  do {
    const page = await client.ask<Read<typeof RangeResponse>>(PATH, { query: { ...query, cursor } });
    if (!(await terminal.write(`${page.text}\n`))) break;
    cursor = page.content.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return EXIT.done;
}

async function save(context: CommandContext, client: Client, { query, out, format }: RangeWords) {
  const { terminal, clock, signal } = context;
  const asked = { ...query, format: format ?? "csv" };
  const label = out ?? "standard output";
  const url = `${client.server.url}${PATH}?${new URLSearchParams(entriesOf(asked))}`;
  const sink = out === null ? passingSink((bytes) => terminal.write(bytes)) : await partFile(out, url);
  try {
    // Onto the screen goes either the data or the line about it.
    const isShown = out !== null && terminal.screen.isTerminal;
    const estimate = isShown ? await estimatedBytes(client, asked) : null;
    const line = transferLine(terminal, clock, label, estimate);
    const { isComplete, bytes, headers } = await download(client, {
      path: PATH,
      query: asked,
      sink,
      signal,
      clock,
      progress: isShown ? line : () => {},
      cut: (at, wait) =>
        terminal.complain(`${label}: cut at ${printedBytes(at)}; it is continued in ${wait} s`),
    });
    if (isComplete) await sink.finish();
    if (out !== null) {
      terminal.note("");
      const simulated = headers.get("x-data-mode") === "simulated" ? ", SIMULATED rates" : "";
      terminal.print(`${out}: ${format}, ${printedBytes(bytes)}${simulated}`);
      const next = headers.get("x-sync-from");
      if (next !== null) terminal.print(`next: --updated-after ${next}`);
    }
    return EXIT.done;
  } catch (fault) {
    if (out !== null && sink.etag !== null)
      terminal.complain(`${out}.part has ${printedBytes(sink.size)}; the same command continues it`);
    throw fault;
  } finally {
    await sink.close();
  }
}

/** Throws UsageFault where something other than a file has the name. */
function refuseFolder(out: string | null): void {
  const existing = out === null ? undefined : statSync(out, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile())
    throw new UsageFault(`${out}: a file is needed, and this is none; leave --out out for standard output`);
}

async function estimatedBytes(client: Client, query: RangeWords["query"]): Promise<number | null> {
  const { headers } = await client.open(PATH, { query, method: "HEAD", headers: { accept: "*/*" } });
  const bytes = headers.get("x-export-bytes");
  return bytes === null ? null : Number(bytes);
}

function entriesOf(query: RangeWords["query"]): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
}
