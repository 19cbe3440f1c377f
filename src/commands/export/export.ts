/** `crossrate export`: writes a whole window as one file, the same bytes as GET /v1/range, without a server. */

import { printedBytes, printedCount } from "#cli/show/amounts.ts";
import { helpOf, usageOf } from "#cli/words/flags.ts";
import type { Command, CommandContext, Terminal } from "#commands/command.ts";
import { listenForInterruption } from "#commands/interruption.ts";
import { openReal, openSimulated } from "#commands/open-product.ts";
import { type Destination, fileDestination, streamDestination } from "./destination.ts";
import { asFlagMessage, EXPORT_FLAGS, type ExportRequest, readExportFlags } from "./flags.ts";

export const exportCommand: Command = {
  name: "export",
  group: "Look after data",
  summary: "write daily rates, bars or quotes to a file or to standard output",
  usage: usageOf(EXPORT_FLAGS),
  help: `${helpOf(EXPORT_FLAGS)}

The flags are the parameters of GET /v1/range, and the bytes are the same. The format is that of --format, else
of the extension of --out, else csv. A file appears under its name only when it is complete. Works beside a running
server; what the server has accepted within the last minute and not yet written to the lake's files is not in quotes
and bars. Exit codes: 0 done, 1 nothing to export or it failed, 2 wrong flags.

  crossrate export --symbols '*' --start 1999-01-04 --end 2026-11-20 --out usd.parquet
  crossrate export --base EUR --symbols USD,CHF --start 2024-01-01 --end 2024-12-31 --layout wide | head
  crossrate export --symbols EUR --start 2020-01-01 --end 2024-12-31 --interval 1mo --aggregate mean --out eur.csv
  crossrate export --symbols EUR --start 2015-01-01 --end 2015-01-31 --as-of 2015-01-15T12:00:00Z
  crossrate export --symbols EUR,JPY --start 2026-11-02 --end 2026-11-06 --interval 1m --out minutes.arrow
  crossrate export --demo --symbols EUR --start 2024-01-01 --end 2024-12-31 --out demo.csv
  crossrate export --symbols '*' --start 2026-11-20 --end 2026-11-20 --interval tick --out quotes.ndjson`,
  words: { flags: EXPORT_FLAGS },
  async run(context) {
    const request = readExportFlags(context.words);
    const interruption = listenForInterruption();
    try {
      const written = await exportTo(context, request, interruption.signal);
      if (request.out !== null && written !== null) {
        const rows = written.rows === null ? "" : `${printedCount(written.rows)} rows, `;
        const mark = request.demo ? ", SIMULATED rates" : "";
        context.terminal.print(
          `${request.out}: ${request.format}, ${rows}${printedBytes(written.bytes)}${mark}`,
        );
        if (written.syncFrom !== null) context.terminal.print(`next: --updated-after ${written.syncFrom}`);
      } else if (request.demo) context.terminal.complain(SIMULATED);
      return 0;
    } catch (fault) {
      if (interruption.signal.aborted) return interruption.exitCode;
      throw asFlagMessage(fault);
    } finally {
      interruption.done();
    }
  },
};

const SIMULATED = "SIMULATED rates: every number is made up and must not be used";

interface Written {
  readonly rows: number | null;
  readonly bytes: number;
  /** What to send next time, of changes. */
  readonly syncFrom: string | null;
}

/** Resolves with null when the reader of standard output had enough. */
async function exportTo(
  context: CommandContext,
  { query, format, out, demo }: ExportRequest,
  signal: AbortSignal,
): Promise<Written | null> {
  const destination = out === null ? streamDestination(process.stdout) : await fileDestination(out);
  try {
    const crossrate = await (demo ? openSimulated(context) : openReal(context));
    try {
      const { bytes, rows, expectedBytes, syncFrom } = await crossrate.exportFile(query, format, signal);
      // Onto the screen goes either the data or the bar.
      const terminal = out === null && process.stdout.isTTY ? null : context.terminal;
      const sum = await pour(bytes, destination, progressOf(terminal, expectedBytes), signal);
      return sum === null ? null : { rows, bytes: sum, syncFrom };
    } finally {
      await crossrate.close();
    }
  } finally {
    await destination.discard();
  }
}

interface Progress {
  to(bytes: number): void;
  complete(): void;
}

/** The size is an estimate: what goes beyond it waits before the last percent, which means that it is done. */
function progressOf(terminal: Terminal | null, expectedBytes: number): Progress {
  const most = Math.floor(expectedBytes * 0.99);
  return {
    to: (bytes) => terminal?.progress("export", Math.min(bytes, most), expectedBytes),
    complete: () => terminal?.progress("export", 1, 1),
  };
}

/** Resolves with the number of bytes once all are under their final name; with null when they are no longer wanted. */
async function pour(
  stream: ReadableStream<Uint8Array>,
  destination: Destination,
  progress: Progress,
  signal: AbortSignal,
): Promise<number | null> {
  const reader = stream.getReader();
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value } = await reader.read().catch(inOneLine);
      if (value === undefined) break;
      if (!(await destination.write(value))) return null;
      bytes += value.length;
      progress.to(bytes);
    }
    signal.throwIfAborted();
    await destination.finish();
    progress.complete();
    return bytes;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The engine adds paragraphs of advice to what went wrong; the reason is in the first line. */
function inOneLine(fault: unknown): never {
  const [reason] = (fault instanceof Error ? fault.message : String(fault)).split("\n");
  throw new Error(reason, { cause: fault });
}
