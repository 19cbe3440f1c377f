/** Collects in memory when keys and sessions were last used, and writes it to the ledger in batches. */

import type { Instant } from "#domain/time/day.ts";

export type LastUsed = ReturnType<typeof openLastUsed>;

/** The ledger's side: of keys, or of sessions. */
interface UsedRows {
  markUsed(uses: readonly { readonly id: string; readonly at: Instant }[]): Promise<void>;
}

/** Beyond `most` others wait for the next flush: a "last used" may be late, never wrong. */
export function openLastUsed(rows: UsedRows, most = 50_000) {
  let noted = new Map<string, Instant>();
  const note = (id: string, at: Instant) => {
    const last = noted.get(id);
    if (last === undefined ? noted.size < most : last < at) noted.set(id, at);
  };
  return {
    note,
    /** Writes what was collected; what cannot be written stays. Never rejects. Call it once a minute, and before the end. */
    flush: async () => {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      try {
        await rows.markUsed([...batch].map(([id, at]) => ({ id, at })));
      } catch {
        // The ledger logs its own unavailability.
        for (const [id, at] of batch) note(id, at);
      }
    },
  };
}
