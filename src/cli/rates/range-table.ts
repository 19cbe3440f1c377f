/** A time series as a table, in one call whatever its length. */

import type { Client, Query } from "#cli/ask/client.ts";
import { readDigits } from "#cli/ask/digits.ts";
import { Unreachable } from "#cli/ask/faults.ts";
import { type CommandContext, EXIT, type Screen } from "#cli/command.ts";
import { coloured } from "#cli/show/style.ts";
import { type Cell, type Column, tablePrinter } from "#cli/show/table.ts";
import { shownInstant } from "#cli/show/times.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { Digits } from "#domain/net/message.ts";
import { noticeLines } from "./rate-table.ts";

/** Columns are as wide as the first rows need them; further rows are printed as they come. */
const SAMPLE_ROWS = 10_000;

type Row = Readonly<Record<string, unknown>>;

/** Weeks, months and days have a row with a column a currency; changes, bars and quotes a row each. */
export async function printRangeTable(
  context: CommandContext,
  client: Client,
  query: Query,
): Promise<number> {
  const { terminal } = context;
  const { screen } = terminal;
  const { interval } = query;
  const isDaily = interval === undefined || interval === "1w" || interval === "1mo";
  const layout = isDaily && query["updated_after"] === undefined ? "wide" : "long";
  const response = await client.open("/v1/range", {
    query: { ...query, format: "ndjson", layout: layout === "wide" ? "wide" : query["layout"] },
    headers: { accept: "*/*" },
  });
  const rows = rowsOf(response, client.server.url, context.signal);
  for await (const line of linesOf(screen, rows, layout)) {
    if (!(await terminal.write(`${line}\n`))) return EXIT.done;
  }
  const notice = noticeText(response.headers.get("x-data-mode") === "simulated", isDaily);
  const next = response.headers.get("x-sync-from");
  const sync = next === null ? [] : ["", `next: --updated-after ${next}`];
  for (const line of [...sync, "", ...noticeLines(screen, notice)]) terminal.print(line);
  return EXIT.done;
}

async function* linesOf(
  screen: Screen,
  rows: AsyncGenerator<Row>,
  layout: "wide" | "long",
): AsyncGenerator<string> {
  const sample: Row[] = [];
  while (sample.length < SAMPLE_ROWS) {
    const { value, done } = await rows.next();
    if (done === true) break;
    sample.push(value);
  }
  if (sample.length === 0) {
    yield "there is no row; --fill fills days without a publication";
    return;
  }
  const { columns, cells } = layout === "wide" ? wideForm(sample) : longForm(sample);
  const table = tablePrinter(screen, columns, sample.map(cells));
  yield table.head();
  for (const row of sample) yield table.row(cells(row));
  for await (const row of rows) yield table.row(cells(row));
  if (table.width > screen.columns)
    yield coloured(
      screen,
      "yellow",
      `Lines have ${table.width} characters: name fewer currencies, or write a file with -o`,
    );
}

interface Form {
  readonly columns: readonly Column[];
  cells(row: Row): readonly (string | Cell)[];
}

function wideForm(sample: readonly Row[]): Form {
  const codes = [...new Set(sample.flatMap((row) => Object.keys(ratesOf(row))))];
  return {
    columns: [
      { head: "date" },
      ...codes.map((head) => ({ head, align: "point" }) as const),
      { head: "source", optional: true },
      { head: "", optional: true },
    ],
    cells: (row) => [
      shown(row["date"]),
      ...codes.map((code) => shown(ratesOf(row)[code])),
      shown(row["source"]),
      { text: row["is_forward_filled"] === true ? "filled" : "", colour: "dim" },
    ],
  };
}

/** What every row has in common and is not asked for is left out. */
const LEFT_OUT = ["base", "is_forward_filled", "retrieved_at", "decimals"];

function longForm(sample: readonly Row[]): Form {
  const names = Object.keys(sample[0] ?? {}).filter((name) => !LEFT_OUT.includes(name));
  return {
    columns: names.map((name) => ({
      head: name,
      align: sample.some((row) => row[name] instanceof Digits) ? "point" : "left",
    })),
    cells: (row) => names.map((name) => shown(row[name])),
  };
}

function ratesOf(row: Row): Row {
  return (row["rates"] ?? {}) as Row;
}

function shown(value: unknown): string {
  if (value instanceof Digits) return value.text;
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "";
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? shownInstant(text) : text;
}

/** One object a line. A body that breaks off is a fault, never a short table that looks whole. */
async function* rowsOf(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Row> {
  const decoder = new TextDecoder();
  let rest = "";
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield readDigits(line) as Row;
    }
  } catch (fault) {
    signal.throwIfAborted();
    throw new Unreachable(url, "the answer broke off before its end; run the command again", fault);
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (rest !== "") throw new Unreachable(url, "the answer broke off before its end; run the command again");
}
