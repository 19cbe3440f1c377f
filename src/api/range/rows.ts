/** The rows of range pages as JSON bytes. A block of rows is printed once; pages are cut from the printed bytes. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { hasValue, textAt } from "#domain/history/series.ts";
import { RawJson } from "#domain/net/message.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { type Day, formatDay, formatInstant } from "#domain/time/day.ts";
import type { RowSpan } from "#rates/range/days.ts";
import type { RangePage } from "#rates/range/range.ts";
import type { ListedRow } from "#rates/range/rows.ts";

/** Printed rows with a comma after each; row i is the bytes from `ends[i - 1]` to before `ends[i]`. */
interface Printed {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
}

export type PrintedRows = Cache<string, Printed>;

export function newPrintedRows(caches: CacheBudget): PrintedRows {
  return caches.cache("printed_rows", { share: 0.5 });
}

const ENCODER = new TextEncoder();
const OPENING = ENCODER.encode("[");
const CLOSING = ENCODER.encode("]");

export function rowsJson(cache: PrintedRows, page: RangePage, dp: number | null): RawJson {
  if (page.listed !== null) {
    const text = page.listed.map((row) => listedRow(row, dp)).join(",");
    return new RawJson([OPENING, ENCODER.encode(text), CLOSING]);
  }
  const cut = page.order === "asc" ? ascending : descending;
  const spans = page.spans.map((span) => ({ ...printedOf(cache, span, dp), from: span.from, to: span.to }));
  const places = spans.map(({ key, from, to }) => ({ key, from, to }));
  return new RawJson(cut(spans), () => {
    const again: PrintedSpan[] = [];
    for (const { key, from, to } of places) {
      const printed = cache.get(key);
      if (printed === undefined) return null;
      again.push({ ...printed, from, to });
    }
    return cut(again);
  });
}

interface PrintedSpan extends Printed {
  readonly from: number;
  readonly to: number;
}

function ascending(spans: readonly PrintedSpan[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [OPENING];
  for (const [index, { bytes, ends, from, to }] of spans.entries()) {
    const end = ends[to - 1] as number;
    // The last row leaves out its comma.
    const last = index === spans.length - 1 ? end - 1 : end;
    parts.push(bytes.subarray(from === 0 ? 0 : ends[from - 1], last));
  }
  parts.push(CLOSING);
  return parts;
}

/** Copies row by row from the end: printed blocks always ascend. */
function descending(spans: readonly PrintedSpan[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const { bytes, ends, from, to } of spans) {
    for (let row = to - 1; row >= from; row--) {
      parts.push(bytes.subarray(row === 0 ? 0 : ends[row - 1], ends[row]));
    }
  }
  const last = parts.pop();
  return [OPENING, ...parts, ...(last === undefined ? [] : [last.subarray(0, -1)]), CLOSING];
}

function listedRow({ date, source, filled, rates, changes }: ListedRow, dp: number | null): string {
  const values = rates.map(({ symbol, text }) => member(symbol, withDecimals(text, dp)));
  const named = source < 0 ? "null" : `"${DAILY_SOURCES[source]}"`;
  const row = `{"date":"${formatDay(date)}","source":${named},"is_forward_filled":${filled},"rates":{${values.join(",")}}`;
  if (changes === null) {
    const days = rates.map(({ symbol, to }) => member(symbol, `"${formatDay(to as Day)}"`));
    return `${row},"last_dates":{${days.join(",")}}}`;
  }
  const { updated, withdrawn } = changes;
  const times = updated.map(({ symbol, at }) => member(symbol, `"${formatInstant(at)}"`));
  const revisions = updated.map(({ symbol, revision }) => member(symbol, String(revision)));
  const gone = withdrawn.map((symbol) => `"${currencyCode(symbol)}"`);
  return `${row},"updated_at":{${times.join(",")}},"revisions":{${revisions.join(",")}},"withdrawn":[${gone.join(",")}]}`;
}

function member(symbol: CurrencyIndex, value: string): string {
  return `"${currencyCode(symbol)}":${value}`;
}

function printedOf(cache: PrintedRows, span: RowSpan, dp: number | null): Printed {
  const key = `${span.block.key} ${dp}`;
  let printed = cache.get(key);
  if (printed === undefined) {
    printed = { key, ...print(span, dp) };
    cache.set(key, printed, printed.bytes.byteLength + printed.ends.byteLength + key.length);
  }
  return printed;
}

function print({ block, columns }: RowSpan, dp: number | null): Omit<Printed, "key"> {
  const writer = newAsciiWriter();
  const names = columns.map(({ to }) => ENCODER.encode(`"${currencyCode(to)}":`));
  const ends = new Int32Array(block.days.length);
  for (let row = 0; row < block.days.length; row++) {
    const day = block.days[row] as Day;
    const source = DAILY_SOURCES[block.sources[row] as number];
    const filled = block.filled[row] === 1;
    writer.text(`{"date":"${formatDay(day)}","source":"${source}","is_forward_filled":${filled},"rates":{`);
    let isFirst = true;
    for (const [index, column] of columns.entries()) {
      const at = day - column.firstDay;
      if (!hasValue(column, at)) continue;
      if (!isFirst) writer.text(",");
      isFirst = false;
      writer.bytes(names[index] as Uint8Array);
      if (dp === null) writer.bytes(column.digits, column.ends[at], column.ends[at + 1]);
      else writer.text(withDecimals(textAt(column, at), dp));
    }
    writer.text("}},");
    ends[row] = writer.length;
  }
  return { bytes: writer.take(), ends };
}

/** Assembles ASCII bytes: printed digits are copied without making a string of each. `room`: bytes that it holds before it grows. */
function newAsciiWriter(room = 64 * 1024) {
  let buffer = Buffer.allocUnsafeSlow(room);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    /** Bytes written since the last `take`. */
    get length() {
      return length;
    },
    text(ascii: string): void {
      reserve(ascii.length);
      length += buffer.write(ascii, length, "latin1");
    },
    /** The whole source by default. */
    bytes(source: Uint8Array, from = 0, to = source.byteLength): void {
      reserve(to - from);
      // Most pieces are a few bytes, for which a loop is quicker than a view and its copy.
      const target = buffer;
      let at = length;
      for (let index = from; index < to; index++) target[at++] = source[index] as number;
      length = at;
    },
    /** A copy of what was written; the writer is empty then. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = new Uint8Array(length);
      taken.set(buffer.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}
