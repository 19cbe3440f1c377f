/** "Last used" and "last seen" of many rows at once: never back in time, relaxed, not audited. */

import type { Engine } from "#store/ledger/engine/engine.ts";
import { chunksOf } from "#store/ledger/engine/rows.ts";

export async function markRowsUsed(
  engine: Engine,
  table: "api_keys" | "sessions",
  column: "last_used_at" | "last_seen_at",
  uses: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { id, at } of uses) newest.set(id, Math.max(at, newest.get(id) ?? at));
  // Two replicas lock the rows in the same order.
  const rows = [...newest].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const chunk of chunksOf(rows)) {
    const values = chunk.map((_, nth) => `(CAST($${2 * nth + 1} AS TEXT), CAST($${2 * nth + 2} AS BIGINT))`);
    await engine.write(
      (transaction) =>
        transaction.run(
          `UPDATE ${table} SET ${column} = used.column2 FROM (VALUES ${values.join(", ")}) AS used
           WHERE ${table}.id = used.column1 AND (${column} IS NULL OR ${column} < used.column2)`,
          ...chunk.flat(),
        ),
      "relaxed",
    );
  }
}
