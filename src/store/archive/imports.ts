/** Imports files of quotes from elsewhere: reads and stages a file date by date, then commits all of it in one step, or nothing. */

import { linkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import {
  type FileWishes,
  formOf,
  newQuoteReader,
  PRICE_SIDES,
  type Price,
  QuoteFileFault,
  type QuoteImport,
  type TakeQuote,
} from "#domain/live/quote-file.ts";
import {
  type Day,
  dayAt,
  formatDay,
  formatInstant,
  type Instant,
  MILLISECONDS_PER_DAY,
} from "#domain/time/day.ts";
import { sha256Of } from "#store/delta/damage.ts";
import { type Add, removalOf, type Snapshot, statsOf, type Txn } from "#store/delta/snapshot.ts";
import { onNewest } from "#store/delta/table.ts";
import { replacePartitions } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { claim } from "#store/disk/writer-lock.ts";
import { openColumnAppender } from "#store/parquet/append.ts";
import { fill, type NumberColumn, withEngine } from "#store/parquet/engine.ts";
import { commitDates, type FlushParts, ROW_GROUP_ROWS, storedRows, writeDate } from "./changes.ts";
import { INTRADAY_FOLDER } from "./journal/journal.ts";
import importedRowsSql from "./sql/merge/imported-rows.sql" with { type: "text" };
import stageDateSql from "./sql/merge/stage-date.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

const MARK = "crossrate/import/";
/** This version marks a removed import. The version of any other is its number of quotes, at least one. */
const REMOVED = 0;

/** Returns the imports of a version, in the order of their first quote. An import is recorded in the commit of its quotes. */
export function importsIn({ txns }: Snapshot): readonly QuoteImport[] {
  return [...txns.values()]
    .filter(({ appId, version }) => appId.startsWith(MARK) && version !== REMOVED)
    .map(importOf)
    .sort((a, b) => a.first - b.first);
}

function importOf({ appId, version, lastUpdated }: Txn): QuoteImport {
  const [sha256 = "", query = ""] = appId.slice(MARK.length).split("?");
  const facts = new URLSearchParams(query);
  return {
    file: facts.get("file") ?? "",
    sha256,
    label: facts.get("label"),
    base: facts.get("base") as CurrencyCode,
    quote: facts.get("quote") as CurrencyCode,
    rows: facts.get("rows") === "minutes" ? "minutes" : "ticks",
    price: PRICE_SIDES.find((side) => side === facts.get("price")) ?? "mid",
    first: Number(facts.get("first")),
    last: Number(facts.get("last")),
    quotes: version,
    importedAt: lastUpdated,
  };
}

function txnOf(made: QuoteImport): Txn {
  const { file, label, base, quote, rows, price, first, last } = made;
  const facts = {
    file,
    base,
    quote,
    rows,
    price,
    first: String(first),
    last: String(last),
    ...(label !== null && { label }),
  };
  const appId = `${MARK}${made.sha256}?${new URLSearchParams(facts)}`;
  return { appId, version: made.quotes, lastUpdated: made.importedAt };
}

export interface ImportOrder {
  readonly path: string;
  /** Earlier quotes are refused. */
  readonly from: Instant;
  /** Units of the quote per base on a day, by daily reference rates; null without such rates. */
  readonly reference: (base: CurrencyCode, quote: CurrencyCode, day: Day) => number | null;
  readonly wishes: FileWishes;
  readonly label: string | null;
  readonly progress: (done: number, total: number) => void;
}

/** The folder of staged files, for one importer at a time. Readers and clean-up ignore it: its names are not those of data files. */
const STAGE = `${INTRADAY_FOLDER}/.import`;
const IMPORTER_LOCK = `${INTRADAY_FOLDER}/.importer.sqlite`;

/**
 * Imports one file. The whole file is read and checked before the first change. Then one commit adds its quotes and its record. Rejects
 * with QuoteFileFault, LakeBusy, LakeDamaged or the file system's fault; nothing has changed then. `isNew` false: the archive had the file
 * already.
 */
export async function importQuotes(parts: Omit<FlushParts, "pending">, order: ImportOrder) {
  const { directory, table, storage, snapshot, lock, engine, now } = parts;
  const importer = await claim(join(directory, IMPORTER_LOCK), 0);
  const stage = join(directory, STAGE);
  try {
    rmSync(stage, { recursive: true, force: true });
    const sha256 = await sha256Of(order.path);
    const earlier = importsIn(snapshot()).find((each) => each.sha256 === sha256);
    if (earlier !== undefined) {
      const { quotes } = await engine.use((connection) => quotesOf(parts, snapshot(), earlier, connection));
      // Days beyond INTRADAY_DAYS were removed on purpose.
      if (quotes < earlier.quotes && earlier.first >= order.from)
        throw new Error(
          `${order.path}: a repair has left ${quotes} of its ${earlier.quotes} quotes in the archive; crossrate import remove ${sha256}, and import it again`,
        );
      return { import: earlier, isNew: false, rows: 0 };
    }
    makeFolder(stage);
    const stagedFile = (date: Day) => join(stage, formatDay(date));
    const staged = await withEngine(
      directory,
      (connection) => stageFile(connection, order, now(), stagedFile),
      // One thread writes files while this one reads lines. DuckDB keeps its memory for the next file.
      { threads: 1, returnsMemory: false },
    );
    if (staged.sha256 !== sha256) throw new Error(`${order.path} changed while it was read: import it again`);
    const { import: made, dates } = staged;
    const commit = async (connection: DuckDBConnection) => {
      const before = snapshot();
      const other = importsIn(before).find((each) => overlaps(each, made));
      if (other !== undefined) {
        const range = `${formatInstant(other.first)} to ${formatInstant(other.last)}`;
        throw new QuoteFileFault(
          1,
          `the archive has ${made.base}/${made.quote} from ${range} by ${other.file}: leave these rows out`,
        );
      }
      const files = filesByDate(before);
      const old = dates.flatMap((date) => files.get(date) ?? []);
      await table.verifier.require(old);
      const replacements = dates.map((date) => {
        const old = files.get(date);
        const write = async (target: string) => {
          if (old === undefined) return linkSync(stagedFile(date), target);
          await writeDate(connection, storedRows([stagedFile(date), table.pathOf(old)]), target);
        };
        return { partition: { date: formatDay(date) }, write };
      });
      const actions = await replacePartitions(table, before, connection, replacements, now());
      await commitDates(parts, before, [...actions, { txn: txnOf(made) }], "WRITE", connection);
    };
    await lock.exclusive(() => onNewest(storage, () => engine.use(commit)));
    return { import: made, isNew: true, rows: staged.rows };
  } finally {
    rmSync(stage, { recursive: true, force: true });
    await importer.release();
  }
}

/** Selects all quotes but those of one import. Its range identifies them: no two imports of a currency overlap. */
const OTHERS =
  "FROM read_parquet({files}, hive_partitioning = false, filename = true) WHERE NOT " +
  "(feed = 'imported' AND base = {base} AND quote = {quote} AND epoch_ms(observed_at) BETWEEN {first} AND {last})";

/** `removed` is null unless exactly one import has the name; `imports` are then those to choose from. */
export type ImportRemoval =
  | { readonly removed: QuoteImport; readonly quotes: number; readonly dates: number }
  | { readonly removed: null; readonly imports: readonly QuoteImport[] };

/** Removes an import by its file's name or SHA-256, in one commit. Rejects with LakeBusy, LakeDamaged or the file system's fault. */
export async function removeImport(parts: Omit<FlushParts, "pending">, name: string): Promise<ImportRemoval> {
  const { table, storage, snapshot, lock, engine, now } = parts;
  const remove = async (connection: DuckDBConnection): Promise<ImportRemoval> => {
    const before = snapshot();
    const imports = importsIn(before);
    const named = imports.filter(({ file, sha256 }) => file === name || sha256 === name);
    const [made] = named;
    if (made === undefined || named.length > 1)
      return { removed: null, imports: made === undefined ? imports : named };
    const { quotes, files, others, remaining } = await quotesOf(parts, before, made, connection);
    const rewritten = files.filter((add) => remaining.has(table.pathOf(add)));
    const replacements = rewritten.map((add) => {
      const write = (target: string) => writeDate(connection, others([table.pathOf(add)]), target);
      return { partition: add.partitionValues, write };
    });
    const emptied = files.filter((add) => !remaining.has(table.pathOf(add)));
    const actions = [
      ...emptied.map((add) => removalOf(add, now())),
      ...(await replacePartitions(table, before, connection, replacements, now())),
      { txn: { ...txnOf(made), version: REMOVED, lastUpdated: now() } },
    ];
    await commitDates(parts, before, actions, "DELETE");
    return { removed: made, quotes, dates: files.length };
  };
  return await lock.exclusive(() => onNewest(storage, () => engine.use(remove)));
}

/** The files with dates of an import, its quotes in them, and the number of other quotes in each. Rejects with LakeDamaged. */
async function quotesOf(
  { table }: Pick<FlushParts, "table">,
  before: Snapshot,
  { base, quote, first, last }: QuoteImport,
  connection: DuckDBConnection,
) {
  const byDate = filesByDate(before);
  const files = datesIn(before, dayAt(first), dayAt(last)).map((date) => byDate.get(date) as Add);
  await table.verifier.require(files);
  const others = (paths: readonly string[]) => fill(OTHERS, { files: paths, base, quote, first, last });
  const remaining =
    files.length === 0
      ? new Map<string, number>()
      : await rowsByPath(connection, others(files.map(table.pathOf)));
  const kept = [...remaining.values()].reduce((sum, rows) => sum + rows, 0);
  const total = files.reduce((sum, add) => sum + statsOf(add).numRecords, 0);
  return { quotes: total - kept, files, others, remaining };
}

async function rowsByPath(connection: DuckDBConnection, rows: string): Promise<ReadonlyMap<string, number>> {
  const counted = await connection.runAndReadAll(
    `SELECT filename, count(*)::INTEGER FROM (${rows}) GROUP BY filename`,
  );
  return new Map(counted.getRowsJS().map(([path, count]) => [path as string, count as number]));
}

/** Compares imports of one currency, quoted in either direction. */
function overlaps(a: QuoteImport, b: QuoteImport): boolean {
  const isSame = (a.base === b.base && a.quote === b.quote) || (a.base === b.quote && a.quote === b.base);
  return isSame && a.first <= b.last && b.first <= a.last;
}

/** Quotes of complete dates that are collected before they are written. */
const BATCH_QUOTES = 20_000;
/** Bounds the memory: no day of a real market has so many. */
const MOST_QUOTES_A_DATE = 2_000_000;
const NEWLINE = 10;
const RETURN = 13;
const MOST_LINE_BYTES = 4096;

/** Writes one staged file per date; resolves with the import, the dates and the number of rows. Rejects with QuoteFileFault. */
async function stageFile(
  connection: DuckDBConnection,
  { path, wishes, label, from, reference, progress }: ImportOrder,
  importedAt: number,
  stagedFile: (date: Day) => string,
) {
  const file = Bun.file(path);
  const form = formOf(basename(path), await firstLines(path), wishes);
  const { base, quote } = form;
  const dates: Day[] = [];
  let quotes = 0;
  let [first, last] = [Number.NaN, Number.NaN];
  const buffer = newBuffer();

  let writing: Promise<void> = Promise.resolve();
  const writeDates = async (written: readonly Day[]) => {
    for (const date of written) {
      const bounds = { from: date * MILLISECONDS_PER_DAY, to: (date + 1) * MILLISECONDS_PER_DAY };
      const places = {
        base,
        quote,
        imported: importedAt,
        target: stagedFile(date),
        row_group: ROW_GROUP_ROWS,
      };
      await connection.run(fill(stageDateSql, { ...bounds, ...places }));
    }
  };
  /** Takes the first `count` quotes out of the buffer. Their files are written while the next lines are read. */
  const write = async (count: number) => {
    await writing;
    await connection.run(importedRowsSql);
    const appender = await openColumnAppender(connection, "imported_rows");
    appender.append(buffer.columns(count), count);
    appender.close();
    const written = buffer.datesOf(count);
    dates.push(...written);
    buffer.drop(count);
    writing = writeDates(written);
    writing.catch(() => {});
  };
  const take: TakeQuote = (observed, nth, bid, ask, mid) => {
    if (quotes === 0) first = observed;
    last = observed;
    quotes += 1;
    buffer.push(observed, nth, bid, ask, mid);
  };
  // Only older quotes are imported: flushes rewrite the files of the last two days every few minutes.
  const before = (dayAt(importedAt) - 1) * MILLISECONDS_PER_DAY;
  const referenceOf = (day: Day) => reference(base, quote, day);
  const reader = newQuoteReader(form, { before, from, reference: referenceOf }, take);
  const digest = new Bun.CryptoHasher("sha256");
  const total = file.size;
  let rest = new Uint8Array(0);
  let done = 0;
  const readLine = (bytes: Uint8Array, begin: number, end: number) =>
    reader.read(bytes, begin, end > begin && bytes[end - 1] === RETURN ? end - 1 : end);
  try {
    for await (const chunk of file.stream()) {
      digest.update(chunk);
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let begin = done === 0 && bytes[0] === 0xef ? 3 : 0;
      for (let end = bytes.indexOf(NEWLINE, begin); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
        readLine(bytes, begin, end);
        begin = end + 1;
        if (buffer.complete() >= BATCH_QUOTES) await write(buffer.complete());
        else if (buffer.count() > BATCH_QUOTES + MOST_QUOTES_A_DATE)
          throw new QuoteFileFault(reader.rows() + 1, `one day has more than ${MOST_QUOTES_A_DATE} quotes`);
      }
      rest = bytes.slice(begin);
      if (rest.length > MOST_LINE_BYTES) throw new QuoteFileFault(reader.rows() + 1, "is too long for a row");
      done += chunk.length;
      progress(done, total);
    }
    if (rest.length > 0) readLine(rest, 0, rest.length);
    reader.finish();
    await write(buffer.count());
    await writing;
  } finally {
    // The caller closes the connection, on which nothing may run then.
    await writing.catch(() => {});
  }
  const made: QuoteImport = {
    ...{
      file: basename(path),
      sha256: digest.digest("hex"),
      label,
      base,
      quote,
      rows: form.rows,
      price: form.price,
    },
    ...{ first, last, quotes, importedAt },
  };
  return { import: made, sha256: made.sha256, dates, rows: reader.rows() };
}

/** Collects quotes in the columns of imported-rows.sql. */
function newBuffer() {
  const floats: readonly [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const bytes: readonly [number[], number[], number[]] = [[], [], []];
  const [observeds, nths, bids, asks, mids] = floats;
  const [bidDecimals, askDecimals, decimals] = bytes;
  /** The index of the newest date's first quote. */
  let begin = 0;
  let midnight = Number.NEGATIVE_INFINITY;
  return {
    count: () => observeds.length,
    /** Returns the number of quotes of complete dates. */
    complete: () => begin,
    columns: (first: number): readonly NumberColumn[] => [
      ...floats.map((column) => Float64Array.from(column.slice(0, first))),
      ...bytes.map((column) => Uint8Array.from(column.slice(0, first))),
    ],
    push(observed: number, nth: number, bid: Price | null, ask: Price | null, mid: Price): void {
      if (observed >= midnight + MILLISECONDS_PER_DAY) {
        midnight = dayAt(observed) * MILLISECONDS_PER_DAY;
        begin = observeds.length;
      }
      observeds.push(observed);
      nths.push(nth);
      bids.push(bid?.value ?? 0);
      asks.push(ask?.value ?? 0);
      mids.push(mid.value);
      bidDecimals.push(bid?.decimals ?? 0);
      askDecimals.push(ask?.decimals ?? 0);
      decimals.push(mid.decimals);
    },
    datesOf: (first: number): readonly Day[] => [...new Set(observeds.slice(0, first).map(dayAt))],
    drop(first: number): void {
      for (const column of [...floats, ...bytes]) column.splice(0, first);
      begin = Math.max(0, begin - first);
    },
  };
}

/** Returns the first two lines; a missing one is empty. */
async function firstLines(path: string): Promise<readonly [string, string]> {
  const text = await Bun.file(path)
    .slice(0, 2 * MOST_LINE_BYTES)
    .text();
  if (text.startsWith("PK")) throw new QuoteFileFault(1, "is an archive: unpack it first");
  const [first = "", second = ""] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return [first, second];
}
