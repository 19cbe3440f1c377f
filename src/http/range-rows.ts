/** The rows of range pages as JSON bytes: a block of rows is printed once, and pages are cut out of the printed bytes. */

import { currencyCode } from "#domain/currency.ts";
import { type Day, formatDay } from "#domain/day.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import { withDecimals } from "#rates/query.ts";
import type { RangePage } from "#rates/range.ts";
import type { RowBlock, RowSpan } from "#rates/range-blocks.ts";
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
  const parts: Uint8Array[] = [OPENING];
  for (const [index, span] of page.spans.entries()) {
    const { bytes, ends } = printedOf(span, dp);
    const end = ends[span.to - 1] as number;
    // The comma after the very last row is left behind.
    const last = index === page.spans.length - 1 ? end - 1 : end;
    parts.push(bytes.subarray(span.from === 0 ? 0 : ends[span.from - 1], last));
  }
  parts.push(CLOSING);
  return new RawJson(parts);
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
