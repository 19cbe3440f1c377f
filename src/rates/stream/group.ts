/** The readers of one query, and the states from which clients may resume. A change is computed and encoded once for all of them. */

import { shortDigest, spotDigest } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import type { Instant } from "#domain/time/day.ts";
import type { LatestQuery } from "#rates/latest.ts";
import { type Content, contentOf, eventOf, type StreamEvent } from "./event.ts";

/** Where the bytes of one reader go. */
export interface Outlet {
  /** False while what was written before has not been taken. `drained` of the subscription is called when it has. */
  ready(): boolean;
  write(bytes: Uint8Array): void;
  /** Ends the response; what was written is still delivered to a reader that takes it. */
  end(): void;
}

/** One reader of the stream: it gets events at once while it reads, and all it has missed at once when it reads again. */
export interface Member {
  readonly outlet: Outlet;
  /** What the reader was sent, all in all. */
  held: Content;
  wroteAt: Instant;
  /** Since when something has been waiting that it does not take; null while it reads. */
  blockedSince: Instant | null;
}

export interface Group {
  readonly key: string;
  readonly query: LatestQuery;
  readonly members: Set<Member>;
  /** What a member that has everything holds. */
  content(): Content;
  /** The event that brings a client from what it holds here; null when nothing has changed. */
  since(held: Content | null): StreamEvent | null;
  /** What a client holds by the id of its last event; null when that is unknown here, or of another query. */
  heldBy(id: string): Content | null;
  /** Goes on to another state; the event for all who held the content before, or null. */
  turn(state: State): StreamEvent | null;
}

export function groupKey({ base, symbols, dp, delayMinutes }: LatestQuery): string {
  const name = `${base} ${symbols?.join(",") ?? "*"} ${dp ?? "-"}`;
  return delayMinutes === undefined || delayMinutes === 0 ? name : `${name} ${delayMinutes}`;
}

export function newGroup(query: LatestQuery, states: States, first: State): Group {
  const key = groupKey(query);
  const tag = shortDigest(key, 8);
  let state = first;
  let content = contentOf(first.table, query);

  const since = (before: Content | null) =>
    eventOf({ query, before, after: content, table: state.table, id: `${state.digest}-${tag}` });

  return {
    key,
    query,
    members: new Set(),
    content: () => content,
    since,
    heldBy: (id) => {
      const [digest = "", ofQuery, more] = id.split("-", 3);
      const table = ofQuery === tag && more === undefined ? states.find(digest) : undefined;
      return table === undefined ? null : contentOf(table, query);
    },
    turn: (next) => {
      if (next.digest === state.digest) return null;
      const before = content;
      state = next;
      content = contentOf(next.table, query);
      const event = since(before);
      // The same content again: readers that held it hold it still.
      if (event === null) content = before;
      return event;
    },
  };
}

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
