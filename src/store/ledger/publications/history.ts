/** Every version of the official publications, for copies of them; nothing here changes anything. */

import { PublicationDamaged } from "#domain/account/ledger-faults.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import type { DamagedVersion, PublicationHistory } from "#ports/official.ts";
import { padded } from "#store/ledger/engine/chunks.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import { integer, type Param, placeholders, text } from "#store/ledger/engine/rows.ts";
import { VERSION_COLUMNS, versionOf } from "./rows.ts";

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
