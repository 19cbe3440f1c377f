/** Official publications in the ledger: the newest version of each, as of an instant, and the whole history in pages. A digest over each row shows damage. */

import { createHash } from "node:crypto";
import { PublicationDamaged } from "#domain/account/ledger.ts";
import { OFFICIAL_KINDS, type OfficialRow, type PublicationVersion } from "#domain/official/publication.ts";
import { type Day, formatDay, LAST_DAY, parseDay } from "#domain/time/day.ts";
import type { PublicationHistory, Publications } from "#ports/official.ts";
import { all, first, type LedgerParts } from "#store/ledger/engine/engine.ts";
import {
  integer,
  integerOrNull,
  joined,
  mapping,
  type Row,
  raw,
  type Sql,
  sql,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";
import type { Emit } from "#telemetry.ts";

/** The largest table of rates that any authority prints has some two hundred rows. */
const MOST_ROWS = 2000;
const MOST_CHARACTERS = 262_144;

const VERSION = mapping({
  tableId: text,
  publication: text,
  version: integer,
  validFrom: text,
  validTo: textOrNull,
  publishedAt: integerOrNull,
  retrievedAt: integer,
  sourceUrl: text,
  documentSha256: text,
  fingerprint: text,
  rowsJson: text,
});
type VersionRow = ReturnType<(typeof VERSION)["of"]>;

/** To be raised when the digested content changes form: digests of two forms are never compared. */
const FORM = 1;

/** Returns the row with its digest. Throws RangeError for more rates than any publication has. */
export function storedVersion(stored: PublicationVersion): VersionRow & { readonly digest: string } {
  const row = {
    tableId: stored.table,
    publication: stored.publication,
    version: stored.version,
    validFrom: formatDay(stored.validFrom),
    validTo: stored.validTo === null ? null : formatDay(stored.validTo),
    publishedAt: stored.publishedAt,
    retrievedAt: stored.retrievedAt,
    sourceUrl: stored.sourceUrl,
    documentSha256: stored.documentSha256,
    fingerprint: stored.fingerprint,
    rowsJson: rowsText(stored),
  };
  return { ...row, digest: digestOf(row) };
}

function versionOf(row: Row): PublicationVersion {
  try {
    const stored = VERSION.of(row);
    if (text(row, "digest") !== digestOf(stored)) throw new TypeError("its digest is another");
    const { tableId: table, validFrom, validTo, rowsJson, ...same } = stored;
    const until = validTo === null ? null : dayOf(validTo);
    return { ...same, table, validFrom: dayOf(validFrom), validTo: until, rows: rowsOf(rowsJson) };
  } catch (fault) {
    throw new PublicationDamaged(nameOf(row), fault instanceof Error ? fault.message : String(fault), fault);
  }
}

/** Reads a row joined to its publication as the newest version. Throws PublicationDamaged when the row lacks it or differs. */
function newestVersionOf(row: Row): PublicationVersion {
  const name = {
    table: String(row["newest_table"]),
    publication: String(row["newest_publication"]),
    version: Number(row["newest_version"]),
  };
  if (row["version"] === null) throw new PublicationDamaged(name, "it is the newest, and it is missing");
  const isSame = ["fingerprint", "valid_from"].every((column) => row[column] === row[`newest_${column}`]);
  const version = versionOf(row);
  if (!isSame)
    throw new PublicationDamaged(name, "it is not the one that its publication names as the newest");
  return version;
}

/** The columns of the publication that `newestVersionOf` needs, from the table alias `newest`. */
const NEWEST_COLUMNS = raw(
  "newest.table_id AS newest_table, newest.publication AS newest_publication, newest.newest_version AS newest_version, newest.valid_from AS newest_valid_from, newest.fingerprint AS newest_fingerprint",
);

function nameOf(row: Row) {
  return {
    table: String(row["table_id"]),
    publication: String(row["publication"]),
    version: Number(row["version"]),
  };
}

/** Returns the lower-case hex SHA-256 over every column but the digest: SQLite has no checksums over what it stores. */
function digestOf(row: VersionRow): string {
  return createHash("sha256")
    .update(JSON.stringify([FORM, ...Object.values(row)]))
    .digest("hex");
}

function rowsText({ table, publication, rows }: PublicationVersion): string {
  const content = JSON.stringify(
    rows.map(({ base, quote, rate, unit, kind }) => [base, quote, rate, unit, kind]),
  );
  if (rows.length === 0 || rows.length > MOST_ROWS || content.length > MOST_CHARACTERS) {
    throw new RangeError(
      `${table} ${publication} has ${rows.length} rows in ${content.length} characters; 1 to ${MOST_ROWS} in at most ${MOST_CHARACTERS} are kept`,
    );
  }
  return content;
}

function rowsOf(content: string): readonly OfficialRow[] {
  const rows = JSON.parse(content) as readonly (readonly [string, string, string, number, string])[];
  return rows.map(([base, quote, rate, unit, letters]) => {
    const kind = OFFICIAL_KINDS.find((one) => one === letters);
    if (kind === undefined) throw new TypeError(`no kind of rate: ${letters}`);
    return { base, quote, rate, unit, kind };
  });
}

function dayOf(value: string): Day {
  const day = parseDay(value);
  if (day === null) throw new TypeError(`no day: ${value}`);
  return day;
}

const MOST_LOGGED = 1000;

/** Selects the newest versions of `limit` publications, latest validity, then name, first. Only the rates of these are read. */
function selectNewest(conditions: Sql, limit: number): Sql {
  return sql`SELECT ${raw(VERSION.select("official_versions"))}, digest, ${NEWEST_COLUMNS} FROM (
      SELECT table_id, publication, newest_version, valid_from, fingerprint FROM official_publications
      WHERE ${conditions} ORDER BY valid_from DESC, publication DESC LIMIT ${limit}
    ) AS newest
    LEFT JOIN official_versions ON official_versions.table_id = newest.table_id
      AND official_versions.publication = newest.publication AND official_versions.version = newest.newest_version
    ORDER BY newest.valid_from DESC, newest.publication DESC`;
}

/** A damaged version is never returned: reading it rejects with PublicationDamaged, which is logged once per version. */
export function publications({ engine }: LedgerParts, emit: Emit): Publications {
  const logged = new Set<string>();
  const checking = (readRow: (row: Row) => PublicationVersion) => (row: Row) => {
    try {
      return readRow(row);
    } catch (fault) {
      if (fault instanceof PublicationDamaged && logged.size < MOST_LOGGED) {
        const { table, publication, version, detail } = fault;
        const name = JSON.stringify([table, publication, version]);
        if (!logged.has(name)) emit({ kind: "publication_damaged", table, publication, version, detail });
        logged.add(name);
      }
      throw fault;
    }
  };
  const [checked, checkedNewest] = [checking(versionOf), checking(newestVersionOf)];
  return {
    find: async (table, publication, version) => {
      if (version === null) {
        const named = selectNewest(sql`table_id = ${table} AND publication = ${publication}`, 1);
        return await first(engine.read, checkedNewest)`${named}`;
      }
      return await first(engine.read, checked)`
        SELECT ${VERSION.columns}, digest FROM official_versions
        WHERE table_id = ${table} AND publication = ${publication} AND version = ${version}`;
    },
    list: async ({ table, from, to, after, limit }) => {
      const conditions = [sql`table_id = ${table}`];
      if (from !== null) conditions.push(sql`valid_from >= ${formatDay(from)}`);
      // Days are compared as text, which is wrong beyond LAST_DAY.
      if (to !== null) conditions.push(sql`valid_from <= ${formatDay(Math.min(to, LAST_DAY))}`);
      if (after !== null)
        conditions.push(
          sql`(valid_from, publication) < (${formatDay(after.validFrom)}, ${after.publication})`,
        );
      return await all(engine.read, checkedNewest)`${selectNewest(joined(conditions, " AND "), limit)}`;
    },
    validOn: async (table, day) => {
      const upTo = sql`table_id = ${table} AND valid_from <= ${formatDay(day)}`;
      return await first(engine.read, checkedNewest)`${selectNewest(upTo, 1)}`;
    },
    first: (table) =>
      first(engine.read, (row) => ({
        publication: text(row, "publication"),
        validFrom: dayOf(text(row, "valid_from")),
      }))`
        SELECT publication, valid_from FROM official_publications WHERE table_id = ${table}
        ORDER BY valid_from, publication LIMIT 1`,
    newestRetrieval: (table) => first(engine.read, (row) => integerOrNull(row, "newest"))`
      SELECT max(retrieved_at) AS newest FROM official_versions WHERE table_id = ${table}`,
    versions: (table, publication) =>
      all(engine.read, (row) => ({
        version: integer(row, "version"),
        retrievedAt: integer(row, "retrieved_at"),
      }))`
        SELECT version, retrieved_at FROM official_versions
        WHERE table_id = ${table} AND publication = ${publication} ORDER BY version`,
  };
}

export function publicationHistory({ engine }: LedgerParts): PublicationHistory {
  return {
    counts: async () => {
      const rows = await engine.read.rows`
        SELECT table_id, SUM(newest_version) AS versions FROM official_publications GROUP BY table_id`;
      return new Map(rows.map((row) => [text(row, "table_id"), integer(row, "versions")]));
    },
    marks: (table) =>
      all(engine.read, (row) => ({
        publication: text(row, "publication"),
        version: integer(row, "version"),
        retrievedAt: integer(row, "retrieved_at"),
        fingerprint: text(row, "fingerprint"),
      }))`
        SELECT publication, version, retrieved_at, fingerprint FROM official_versions
        WHERE table_id = ${table} ORDER BY publication, version`,
    page: async (table, after, limit) => {
      const beyond =
        after === null ? raw("") : sql`AND (publication, version) > (${after.publication}, ${after.version})`;
      const versions = await all(engine.read, versionOf)`
        SELECT ${VERSION.columns}, digest FROM official_versions
        WHERE table_id = ${table} ${beyond} ORDER BY publication, version LIMIT ${limit}`;
      return { versions, next: versions.length < limit ? null : (versions.at(-1) ?? null) };
    },
  };
}
