/** `crossrate range`: a time series as a table, as the server's pages, or as one file. */

import type { Read } from "#api/forms.ts";
import type { RangeResponse } from "#api/range/page.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { PERIODS, printedLastDates } from "#domain/history/periods.ts";
import { EXPORT_FORMATS, type ExportFormat } from "#domain/history/rate-columns.ts";
import { isExactNumber, parseExact } from "#domain/net/message.ts";
import { type Client, clientOf, type Query } from "./client.ts";
import { type CommandContext, UsageFault } from "./command.ts";
import { download, fileSink, passingSink, WAITS_SECONDS } from "./download.ts";
import {
  type Cell,
  type Column,
  coloured,
  printedBytes,
  printNotice,
  shownInstant,
  tableOf,
} from "./show.ts";
import { type Outputs, parametersOf, windowOf } from "./words.ts";

const PATH = "/v1/range";

export interface RangeOptions extends Outputs {
  readonly out?: string;
  readonly format?: string;
  /** True (a flag) in `crossrate range`; `none` or `previous` in `crossrate export`. */
  readonly fill?: true | string;
}

export async function range(context: CommandContext, options: RangeOptions, words: readonly string[]) {
  const query = queryOf(options, words);
  const { out = null, json = false } = options;
  const format = namedFormat(options);
  if (out !== null && format === null)
    throw new UsageFault(
      `${out}: its extension must be one of ${EXPORT_FORMATS.join(", ")}, or name --format`,
    );
  if (json && format !== null) throw new UsageFault(`--json and ${format}: choose one of them`);
  const client = await clientOf(context, options.url);
  if (json) return await printPages(context, client, query);
  if (format !== null) return await save(context, client, { ...query, format }, out, format);
  return await printRangeTable(context, client, query);
}

/** The query of GET /v1/range, without a format. */
export function queryOf({ format: _, fill, ...options }: RangeOptions, words: readonly string[]): Query {
  return {
    ...windowOf(words),
    ...parametersOf(options),
    fill: fill === true ? "previous" : fill,
  };
}

/** The format by --format or --csv, else by the extension of --out; null without a known one. */
export function namedFormat({ format: named, out, csv }: RangeOptions): ExportFormat | null {
  const extension = /\.([^./]+)$/.exec(out ?? "")?.[1];
  const text = (named ?? (csv ? "csv" : extension))?.toLowerCase();
  return EXPORT_FORMATS.find((candidate) => candidate === text) ?? null;
}

async function printPages({ terminal }: CommandContext, client: Client, query: Query) {
  let cursor: string | undefined;
  do {
    const page = await client.ask<Read<typeof RangeResponse>>(PATH, { query: { ...query, cursor } });
    if (!(await terminal.write(`${page.text}\n`))) break;
    cursor = page.content.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

const SIMULATED = "SIMULATED rates";

/** Writes to `out`, or to standard output. */
export async function save(
  context: CommandContext,
  client: Client,
  query: Query,
  out: string | null,
  format: ExportFormat,
) {
  const { terminal, clock, signal } = context;
  const label = out ?? "standard output";
  const isHere = client.server.chosenBy === "here";
  const sink = out === null ? passingSink((bytes) => terminal.write(bytes)) : await fileSink(out);
  try {
    // The screen shows either the data or its progress.
    const isShown = out !== null && terminal.screen.isTerminal;
    const line = (at: number, total: number | null) =>
      total === null ? terminal.note(`${label}  ${printedBytes(at)}`) : terminal.progress(label, at, total);
    const { isComplete, bytes, headers } = await download(client, {
      path: PATH,
      query,
      sink,
      signal,
      clock,
      waits: isHere ? [] : WAITS_SECONDS,
      progress: isShown ? line : () => {},
      cut: (at, wait) =>
        terminal.complain(`${label}: cut at ${printedBytes(at)}; it is continued in ${wait} s`),
    });
    if (isComplete) await sink.finish();
    const isSimulated = headers.get("x-data-mode") === "simulated";
    if (out === null) {
      if (isHere && isSimulated) terminal.complain(`${SIMULATED}: numbers are made up and must not be used`);
    } else {
      terminal.note("");
      terminal.print(`${out}: ${format}, ${printedBytes(bytes)}${isSimulated ? `, ${SIMULATED}` : ""}`);
      const next = headers.get("x-sync-from");
      if (next !== null) terminal.print(`next: --updated-after ${next}`);
    }
  } finally {
    await sink.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Days and periods have one row with a column per currency; each change, bar and quote has its own row. */
async function printRangeTable({ terminal }: CommandContext, client: Client, query: Query): Promise<void> {
  const { screen } = terminal;
  const { interval } = query;
  const isDaily = interval === undefined || PERIODS.some((period) => period === interval);
  const layout = isDaily && query["updated_after"] === undefined ? "wide" : "long";
  const { text, headers } = await client.read(PATH, {
    query: { ...query, format: "ndjson", layout: layout === "wide" ? "wide" : query["layout"] },
    headers: { accept: "*/*" },
  });
  const rows = text
    .split("\n")
    .slice(0, -1)
    .map((line) => parseExact(line) as Row);
  const codes = [...new Set(rows.flatMap((row) => Object.keys(ratesOf(row))))];
  const { columns, cells } = layout === "wide" ? wideForm(codes, interval !== undefined) : longForm(rows);
  const { width, lines } = tableOf(screen, columns, rows.map(cells));
  const shown = rows.length === 0 ? ["there is no row; --fill fills days without a publication"] : lines;
  if (!(await terminal.write(`${shown.join("\n")}\n`))) return;
  if (width > screen.columns)
    terminal.print(
      coloured(
        screen,
        "yellow",
        `Lines have ${width} characters: name fewer currencies, or write a file with -o`,
      ),
    );
  const next = headers.get("x-sync-from");
  if (next !== null) terminal.print(`\nnext: --updated-after ${next}`);
  const asked = layout === "wide" ? (query["symbols"] ?? "").split(",") : [];
  // The column of a simulated rate is `USD_simulated`.
  const present = new Set(codes.map((name) => name.split("_")[0]));
  const missing = asked.filter((code) => code !== "*" && !present.has(code));
  printNotice(terminal, noticeText(headers.get("x-data-mode") === "simulated", isDaily), missing);
}

interface Form {
  readonly columns: readonly Column[];
  cells(row: Row): readonly (string | Cell)[];
}

/** A period is named by its first day; `last` is the last that counts in its rates. */
function wideForm(codes: readonly string[], isPeriod: boolean): Form {
  return {
    columns: [
      { head: isPeriod ? "from" : "date" },
      ...(isPeriod ? [{ head: "last" }] : []),
      ...codes.map((head) => ({ head, align: "point" }) as const),
      { head: "source", optional: true },
      { head: "", optional: true },
    ],
    cells: (row) => [
      shown(row["date"]),
      ...(isPeriod ? [printedLastDates((row["last_dates"] ?? {}) as Record<string, string>)] : []),
      ...codes.map((code) => shown(ratesOf(row)[code])),
      shown(row["source"]),
      { text: row["is_forward_filled"] === true ? "filled" : "", colour: "dim" },
    ],
  };
}

/** Members that a table on the screen leaves out. */
const LEFT_OUT = ["base", "is_forward_filled", "retrieved_at", "decimals"];

function longForm(rows: readonly Row[]): Form {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !LEFT_OUT.includes(name));
  return {
    columns: names.map((name) => ({
      head: name,
      align: rows.some((row) => isExactNumber(row[name])) ? "point" : "left",
    })),
    cells: (row) => names.map((name) => shown(row[name])),
  };
}

function ratesOf(row: Row): Row {
  return (row["rates"] ?? {}) as Row;
}

function shown(value: unknown): string {
  if (isExactNumber(value)) return value.rawJSON;
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "";
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? shownInstant(text) : text;
}
