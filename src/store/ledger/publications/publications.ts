/** Official publications in the ledger: the newest version of each, as of an instant, and the whole history in pages. */

import { PublicationDamaged } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DamagedVersion, PublicationHistory, Publications } from "#ports/official.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import {
  first,
  integer,
  integerOrNull,
  joined,
  listOf,
  type Row,
  raw,
  type Sql,
  sql,
  text,
} from "#store/ledger/engine/rows.ts";
import type { Emit } from "#telemetry.ts";
import {
  NEWEST_COLUMNS,
  newestVersionOf,
  PREFIXED_VERSION_COLUMNS,
  VERSION_COLUMNS,
  versionOf,
} from "./rows.ts";

/** So many damaged versions are remembered as logged. */
const MOST_LOGGED = 1000;

/** The newest versions of so many publications, of two of one day the later name; these are chosen first, so that no others' rates are read. */
function selectNewest(conditions: Sql, limit: number): Sql {
  return sql`SELECT ${PREFIXED_VERSION_COLUMNS}, ${NEWEST_COLUMNS} FROM (
      SELECT table_id, publication, newest_version, valid_from, fingerprint FROM official_publications
      WHERE ${conditions} ORDER BY valid_from DESC, publication DESC LIMIT ${limit}
    ) AS newest
    LEFT JOIN official_versions ON official_versions.table_id = newest.table_id
      AND official_versions.publication = newest.publication AND official_versions.version = newest.newest_version
    ORDER BY newest.valid_from DESC, newest.publication DESC`;
}

/** A version that does not read as it was stored is never returned: PublicationDamaged, which is logged once a version. */
export function publications({ engine }: LedgerParts, emit: Emit): Publications {
  const logged = new Set<string>();
  const checked = (row: Row, readRow: (row: Row) => PublicationVersion): PublicationVersion => {
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
  const checkedNewest = (row: Row) => checked(row, newestVersionOf);
  return {
    find: async (table, publication, version) => {
      if (version === null) {
        const named = selectNewest(sql`table_id = ${table} AND publication = ${publication}`, 1);
        return first(await engine.read.rows`${named}`, checkedNewest);
      }
      const found = await engine.read.rows`
        SELECT ${VERSION_COLUMNS} FROM official_versions
        WHERE table_id = ${table} AND publication = ${publication} AND version = ${version}`;
      return first(found, (row) => checked(row, versionOf));
    },
    list: async ({ table, from, to, after, limit }) => {
      const conditions = [sql`table_id = ${table}`];
      if (from !== null) conditions.push(sql`valid_from >= ${formatDay(from)}`);
      if (to !== null) conditions.push(sql`valid_from <= ${formatDay(to)}`);
      if (after !== null)
        conditions.push(
          sql`(valid_from, publication) < (${formatDay(after.validFrom)}, ${after.publication})`,
        );
      const rows = await engine.read.rows`${selectNewest(joined(conditions, " AND "), limit)}`;
      return rows.map(checkedNewest);
    },
    validOn: async (table, day) => {
      const upTo = sql`table_id = ${table} AND valid_from <= ${formatDay(day)}`;
      return first(await engine.read.rows`${selectNewest(upTo, 1)}`, checkedNewest);
    },
    newestRetrieval: async (table) => {
      const rows = await engine.read.rows`
        SELECT max(retrieved_at) AS newest FROM official_versions WHERE table_id = ${table}`;
      return first(rows, (row) => integerOrNull(row, "newest"));
    },
    versions: async (table, publication) => {
      const rows = await engine.read.rows`
        SELECT version, retrieved_at FROM official_versions
        WHERE table_id = ${table} AND publication = ${publication} ORDER BY version`;
      return rows.map((row) => ({
        version: integer(row, "version"),
        retrievedAt: integer(row, "retrieved_at"),
      }));
    },
  };
}

export function publicationHistory({ engine }: LedgerParts): PublicationHistory {
  return {
    counts: async () => {
      const rows = await engine.read.rows`
        SELECT table_id, SUM(newest_version) AS versions FROM official_publications GROUP BY table_id`;
      return new Map(rows.map((row) => [text(row, "table_id"), integer(row, "versions")]));
    },
    keys: async (table, after, limit) => {
      const beyond =
        after === null ? raw("") : sql`AND (publication, version) > (${after.publication}, ${after.version})`;
      const rows = await engine.read.rows`
        SELECT publication, version, valid_from, retrieved_at, document_sha256 FROM official_versions
        WHERE table_id = ${table} ${beyond} ORDER BY publication, version LIMIT ${limit}`;
      return rows.map((row) => ({
        publication: String(row["publication"]),
        version: Number(row["version"]),
        validFrom: String(row["valid_from"]),
        identity: `${row["retrieved_at"]} ${row["document_sha256"]}`,
      }));
    },
    read: async (table, names) => {
      if (names.length === 0) return { versions: [], damaged: [] };
      const publications = listOf([...new Set(names.map(({ publication }) => publication))]);
      const rows = await engine.read.rows`
        SELECT ${VERSION_COLUMNS} FROM official_versions WHERE table_id = ${table} AND publication IN (${publications})`;
      const wanted = new Set(names.map(({ publication, version }) => `${publication} ${version}`));
      const versions: PublicationVersion[] = [];
      const damaged: DamagedVersion[] = [];
      for (const row of rows) {
        if (!wanted.has(`${row["publication"]} ${row["version"]}`)) continue;
        try {
          versions.push(versionOf(row));
        } catch (fault) {
          if (!(fault instanceof PublicationDamaged)) throw fault;
          const { publication, version, detail } = fault;
          damaged.push({ publication, version, detail });
        }
      }
      return { versions, damaged };
    },
  };
}
