/** Official publications in the ledger: the newest version of each, as of an instant, and the whole history in pages. */

import { PublicationDamaged } from "#domain/account/ledger.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DamagedVersion, PublicationHistory, Publications } from "#ports/official.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { integer, type Param, padded, placeholders, type Row, text } from "#store/ledger/engine/rows.ts";
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

/** Two of one day: the later name. */
const NEWEST_FIRST = "ORDER BY valid_from DESC, publication DESC";

/** The newest versions of so many publications; these are chosen first, so that no others' rates are read. */
function selectNewest(conditions: string, limit: string): string {
  return `SELECT ${PREFIXED_VERSION_COLUMNS}, ${NEWEST_COLUMNS} FROM (
      SELECT table_id, publication, newest_version, valid_from, fingerprint FROM official_publications
      WHERE ${conditions} ${NEWEST_FIRST} LIMIT ${limit}
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
  return {
    find: async (table, publication, version) => {
      if (version === null) {
        const named = selectNewest("table_id = $1 AND publication = $2", "1");
        const [newest] = await engine.read.rows(named, table, publication);
        return newest === undefined ? null : checked(newest, newestVersionOf);
      }
      const [row] = await engine.read.rows(
        `SELECT ${VERSION_COLUMNS} FROM official_versions WHERE table_id = $1 AND publication = $2 AND version = $3`,
        table,
        publication,
        version,
      );
      return row === undefined ? null : checked(row, versionOf);
    },
    list: async ({ table, from, to, after, limit }) => {
      const params: Param[] = [table, limit];
      const conditions = ["table_id = $1"];
      if (from !== null) conditions.push(`valid_from >= $${params.push(formatDay(from))}`);
      if (to !== null) conditions.push(`valid_from <= $${params.push(formatDay(to))}`);
      if (after !== null) {
        const [day, name] = [params.push(formatDay(after.validFrom)), params.push(after.publication)];
        conditions.push(`(valid_from, publication) < ($${day}, $${name})`);
      }
      const rows = await engine.read.rows(selectNewest(conditions.join(" AND "), "$2"), ...params);
      return rows.map((row) => checked(row, newestVersionOf));
    },
    validOn: async (table, day) => {
      const [row] = await engine.read.rows(
        selectNewest("table_id = $1 AND valid_from <= $2", "1"),
        table,
        formatDay(day),
      );
      return row === undefined ? null : checked(row, newestVersionOf);
    },
    versions: async (table, publication) => {
      const rows = await engine.read.rows(
        `SELECT version, retrieved_at FROM official_versions WHERE table_id = $1 AND publication = $2 ORDER BY version`,
        table,
        publication,
      );
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
      const rows = await engine.read.rows(
        "SELECT table_id, SUM(newest_version) AS versions FROM official_publications GROUP BY table_id",
      );
      return new Map(rows.map((row) => [text(row, "table_id"), integer(row, "versions")]));
    },
    keys: async (table, after, limit) => {
      const params: Param[] = [table, limit];
      const beyond = after === null ? "" : "AND (publication, version) > ($3, $4)";
      if (after !== null) params.push(after.publication, after.version);
      const rows = await engine.read.rows(
        `SELECT publication, version, valid_from, retrieved_at, document_sha256 FROM official_versions
         WHERE table_id = $1 ${beyond} ORDER BY publication, version LIMIT $2`,
        ...params,
      );
      return rows.map((row) => ({
        publication: String(row["publication"]),
        version: Number(row["version"]),
        validFrom: String(row["valid_from"]),
        identity: `${row["retrieved_at"]} ${row["document_sha256"]}`,
      }));
    },
    read: async (table, names) => {
      if (names.length === 0) return { versions: [], damaged: [] };
      const publications = padded([...new Set(names.map(({ publication }) => publication))]);
      const rows = await engine.read.rows(
        `SELECT ${VERSION_COLUMNS} FROM official_versions
         WHERE table_id = $1 AND publication IN (${placeholders(publications.length, 2)})`,
        table,
        ...publications,
      );
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
