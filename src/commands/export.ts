/** `crossrate export`: writes a whole window as one file, the same bytes as GET /v1/range, without a server. */

import { type CommandContext, UsageFault } from "#cli/command.ts";
import { partFile, passingSink, type Sink } from "#cli/download.ts";
import { printedBytes, printedCount } from "#cli/show.ts";
import { type WindowOptions, windowOf } from "#cli/words.ts";
import { Failure } from "#domain/faults/errors.ts";
import { EXPORT_FORMATS } from "#domain/history/rate-columns.ts";
import { withProductOrPackaged } from "./open-product.ts";

/** The parameters of GET /v1/range that have an option: `start_date` is --start, `as_of` is --as-of. */
const PARAMETERS = [
  ...["symbols", "start_date", "end_date", "base", "format", "layout", "fill", "interval", "aggregate"],
  ...["order", "side", "dp", "as_of", "as_of_basis", "updated_after"],
];
const optionOf = (parameter: string) => parameter.replace("_date", "").replaceAll("_", "-");

/** By the names of the options in camel case. */
export type ExportOptions = Readonly<Record<string, string | undefined>> &
  WindowOptions & { readonly out?: string; readonly demo?: true };

/** `query` reads a value by the name of the HTTP parameter. */
export function exportRequest(options: ExportOptions, words: readonly string[] = []) {
  const window: Readonly<Record<string, string | undefined>> = windowOf(words, options);
  const query = (parameter: string) =>
    PARAMETERS.includes(parameter)
      ? (window[parameter] ??
        options[optionOf(parameter).replace(/-\w/g, (part) => part.slice(1).toUpperCase())])
      : undefined;
  const extension = /\.([^./]+)$/.exec(options.out ?? "")?.[1];
  const name = (query("format") ?? extension)?.toLowerCase();
  return { query, format: EXPORT_FORMATS.find((format) => format === name) ?? "csv" };
}

/** Rewrites a refusal for the command line: with options for parameters, as a UsageFault when they are wrong. */
export function asFlagMessage(fault: unknown): unknown {
  if (!(fault instanceof Failure)) return fault;
  let text = fault.message.replace("see /status", "run crossrate backfill first");
  for (const parameter of PARAMETERS) {
    const option = `--${optionOf(parameter)}`;
    text = parameter.includes("_")
      ? text.replace(new RegExp(`\\b${parameter}\\b(?! of)`, "g"), option)
      : text.replace(new RegExp(`^${parameter}\\b|(?<=leave )${parameter}\\b`, "g"), option);
    text = text.replace(new RegExp(`(?<![-\\w])${parameter}=`, "g"), `${option} `);
  }
  return fault.status === 400 ? new UsageFault(text) : new Error(text, { cause: fault });
}

const SIMULATED = "SIMULATED rates: numbers are made up and must not be used";

export async function exportWindow(
  context: CommandContext,
  options: ExportOptions,
  words: readonly string[],
): Promise<number> {
  const { terminal } = context;
  const { out, demo = false } = options;
  const { query, format } = exportRequest(options, words);
  const sink = out === undefined ? passingSink(terminal.write) : await partFile(out, null);
  try {
    return await withProductOrPackaged(
      context,
      async (crossrate) => {
        const file = await crossrate.exportFile(query, format, context.signal);
        const isSimulated = demo && file.simulated?.codes.length !== 0;
        // The screen shows either the data or the bar.
        const isBarShown = out !== undefined || !terminal.screen.isTerminal;
        const progress: Progress = isBarShown ? terminal.progress : () => {};
        const bytes = await pour(file.bytes, sink, progress, file.expectedBytes, context.signal);
        if (out === undefined || bytes === null) {
          if (isSimulated) terminal.complain(SIMULATED);
          return 0;
        }
        const rows = file.rows === null ? "" : `${printedCount(file.rows)} rows, `;
        terminal.print(
          `${out}: ${format}, ${rows}${printedBytes(bytes)}${isSimulated ? ", SIMULATED rates" : ""}`,
        );
        if (file.syncFrom !== null) terminal.print(`next: --updated-after ${file.syncFrom}`);
        return 0;
      },
      { simulated: demo },
    );
  } catch (fault) {
    throw asFlagMessage(fault);
  } finally {
    await sink.close();
  }
}

type Progress = (label: string, done: number, total: number) => void;

/** Resolves with the number of bytes under their final name; with null when the reader of the output left early. */
async function pour(
  stream: ReadableStream<Uint8Array>,
  sink: Sink,
  progress: Progress,
  expectedBytes: number,
  signal: AbortSignal,
): Promise<number | null> {
  const reader = stream.getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value } = await reader.read().catch(inOneLine);
      if (value === undefined) break;
      if (!(await sink.append(value))) return null;
      // The size is an estimate: only a finished export shows the last percent.
      progress("export", Math.min(sink.size, Math.floor(expectedBytes * 0.99)), expectedBytes);
    }
    signal.throwIfAborted();
    await sink.finish();
    progress("export", 1, 1);
    return sink.size;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The engine adds paragraphs of advice to a fault; the reason is in the first line. */
function inOneLine(fault: unknown): never {
  const [reason] = (fault instanceof Error ? fault.message : String(fault)).split("\n");
  throw new Error(reason, { cause: fault });
}
