/** "Last used" and "last seen" of many rows at once: never back in time, relaxed, not audited. */

import type { Engine } from "#store/ledger/engine/engine.ts";
import { chunksOf, joined, raw, sql } from "#store/ledger/engine/rows.ts";

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
    const values = chunk.map(([id, at]) => sql`(CAST(${id} AS TEXT), CAST(${at} AS BIGINT))`);
    const [into, last] = [raw(table), raw(column)];
    await engine.write(
      ({ run }) => run`
        UPDATE ${into} SET ${last} = used.column2 FROM (VALUES ${joined(values)}) AS used
        WHERE ${into}.id = used.column1 AND (${last} IS NULL OR ${last} < used.column2)`,
      "relaxed",
    );
  }
}
