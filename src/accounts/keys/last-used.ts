/** When each key was last used, noted here and written in batches. */

import type { Instant } from "#domain/time/day.ts";
import type { Keys } from "#ports/ledger.ts";

export interface LastUsed {
  note(keyId: string, at: Instant): void;
  /** Writes what was noted; what cannot be written is noted still. Never rejects. Call it about once a minute. */
  flush(): Promise<void>;
}

export function openLastUsed(keys: Pick<Keys, "touch">): LastUsed {
  let noted = new Map<string, Instant>();
  return {
    note: (keyId, at) => {
      noted.set(keyId, at);
    },
    flush: async () => {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      try {
        await keys.touch([...batch].map(([id, at]) => ({ id, at })));
      } catch {
        // The ledger says by itself that it is out of reach; a later use of the same key counts.
        for (const [id, at] of batch) if (!noted.has(id)) noted.set(id, at);
      }
    },
  };
}
