/** The rows of JSON pages with their rates as the very digits of the body: what every export is compared with. */

import type { TestApp } from "#test/api/harness.ts";

/** One row of a page; `rates` and the like keep the page's order. */
export interface PageRow {
  readonly date: string;
  readonly source: string | null;
  readonly is_forward_filled: boolean;
  readonly rates: Readonly<Record<string, string>>;
  readonly last_dates?: Readonly<Record<string, string>>;
  readonly updated_at?: Readonly<Record<string, string>>;
  readonly revisions?: Readonly<Record<string, string>>;
  readonly withdrawn?: readonly string[];
  /** Of the page that the row was on. */
  readonly derived: readonly string[];
}

export type Visit = TestApp["visit"];

/** All rows of a range, page by page; none when the whole window holds nothing. */
export async function walkPages(visit: Visit, path: string, limit = 366): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const suffix = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await visit(`${path}&limit=${limit}${suffix}`);
    const body = await response.text();
    if (response.status === 404) return [];
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
    // A number after a currency's code becomes the string of its digits.
    const page = JSON.parse(body.replace(/("[A-Z]{3}"):(-?[0-9][^,}]*)/g, '$1:"$2"'));
    for (const row of page.data) rows.push({ ...row, derived: page.derived_symbols });
    cursor = page.next_cursor;
  }
  return rows;
}

/** The same with the numbers as they are parsed. */
export async function walkNumbers<Row>({ get }: Pick<TestApp, "get">, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ; ) {
    const page: { data: Row[]; next_cursor: string | null } = await get(`${path}${cursor}`);
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** The lines of a CSV without quotes, as objects of its header. */
export function csvRows(text: string): { header: string[]; rows: Record<string, string>[] } {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const header = head.split(",");
  const rows = lines.map((line) => {
    const cells = line.split(",");
    if (cells.length !== header.length) throw new Error(`not as many cells as columns: ${line}`);
    return Object.fromEntries(header.map((name, column) => [name, cells[column] as string]));
  });
  return { header, rows };
}

/** Lines of JSON, the numbers of some members as the strings of their digits. */
export function lineRows(text: string) {
  const lines = text.trimEnd().split("\n");
  return lines.map((line) =>
    JSON.parse(
      line.replace(/("[A-Z]{3}"|"rate"|"derivation_bps_max"|"revision"):(-?[0-9][^,}]*)/g, '$1:"$2"'),
    ),
  );
}

export async function text(visit: Visit, path: string): Promise<string> {
  const response = await visit(path);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
  return body;
}

/** A line as a CSV would have it: null is empty. */
export function asCells(line: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );
}
