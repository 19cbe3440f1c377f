/** The last tables by their digest: the states from which clients may resume. */

import { spotDigest } from "#domain/spot/digest.ts";
import type { SpotTable } from "#domain/spot/table.ts";

export interface State {
  readonly table: SpotTable;
  readonly digest: string;
}

/** Ten minutes of a change a second, ten hours of one a minute; a table takes about 10 kB. */
const MOST_STATES = 600;

export interface States {
  /** The state of a table, remembered from now on. Cheap for the table of the call before. */
  of(table: SpotTable): State;
  /** The table of a digest, or undefined when it is not known here, or no digest at all. */
  find(digest: string): SpotTable | undefined;
}

/** Equal digests mean equal latest rates, so it does not matter in which process an id was made. */
export function newStates(most = MOST_STATES): States {
  const byDigest = new Map<string, SpotTable>();
  let last: State | null = null;
  return {
    of: (table) => {
      if (last?.table === table) return last;
      const digest = spotDigest(table);
      // A new table with the same content keeps its digest.
      const state = last?.digest === digest ? { ...last, table } : { table, digest };
      byDigest.delete(digest);
      byDigest.set(digest, table);
      for (const oldest of byDigest.keys()) {
        if (byDigest.size <= most) break;
        byDigest.delete(oldest);
      }
      last = state;
      return state;
    },
    find: (digest) => byDigest.get(digest),
  };
}
