/** When sessions were last used: noted in memory, written to the ledger in batches. */

import type { Instant } from "#domain/time/day.ts";
import type { Sessions } from "#ports/ledger-people.ts";

export interface SessionsSeen {
  note(id: string, at: Instant): void;
  /** Writes what was noted; what cannot be written is noted still. Never rejects. Call it once a minute, and before the end. */
  flush(): Promise<void>;
}

/** Beyond these the list waits for the next flush: a "last seen" may be late, never wrong. */
const MOST_NOTED = 10_000;

export function openSessionsSeen(sessions: Pick<Sessions, "touch">): SessionsSeen {
  let noted = new Map<string, Instant>();
  const note = (id: string, at: Instant) => {
    if (noted.size < MOST_NOTED || noted.has(id)) noted.set(id, Math.max(at, noted.get(id) ?? at));
  };
  return {
    note,
    flush: async () => {
      if (noted.size === 0) return;
      const batch = noted;
      noted = new Map();
      try {
        await sessions.touch([...batch].map(([id, at]) => ({ id, at })));
      } catch {
        // The ledger itself tells that it is out of reach.
        for (const [id, at] of batch) note(id, at);
      }
    },
  };
}
