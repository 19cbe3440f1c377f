/** The rows of range pages as JSON bytes: a block of rows is printed once, and pages are cut out of the printed bytes. */

import { type CurrencyIndex, currencyCode } from "#domain/currency.ts";
import { type Day, formatDay, formatInstant } from "#domain/day.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import { withDecimals } from "#rates/query.ts";
import type { RangePage } from "#rates/range.ts";
import type { RowBlock, RowSpan } from "#rates/range-blocks.ts";
import type { ListedRow } from "#rates/range-listed.ts";
import { RawJson } from "./encode.ts";

/** Printed rows with a comma after each; row i is at `ends[i - 1]` to `ends[i]`. */
interface Printed {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
}

/** Printed blocks by number of decimals; they go when the block itself goes. */
const printedBlocks = new WeakMap<RowBlock, Map<number | null, Printed>>();

const ENCODER = new TextEncoder();
const OPENING = ENCODER.encode("[");
const CLOSING = ENCODER.encode("]");

/** The page's rows as a JSON array. */
export function rowsJson(page: RangePage, dp: number | null): RawJson {
  if (page.listed !== null) return listedJson(page.listed, dp);
  return page.order === "asc" ? ascending(page.spans, dp) : descending(page.spans, dp);
}

function ascending(spans: readonly RowSpan[], dp: number | null): RawJson {
  const parts: Uint8Array[] = [OPENING];
  for (const [index, span] of spans.entries()) {
    const { bytes, ends } = printedOf(span, dp);
    const end = ends[span.to - 1] as number;
    // The comma after the very last row is left behind.
    const last = index === spans.length - 1 ? end - 1 : end;
    parts.push(bytes.subarray(span.from === 0 ? 0 : ends[span.from - 1], last));
  }
  parts.push(CLOSING);
  return new RawJson(parts);
}

/** Row by row from the end: printed blocks always ascend. */
function descending(spans: readonly RowSpan[], dp: number | null): RawJson {
  const parts: Uint8Array[] = [];
  for (const span of spans) {
    const { bytes, ends } = printedOf(span, dp);
    for (let row = span.to - 1; row >= span.from; row--) {
      parts.push(bytes.subarray(row === 0 ? 0 : ends[row - 1], ends[row]));
    }
  }
  const last = parts.pop();
  return new RawJson([OPENING, ...parts, ...(last === undefined ? [] : [last.subarray(0, -1)]), CLOSING]);
}

/** Rows that no other page shares are printed as they come. */
function listedJson(rows: readonly ListedRow[], dp: number | null): RawJson {
  const text = rows.map((row) => listedRow(row, dp)).join(",");
  return new RawJson([OPENING, ENCODER.encode(text), CLOSING]);
}

function listedRow({ date, source, filled, rates, changes }: ListedRow, dp: number | null): string {
  const values = rates.map(({ symbol, text }) => member(symbol, withDecimals(text, dp)));
  const named = source < 0 ? "null" : `"${DAILY_SOURCES[source]}"`;
  const row = `{"date":"${formatDay(date)}","source":${named},"is_forward_filled":${filled},"rates":{${values.join(",")}}`;
  if (changes === null) return `${row}}`;
  const { updated, withdrawn } = changes;
  const times = updated.map(({ symbol, at }) => member(symbol, `"${formatInstant(at)}"`));
  const revisions = updated.map(({ symbol, revision }) => member(symbol, String(revision)));
  const gone = withdrawn.map((symbol) => `"${currencyCode(symbol)}"`);
  return `${row},"updated_at":{${times.join(",")}},"revisions":{${revisions.join(",")}},"withdrawn":[${gone.join(",")}]}`;
}

function member(symbol: CurrencyIndex, value: string): string {
  return `"${currencyCode(symbol)}":${value}`;
}

function printedOf(span: RowSpan, dp: number | null): Printed {
  let byDecimals = printedBlocks.get(span.block);
  if (byDecimals === undefined) {
    byDecimals = new Map();
    printedBlocks.set(span.block, byDecimals);
  }
  let printed = byDecimals.get(dp);
  if (printed === undefined) {
    printed = print(span, dp);
    byDecimals.set(dp, printed);
  }
  return printed;
}

function print({ block, columns }: RowSpan, dp: number | null): Printed {
  const rows: string[] = [];
  const ends = new Int32Array(block.days.length);
  let end = 0;
  for (let row = 0; row < block.days.length; row++) {
    const day = block.days[row] as Day;
    const rates: string[] = [];
    for (const { to, text, firstDay } of columns) {
      const digits = text[day - firstDay];
      if (digits === undefined) continue;
      rates.push(`"${currencyCode(to)}":${dp === null ? digits : withDecimals(digits, dp)}`);
    }
    const source = DAILY_SOURCES[block.sources[row] as number];
    const filled = block.filled[row] === 1;
    const printed = `{"date":"${formatDay(day)}","source":"${source}","is_forward_filled":${filled},"rates":{${rates.join(",")}}},`;
    rows.push(printed);
    end += printed.length;
    ends[row] = end;
  }
  return { bytes: ENCODER.encode(rows.join("")), ends };
}
