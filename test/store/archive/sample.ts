/** Quotes for the tests, and an analyst's DuckDB that reads the files as documented. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FeedId, type LiveQuote, QUOTE_DIGITS } from "#domain/live/live-quote.ts";
import { type Archive, type ArchiveOptions, openQuoteArchive } from "#store/archive/archive.ts";
import { formatLine, segmentFile } from "#store/archive/journal/journal.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { query as ask } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function at(text: string): number {
  return Date.parse(text);
}

export function quote(
  pair: string,
  mid: string,
  observedAt: number,
  rest: Partial<Pick<LiveQuote, "bid" | "ask" | "retrievedAt">> & { feed?: FeedId } = {},
): LiveQuote {
  return quoteOfPair(pair, mid, observedAt, { feed: "coinbase", retrievedAt: observedAt + 800, ...rest });
}

/** A positive decimal of at most QUOTE_DIGITS significant digits, zeros at its end as likely as any other digit. */
export function randomDigits(random: () => number): string {
  const count = 1 + Math.floor(random() * QUOTE_DIGITS);
  const digits = Array.from({ length: count }, (_, nth) =>
    Math.floor(nth === 0 ? 1 + random() * 9 : random() * 10),
  );
  const scale = Math.floor(random() * 22);
  const text = digits.join("").padStart(scale + 1, "0");
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** The journal as a dead writer would have left it. */
export function leaveSegment(directory: string, number: number, text: string): void {
  const path = join(directory, segmentFile(number));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function linesOf(quotes: readonly LiveQuote[]): string {
  return quotes.map((quote) => `${formatLine(quote)}\n`).join("");
}

const DOCUMENTED = "current/intraday/*/quotes.parquet";

/** Rows of a query over the documented pattern, written `{quotes}`; none when there is no file yet. */
export async function query(directory: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  if (new Bun.Glob(DOCUMENTED).scanSync(directory).next().done) return [];
  return await ask(sql.replaceAll("{quotes}", `read_parquet('${directory}/${DOCUMENTED}')`));
}

/** Every stored quote as one line, in the order of the files. */
export async function stored(directory: string): Promise<readonly string[]> {
  const found = await query(
    directory,
    `SELECT concat_ws(' ', feed, base, quote, epoch_ms(observed_at), epoch_ms(retrieved_at), coalesce(bid::VARCHAR, '-'),
       coalesce(ask::VARCHAR, '-'), printf('%.' || decimals || 'f', mid)) AS line
     FROM {quotes}`,
  );
  return found.map(({ line }) => String(line));
}

export function lineOf({ feed, base, quote, observedAt, retrievedAt, bid, ask, mid }: LiveQuote): string {
  const number = (text: string | null) => (text === null ? "-" : duckText(Number(text)));
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt} ${number(bid)} ${number(ask)} ${mid}`;
}

function duckText(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** In a temporary directory unless another is given, closed when the test file is done. */
export async function openTemporary(
  directory: string = temporaryDirectory(),
  options: Partial<ArchiveOptions> = {},
): Promise<Archive> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", ...options });
  atEnd(() => archive.close().catch(() => {}));
  return archive;
}
