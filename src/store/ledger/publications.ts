/** Official publications as they are read; what writes them is the outbox, with their events. */

import { formatDay } from "#domain/day.ts";
import type { Publications } from "#ports/official.ts";
import type { LedgerParts } from "./engine.ts";
import { PREFIXED_VERSION_COLUMNS, VERSION_COLUMNS, versionOf } from "./publication-rows.ts";
import { integer, type Param } from "./rows.ts";

/** Two of one day: the later name. */
const NEWEST_FIRST = "ORDER BY valid_from DESC, publication DESC";

/** The newest versions of so many publications; these are chosen first, so that no others' rates are read. */
function selectNewest(conditions: string, limit: string): string {
  return `SELECT ${PREFIXED_VERSION_COLUMNS} FROM (
      SELECT table_id, publication, newest_version FROM official_publications
      WHERE ${conditions} ${NEWEST_FIRST} LIMIT ${limit}
    ) AS newest
    JOIN official_versions ON official_versions.table_id = newest.table_id
      AND official_versions.publication = newest.publication AND official_versions.version = newest.newest_version
    ORDER BY official_versions.valid_from DESC, official_versions.publication DESC`;
}

export function publications({ engine }: LedgerParts): Publications {
  return {
    find: async (table, publication, version) => {
      const [row] =
        version === null
          ? await engine.read.rows(
              selectNewest("table_id = $1 AND publication = $2", "1"),
              table,
              publication,
            )
          : await engine.read.rows(
              `SELECT ${VERSION_COLUMNS} FROM official_versions WHERE table_id = $1 AND publication = $2 AND version = $3`,
              table,
              publication,
              version,
            );
      return row === undefined ? null : versionOf(row);
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
      return rows.map(versionOf);
    },
    validOn: async (table, day) => {
      const [row] = await engine.read.rows(
        selectNewest("table_id = $1 AND valid_from <= $2", "1"),
        table,
        formatDay(day),
      );
      return row === undefined ? null : versionOf(row);
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
