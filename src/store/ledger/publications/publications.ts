/** Official publications as they are read, each held against its digest; what writes them is the outbox, with their events. */

import { PublicationDamaged } from "#domain/account/ledger-faults.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { Publications } from "#ports/official.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { integer, type Param, type Row } from "#store/ledger/engine/rows.ts";
import type { Tell } from "#telemetry.ts";
import {
  NEWEST_COLUMNS,
  newestVersionOf,
  PREFIXED_VERSION_COLUMNS,
  VERSION_COLUMNS,
  versionOf,
} from "./rows.ts";

/** Of how many damaged versions it is remembered that they were told. */
const MOST_TOLD = 1000;

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

/** What does not read as it was stored is never given: PublicationDamaged, which is told once a version. */
export function publications({ engine }: LedgerParts, tell: Tell): Publications {
  const told = new Set<string>();
  const checked = (row: Row, readRow: (row: Row) => PublicationVersion): PublicationVersion => {
    try {
      return readRow(row);
    } catch (fault) {
      if (fault instanceof PublicationDamaged && told.size < MOST_TOLD) {
        const { table, publication, version, detail } = fault;
        const name = JSON.stringify([table, publication, version]);
        if (!told.has(name)) tell({ kind: "publication_damaged", table, publication, version, detail });
        told.add(name);
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
