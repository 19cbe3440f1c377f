/** `crossrate convert --file`: a table of amounts, each at the rate of its own day, in as many calls as it needs. */

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Failure, type ValidationIssue } from "#domain/faults/errors.ts";
import { type DatedSheet, itemsOfSheet, MOST_DATED, readDatedSheet } from "#domain/rates/dated.ts";
import type { CsvRecord } from "#domain/text/csv.ts";
import { type Client, clientOf, Refusal } from "./client.ts";
import { type CommandContext, EXIT, UsageFault } from "./command.ts";
import { fileSink } from "./download.ts";
import { printable, printedCount } from "./show.ts";

export interface FileOptions {
  readonly file: string;
  readonly out?: string;
  readonly url?: string;
}

/** A call's body stays below the server's bound. */
const MOST_BYTES = 240_000;
/** Longer than two windows of a limit per minute: a full one counts to the end of the next, and servers round up. */
const LONGEST_WAIT_SECONDS = 130;

/** Every row is converted, or nothing is written. */
export async function convertFile(context: CommandContext, { file, out, url }: FileOptions): Promise<number> {
  if (out !== undefined && resolve(out) === resolve(file))
    throw new UsageFault(`${out} is the file itself: name another one for the answer`);
  const { terminal } = context;
  const faults: string[] = [];
  const sheet = await sheetIn(file, faults);
  const client = await clientOf(context, url);
  const parts = [sheet?.mark ?? ""];
  let most = MOST_DATED;
  for (let done = 0; sheet !== null && done < sheet.rows.length; ) {
    const rows = pieceOf(sheet, done, most);
    if (rows.length < sheet.rows.length)
      terminal.note(`${printedCount(done)} of ${printedCount(sheet.rows.length)} rows`);
    try {
      parts.push(await convertRows(client, sheet, rows, done === 0));
    } catch (fault) {
      const fewer = fewerRows(fault, rows.length);
      if (fewer !== null) {
        most = fewer;
        continue;
      }
      const isOfRows =
        fault instanceof Refusal && fault.code === "validation_error" && fault.issues.length > 0;
      if (!isOfRows) throw await withPart(fault, parts, done, out);
      faults.push(...fault.issues.map((issue) => inFile(issue, sheet, rows)));
    }
    done += rows.length;
  }
  terminal.note("");
  if (faults.length > 0 || sheet === null) {
    for (const fault of faults) terminal.complain(`${file}, ${printable(fault)}`);
    terminal.complain("nothing was converted");
    return EXIT.refused;
  }
  if (out === undefined) await terminal.write(parts.join(""));
  else {
    const sink = await fileSink(out);
    try {
      await sink.append(new TextEncoder().encode(parts.join("")));
      await sink.finish();
    } finally {
      await sink.close();
    }
    terminal.complain(`${out}: ${printedCount(sheet.rows.length)} rows`);
  }
  return EXIT.done;
}

/** Reads and checks the sheet before any call. Null when it has faults, which are added to `faults`. */
async function sheetIn(file: string, faults: string[]): Promise<DatedSheet | null> {
  const bytes = await readFile(file).catch((fault: NodeJS.ErrnoException) => {
    throw new Error(fault.code === "ENOENT" ? `${file}: no such file` : `${file}: ${fault.message}`);
  });
  try {
    const sheet = readDatedSheet(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    itemsOfSheet(sheet);
    return sheet;
  } catch (fault) {
    if (fault instanceof TypeError) throw new Error(`${file} is not text in UTF-8: save it as CSV UTF-8`);
    if (!(fault instanceof Failure)) throw fault;
    const issues = fault.details.members?.["errors"] as readonly ValidationIssue[] | undefined;
    faults.push(...(issues?.map(({ path, message }) => `${path}: ${message}`) ?? [fault.message]));
    return null;
  }
}

function pieceOf({ header, rows }: DatedSheet, start: number, most: number): readonly CsvRecord[] {
  let bytes = Buffer.byteLength(header.text);
  let end = start;
  for (; end < rows.length && end - start < most; end++) {
    bytes += Buffer.byteLength(rows[end]?.text ?? "") + 2;
    if (bytes > MOST_BYTES && end > start) break;
  }
  return rows.slice(start, end);
}

async function convertRows(
  client: Client,
  { header }: DatedSheet,
  rows: readonly CsvRecord[],
  isFirst: boolean,
): Promise<string> {
  const { text } = await client.read("/v1/convert/dated", {
    method: "POST",
    headers: { "content-type": "text/csv", accept: "text/csv" },
    body: [header, ...rows].map(({ text }) => `${text}\r\n`).join(""),
    waits: LONGEST_WAIT_SECONDS,
  });
  return isFirst ? text : text.slice(text.indexOf("\r\n", header.text.length) + 2);
}

/**
 * The most rows for the next call, when this one had more than the caller's plan allows; null for any other fault. Half of
 * the limit: a call of all of it fits only while no other call uses the key, and after a wait of two windows.
 */
function fewerRows(fault: unknown, rows: number): number | null {
  if (!(fault instanceof Refusal) || fault.code !== "invalid_request" || rows === 1) return null;
  const { limit } = fault;
  return Math.ceil((limit !== null && limit < rows ? limit : rows) / 2);
}

/** "line 3, date: …": replaces the line of the call by the line of the file. */
function inFile(issue: string, { header }: DatedSheet, rows: readonly CsvRecord[]): string {
  let line = 1;
  const lines = [header, ...rows].map((row) => {
    const at = line;
    line += row.text.split(/\r\n|\r|\n/).length;
    return [at, row.line] as const;
  });
  return issue.replace(/^line (\d+)/, (_, sent) => `line ${new Map(lines).get(Number(sent)) ?? sent}`);
}

/** Writes what earlier calls converted to `OUT.part`, because each row was charged, and says so in the fault. */
async function withPart(
  fault: unknown,
  parts: readonly string[],
  done: number,
  out: string | undefined,
): Promise<unknown> {
  if (done === 0 || out === undefined || !(fault instanceof Error)) return fault;
  await writeFile(`${out}.part`, parts.join(""));
  fault.message += `; ${out}.part has the first ${printedCount(done)} rows`;
  return fault;
}
