/** Official publications as a table of the lake (docs/official.md): a copy of the ledger, which stays the truth. */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { PublicationDamaged } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { CopiedLedger, VersionMark, VersionName, VersionPage } from "#ports/official.ts";
import { refreshCurrent } from "#store/delta/current.ts";
import { type DamagedFile, LakeDamaged } from "#store/delta/damage.ts";
import { column, type Mode, RETENTION_DAYS, type TableDefinition } from "#store/delta/schema.ts";
import { type Action, type Add, filesOf, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import { onNewest, openTable, type Table } from "#store/delta/table.ts";
import { checkpointIfDue, maintain, removeUncommitted, replacePartitions } from "#store/delta/upkeep.ts";
import { makeFolder } from "#store/disk/durable.ts";
import { openLock, type WriterLock } from "#store/disk/writer-lock.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import writeSql from "./sql/write-file.sql" with { type: "text" };

export const OFFICIAL: TableDefinition = {
  name: "official",
  description: "Official publications as their authorities made them: every row of every version",
  columns: [
    column("country", "string", "ISO 3166-1 alpha-3; EUE for the European Union"),
    column("authority", "string", "who publishes it"),
    column("publication", "string", "its name within the table, as in /v1/official"),
    column("version", "integer", "1, and one more with every correction", "ranged"),
    column("valid_from", "date", "first day, of the table's own zone", "ranged"),
    column("valid_to", "date", "last day; null: until the next publication", "nullable"),
    column(
      "published_at",
      "timestamp",
      "when the authority published this version, where a document said so",
      "nullable",
    ),
    column("retrieved_at", "timestamp", "when this version was retrieved", "ranged"),
    column("base", "string", "unit units of this currency", "ranged"),
    column("quote", "string", "are rate units of this one", "ranged"),
    column("rate", "double", "the double nearest to printed"),
    column("printed", "string", "the digits as published"),
    column("unit", "integer", "1, 10, 100, …: as the table counts the currency"),
    column("kind", "string", "mid, buy, sell or average"),
    column("source_url", "string", "address of the document it was read from"),
    column("document_sha256", "string", "digest of that document's bytes"),
  ],
  partitions: [column("table_id", "string", "id of the authority's table, such as mex_fix")],
  currentFile: "publications.parquet",
};

function fileOf(snapshot: Snapshot, id: string): Add | null {
  return filesOfPartition(snapshot, { table_id: id })[0] ?? null;
}

function digestOf(marks: readonly VersionMark[]): string {
  const lines = marks.map(
    ({ publication, version, retrievedAt, fingerprint }) =>
      `${publication} ${version} ${retrievedAt} ${fingerprint}\n`,
  );
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/**
 * Whether the lake has all versions of a table, by the tag of its file in the log: the id of the ledger, the number of versions, and
 * `digestOf` them. A ledger only adds versions while it is not restored; a restored one may have as many other versions, so that the
 * digest is compared, too, unless `isCompared`.
 */
async function isCopied(
  file: Add | null,
  ledger: CopiedLedger,
  table: { readonly id: string; readonly versions: number; readonly isCompared: boolean },
): Promise<boolean> {
  if (file === null) return table.versions === 0;
  const [, from, versions, digest] = /^(\S+) (\d+) (\w+)$/.exec(file.tags.origin ?? "") ?? [];
  if (from !== ledger.id || Number(versions) !== table.versions) return false;
  return table.isCompared || digest === digestOf(await ledger.history.marks(table.id));
}

interface Writing {
  readonly connection: DuckDBConnection;
  readonly table: Table;
  readonly ledger: CopiedLedger;
  readonly official: CopiedLedger["tables"][number];
  readonly signal: AbortSignal | undefined;
  readonly now: number;
}

/**
 * Resolves with the actions for a table that has changed, none without a change. The files that they add are durable. Rejects with
 * PublicationDamaged for a version that does not read as the ledger stored it, and with LakeDamaged when the table's own file is damaged.
 */
async function copyTable(writing: Writing, snapshot: Snapshot): Promise<readonly Action[]> {
  const { connection, table, ledger, official, now } = writing;
  const { id, country, authority } = official;
  const file = fileOf(snapshot, id);
  await table.verifier.require(file === null ? [] : [file]);
  const lines = join(table.directory, ".incoming.ndjson");
  try {
    const marks = await writeRows(writing, lines);
    const origin = `${ledger.id} ${marks.length} ${digestOf(marks)}`;
    if (file?.tags.origin === origin) return [];
    const write = (target: string) => connection.run(fill(writeSql, { lines, country, authority, target }));
    const files = [{ partition: { table_id: id }, write }];
    const replaced = await replacePartitions(table, snapshot, connection, files, now);
    return replaced.map((action) =>
      "add" in action ? { add: { ...action.add, tags: { ...action.add.tags, origin } } } : action,
    );
  } finally {
    rmSync(lines, { force: true });
  }
}

/** The embedded database answers on the process's own thread: each call must be short. */
const VERSIONS_AT_ONCE = 32;

/** Writes the rows of all versions, a line each; resolves with the marks of the versions. */
async function writeRows(
  { ledger, official, signal }: Writing,
  path: string,
): Promise<readonly VersionMark[]> {
  const marks: VersionMark[] = [];
  // A dead writer may have left a file.
  await writeFile(path, "");
  for (let after: VersionName | null = null; ; ) {
    signal?.throwIfAborted();
    const page: VersionPage = await ledger.history.page(official.id, after, VERSIONS_AT_ONCE);
    await appendFile(path, page.versions.map(linesOf).join(""));
    for (const { publication, version, retrievedAt, fingerprint } of page.versions)
      marks.push({ publication, version, retrievedAt, fingerprint });
    after = page.next;
    if (after === null) return marks;
    // Without this pause settled promises would delay requests for a whole table.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Prints the rows of a version, one line each, with the columns of write-file.sql. */
function linesOf({ rows, validFrom, validTo, publishedAt, ...version }: PublicationVersion): string {
  const facts = {
    publication: version.publication,
    version: version.version,
    valid_from: formatDay(validFrom),
    valid_to: validTo === null ? null : formatDay(validTo),
    published_at: publishedAt === null ? null : new Date(publishedAt).toISOString(),
    retrieved_at: new Date(version.retrievedAt).toISOString(),
    source_url: version.sourceUrl,
    document_sha256: version.documentSha256,
  };
  return rows
    .map(({ rate: printed, base, quote, unit, kind }) => ({ ...facts, base, quote, printed, unit, kind }))
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}

export type OfficialLake = ReturnType<typeof openOfficialLake>;

export const OFFICIAL_LOCK = `${OFFICIAL.name}/.writer.sqlite`;

/** Reads and makes nothing before the first call of a method. */
export function openOfficialLake(options: LakeOptions) {
  const directory = resolve(options.directory);
  const mode: Mode = options.simulated ? "simulated" : "real";
  const now = options.now ?? Date.now;
  const { retentionDays = RETENTION_DAYS, storage = null } = options;
  const table = openTable(directory, OFFICIAL, mode, undefined, storage);
  const reported = new Set<string>();
  /** Tables whose versions were compared one by one: a restored ledger may have the same number of other versions. */
  const compared = new Set<string>();
  let opened: WriterLock | null = null;

  const lock = (): WriterLock => {
    makeFolder(table.directory);
    opened ??= openLock(join(directory, OFFICIAL_LOCK), options.waitSeconds);
    return opened;
  };
  const newest = async (): Promise<Snapshot> => {
    table.refuseOtherMode();
    const isNew = table.latest() === null;
    const snapshot = await table.ensure(now());
    // The commit that makes the table has an entry like every other.
    if (isNew) await options.chain?.follow([table]);
    return snapshot;
  };
  const retention = () => ({ now: now(), keptMilliseconds: retentionDays * MILLISECONDS_PER_DAY });

  const commit = async (before: Snapshot, actions: readonly Action[]): Promise<Snapshot> => {
    const after = actions.length === 0 ? before : await table.commit(before, actions, "WRITE", now());
    // Without a change, too: a writer that died may have left an old file, or an unsigned commit.
    refreshCurrent(directory, table, after);
    await options.chain?.follow([table]);
    return after;
  };

  const copy = async (ledger: CopiedLedger, signal: AbortSignal | undefined): Promise<readonly string[]> => {
    const before = await newest();
    const counts = await ledger.history.counts();
    const outdated: CopiedLedger["tables"][number][] = [];
    for (const official of ledger.tables) {
      const { id } = official;
      const ours = { id, versions: counts.get(id) ?? 0, isCompared: compared.has(id) };
      if (await isCopied(fileOf(before, id), ledger, ours)) compared.add(id);
      else outdated.push(official);
    }
    const copied = new Map<string, readonly Action[]>();
    if (outdated.length === 0) await commit(before, []);
    else
      await withEngine(directory, async (connection) => {
        try {
          for (const official of outdated) {
            const writing = { connection, table, ledger, official, signal, now: now() };
            const actions = await copyTable(writing, before).catch(skipDamaged);
            if (actions.length > 0) copied.set(official.id, actions);
          }
          await commit(before, [...copied.values()].flat());
          await checkpointIfDue(table, connection, retention());
        } catch (fault) {
          removeUncommitted(table, [...copied.values()].flat());
          throw fault;
        }
      });
    return [...copied.keys()];
  };

  /** A table stays as it is while a version in the ledger or its own file is damaged; the others go on. Reports damage once. */
  const skipDamaged = (fault: unknown): readonly Action[] => {
    const isOfLedger = fault instanceof PublicationDamaged;
    if (!isOfLedger && !(fault instanceof LakeDamaged)) throw fault;
    if (!reported.has(fault.message)) {
      if (isOfLedger) {
        const { table: of, publication, version, detail } = fault;
        options.emit?.({ kind: "publication_damaged", table: of, publication, version, detail });
      } else options.emit?.({ kind: "lake_damaged", detail: fault.message });
    }
    reported.add(fault.message);
    return [];
  };

  return {
    /**
     * Copies the ledger's changes in one commit or none; resolves with the ids of the changed tables. Rejects as the ledger does, with
     * LakeBusy, WrongMode, LakeDamaged.
     */
    follow: (ledger: CopiedLedger, signal?: AbortSignal) =>
      lock().exclusive(() => onNewest(storage, () => copy(ledger, signal))),
    /** The next run compares versions one by one: the ledger may have been set back. */
    forget: () => compared.clear(),
    /** The table, which has no version before the first copy. */
    table,
    audit: async (): Promise<readonly DamagedFile[]> => {
      const snapshot = table.latest();
      return snapshot === null ? [] : await table.verifier.audit(filesOf(snapshot));
    },
    /** Writes a checkpoint and removes files that only versions older than the retention need. */
    upkeep: async (): Promise<void> => {
      if (table.latest() === null) return;
      await lock().exclusive(async () => {
        await onNewest(storage, async () =>
          maintain(table, await newest(), retention(), (use) => withEngine(directory, use)),
        );
      });
    },
    close: async () => await opened?.close(),
  };
}
