/** Files of quotes from elsewhere come into the archive: read and staged date by date, then committed in one step, or not at all. */

import { copyFileSync, linkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { QUOTE_DIGITS, RANGE } from "#domain/live/live-quote.ts";
import {
  type FileWishes,
  formOf,
  PRICE_SIDES,
  QuoteFileFault,
  type QuoteImport,
} from "#domain/live/quote-file.ts";
import {
  type Day,
  dayAt,
  formatDay,
  formatInstant,
  type Instant,
  MILLISECONDS_PER_DAY,
} from "#domain/time/day.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { sha256Of } from "#store/delta/damage.ts";
import { type Add, removalOf, type Snapshot, statsOf, type Txn } from "#store/delta/snapshot.ts";
import { onNewest } from "#store/delta/table.ts";
import { checkpointIfDue, replacePartitions } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { claim } from "#store/disk/writer-lock.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import { type FlushParts, ROW_GROUP_ROWS } from "./changes.ts";
import { INTRADAY_FOLDER } from "./journal/journal.ts";
import judgeRowsSql from "./sql/merge/judge-rows.sql" with { type: "text" };
import stageDateSql from "./sql/merge/stage-date.sql" with { type: "text" };
import writeDateSql from "./sql/merge/write-date.sql" with { type: "text" };
import { datesIn, filesByDate } from "./table.ts";

const MARK = "crossrate/import/";
/** The version of an import that was removed: an import has at least one quote. */
const REMOVED = 0;

/** Reads the imports of a version, in the order of their first quote. The commit that has the quotes has its import. */
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
  /** Units of the quote per base on a day, by daily reference rates; null where there are none. */
  readonly reference: (base: CurrencyCode, quote: CurrencyCode, day: Day) => number | null;
  readonly wishes: FileWishes;
  readonly label: string | null;
  readonly progress: (done: number, total: number) => void;
}

export interface ImportReport {
  readonly import: QuoteImport;
  /** False when the archive had the file already: nothing was changed. */
  readonly isNew: boolean;
  readonly rows: number;
}

/** Staged files wait in it; one importer at a time has it. Its names are no data files: readers and clean-up pass them over. */
const STAGE = `${INTRADAY_FOLDER}/.import`;
const IMPORTER_LOCK = `${INTRADAY_FOLDER}/.importer.sqlite`;
const STORED = "FROM read_parquet({files}, hive_partitioning = false)";

/**
 * Imports one file. The whole file is read and checked before the first change; then one commit has its quotes and its import.
 * Rejects with QuoteFileFault, LakeBusy, LakeDamaged or the file system's fault: then nothing has changed.
 */
export async function importQuotes(
  parts: Omit<FlushParts, "journal" | "pending">,
  order: ImportOrder,
): Promise<ImportReport> {
  const { directory, table, storage, snapshot, lock, engine, now } = parts;
  const importer = await claim(join(directory, IMPORTER_LOCK), 0);
  const stage = join(directory, STAGE);
  try {
    rmSync(stage, { recursive: true, force: true });
    const sha256 = await sha256Of(order.path);
    const earlier = importsIn(snapshot()).find((each) => each.sha256 === sha256);
    if (earlier !== undefined) return { import: earlier, isNew: false, rows: 0 };
    makeFolder(stage);
    const stagedFile = (date: Day) => join(stage, formatDay(date));
    // DuckDB takes a name with a star for a pattern, and reads in the lake's directory only.
    const file = join(stage, "file");
    linkOrCopy(order.path, file);
    const staged = await withEngine(
      directory,
      (connection) => stageFile(connection, order, file, now(), stagedFile),
      // With more threads the rows of a long file wait in memory for their turn; with more memory its bytes stay there.
      { threads: 1, memoryMegabytes: 256 },
    );
    if ((await sha256Of(order.path)) !== sha256)
      throw new Error(`${order.path} changed while it was read: import it again`);
    const { dates, facts } = staged;
    const made: QuoteImport = { file: basename(order.path), sha256, label: order.label, ...facts };
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
        const known = files.get(date);
        const write = async (target: string) => {
          if (known === undefined) return linkOrCopy(stagedFile(date), target);
          const all = fill(STORED, { files: [stagedFile(date), table.pathOf(known)] });
          await connection.run(
            fill(
              writeDateSql.replaceAll("{all}", () => `(${all})`),
              { target, row_group: ROW_GROUP_ROWS },
            ),
          );
        };
        return { partition: { date: formatDay(date) }, write };
      });
      const actions = await replacePartitions(table, before, connection, replacements, now());
      const after = await table.commit(before, [...actions, { txn: txnOf(made) }], "WRITE", now());
      refreshCurrent(directory, table, after);
      await parts.follow();
      await checkpointIfDue(table, connection, { now: now(), keptMilliseconds: parts.keptMilliseconds });
    };
    await lock.exclusive(() => onNewest(storage, () => engine.use(commit)));
    return { import: made, isNew: true, rows: staged.rows };
  } finally {
    rmSync(stage, { recursive: true, force: true });
    await importer.release();
  }
}

/** Quotes of files without those of one import: no two imports of a currency overlap. In one line, as STORED. */
const OTHERS =
  "FROM read_parquet({files}, hive_partitioning = false, filename = true) WHERE NOT " +
  "(feed = 'imported' AND base = {base} AND quote = {quote} AND epoch_ms(observed_at) BETWEEN {first} AND {last})";

/** `removed` is null where not exactly one import has the name: `imports` are those to choose from. */
export type ImportRemoval =
  | { readonly removed: QuoteImport; readonly quotes: number; readonly dates: number }
  | { readonly removed: null; readonly imports: readonly QuoteImport[] };

/**
 * Removes an import by the name of its file, or by its SHA-256: one commit takes out its quotes and itself, and leaves all others.
 * Rejects with LakeBusy, LakeDamaged or the file system's fault: then nothing has changed.
 */
export async function removeImport(
  parts: Omit<FlushParts, "journal" | "pending">,
  name: string,
): Promise<ImportRemoval> {
  const { directory, table, storage, snapshot, lock, engine, now } = parts;
  const remove = async (connection: DuckDBConnection): Promise<ImportRemoval> => {
    const before = snapshot();
    const imports = importsIn(before);
    const named = imports.filter(({ file, sha256 }) => file === name || sha256 === name);
    const [made] = named;
    if (made === undefined || named.length > 1)
      return { removed: null, imports: made === undefined ? imports : named };
    const { base, quote, first, last } = made;
    const byDate = filesByDate(before);
    const dates = datesIn(before, dayAt(first), dayAt(last));
    const files = dates.map((date) => byDate.get(date) as Add);
    await table.verifier.require(files);
    const others = (paths: readonly string[]) => fill(OTHERS, { files: paths, base, quote, first, last });
    const remaining =
      files.length === 0
        ? new Map<string, number>()
        : await rowsByPath(connection, others(files.map(table.pathOf)));
    const rewritten = dates.filter((_, index) => remaining.has(table.pathOf(files[index] as Add)));
    const replacements = rewritten.map((date) => {
      const all = others([table.pathOf(byDate.get(date) as Add)]);
      const sql = writeDateSql.replaceAll("{all}", () => `(${all})`);
      const write = (target: string) => connection.run(fill(sql, { target, row_group: ROW_GROUP_ROWS }));
      return { partition: { date: formatDay(date) }, write };
    });
    const emptied = files.filter((add) => !remaining.has(table.pathOf(add)));
    const actions = [
      ...emptied.map((add) => removalOf(add, now())),
      ...(await replacePartitions(table, before, connection, replacements, now())),
      { txn: { ...txnOf(made), version: REMOVED, lastUpdated: now() } },
    ];
    refreshCurrent(directory, table, await table.commit(before, actions, "DELETE", now()));
    await parts.follow();
    const kept = [...remaining.values()].reduce((sum, rows) => sum + rows, 0);
    const total = files.reduce((sum, add) => sum + statsOf(add).numRecords, 0);
    return { removed: made, quotes: total - kept, dates: dates.length };
  };
  return await lock.exclusive(() => onNewest(storage, () => engine.use(remove)));
}

/** Files without a row have no entry. */
async function rowsByPath(connection: DuckDBConnection, rows: string): Promise<ReadonlyMap<string, number>> {
  const counted = await connection.runAndReadAll(
    `SELECT filename, count(*)::INTEGER FROM (${rows}) GROUP BY filename`,
  );
  return new Map(counted.getRowsJS().map(([path, count]) => [path as string, count as number]));
}

/** A second name for a file that does not change any more; a copy where the file system has no links. */
function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target);
  } catch {
    copyFileSync(path, target);
  }
}

/** Of one currency, whichever way round it is quoted. */
function overlaps(a: QuoteImport, b: QuoteImport): boolean {
  const isSame = (a.base === b.base && a.quote === b.quote) || (a.base === b.quote && a.quote === b.base);
  return isSame && a.first <= b.last && b.first <= a.last;
}

/** A price at most so many times its daily reference, either way, is believed. */
const MOST_OFF = 1.3;

interface StagedDate {
  readonly date: Day;
  readonly rows: number;
  readonly quotes: number;
  readonly first: Instant;
  readonly last: Instant;
  /** Prices. */
  readonly least: number;
  readonly greatest: number;
  /** The least time between two rows; null for a single one. */
  readonly step: number | null;
}

/** Judges the rows of the file at `file`, writes a file a date, and resolves with what they are. Rejects with QuoteFileFault. */
async function stageFile(
  connection: DuckDBConnection,
  { path, wishes, from, reference, progress }: ImportOrder,
  file: string,
  importedAt: number,
  stagedFile: (date: Day) => string,
) {
  const form = formOf(basename(path), await firstLines(path), wishes);
  const { base, quote, layout, prices, price: side } = form;
  const rows = `${file}.rows`;
  const isMinutes = form.rows === "minutes";
  await connection.run(
    fill(judgeRowsSql, {
      ...{ file, target: rows, separator: form.separator, ...layout, digits: QUOTE_DIGITS },
      ...{ head: form.hasHeader ? 1 : 0, time: form.time + 1, columns: Math.max(form.time, ...prices) + 1 },
      ...{ places: prices.map((place) => place + 1), is_minutes: isMinutes, is_both: side === "both" },
      ...{ offset: form.offsetMinutes * 60_000, from },
      // Files of the last two days change every few minutes.
      before: (dayAt(importedAt) - 1) * MILLISECONDS_PER_DAY,
    }),
  );
  const select = async (what: string) =>
    (await connection.runAndReadAll(fill(`SELECT ${what}`, { rows }))).getRowObjectsJS();
  const refuseFirst = async (reason: string, condition: string) => {
    const found = await select(
      `line::INTEGER AS line, ${reason} AS reason FROM read_parquet({rows}) WHERE ${condition} ORDER BY ALL LIMIT 1`,
    );
    for (const { line, reason: why } of found) throw new QuoteFileFault(line as number, why as string);
  };
  await refuseFirst("fault", "fault IS NOT NULL");
  const dates = (await select(
    `(observed // ${MILLISECONDS_PER_DAY})::INTEGER AS date, count(*)::INTEGER AS rows, sum(len(quotes))::INTEGER AS quotes,
       min(observed)::DOUBLE AS first, max(observed + CASE WHEN len(quotes) > 1 THEN 59999 ELSE 0 END)::DOUBLE AS last,
       min(least) AS least, max(greatest) AS greatest, min(step)::DOUBLE AS step
     FROM read_parquet({rows}) GROUP BY ALL ORDER BY date`,
  )) as unknown as readonly StagedDate[];
  const total = (of: (date: StagedDate) => number) => dates.reduce((sum, date) => sum + of(date), 0);
  if (dates.length === 0) throw new QuoteFileFault(1, "there is no row");
  const step = Math.min(...dates.map((date) => date.step ?? Number.POSITIVE_INFINITY));
  if (isMinutes && Number.isFinite(step) && step > 60_000)
    throw new QuoteFileFault(
      total((date) => date.rows) + (form.hasHeader ? 1 : 0),
      `no two rows are a minute apart: its rows are of ${step / 60_000} minutes`,
    );
  for (const { date, least, greatest } of dates) {
    const rate = reference(base, quote, date);
    const [low, high] = rate === null ? [RANGE.least, RANGE.most] : [rate / MOST_OFF, rate * MOST_OFF];
    if (least > low && greatest < high) continue;
    const why = rate === null ? "" : `, within ${MOST_OFF} times the daily reference`;
    await refuseFirst(
      `CASE WHEN least <= ${low} OR least >= ${high} THEN least ELSE greatest END || ' is not between ${low} and ${high}${why}'`,
      `observed // ${MILLISECONDS_PER_DAY} = ${date} AND NOT (least > ${low} AND greatest < ${high})`,
    );
  }
  for (const [done, { date }] of dates.entries()) {
    const bounds = { from: date * MILLISECONDS_PER_DAY, to: (date + 1) * MILLISECONDS_PER_DAY };
    const places = { rows, side, base, quote, imported: importedAt, target: stagedFile(date) };
    await connection.run(fill(stageDateSql, { ...bounds, ...places, row_group: ROW_GROUP_ROWS }));
    progress(done + 1, dates.length);
  }
  const quotes = total((date) => date.quotes);
  const [first, last] = [dates[0]?.first as Instant, dates.at(-1)?.last as Instant];
  const facts = { base, quote, rows: form.rows, price: side, first, last, quotes, importedAt };
  return { facts, dates: dates.map(({ date }) => date), rows: total((date) => date.rows) };
}

const MOST_HEAD_BYTES = 8192;

/** A file with one line has no second. */
async function firstLines(path: string): Promise<readonly [string, string]> {
  const text = await Bun.file(path).slice(0, MOST_HEAD_BYTES).text();
  if (text.startsWith("PK")) throw new QuoteFileFault(1, "is an archive: unpack it first");
  const [first = "", second = ""] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  return [first, second];
}
