/** Everybody who asked the same: what changes is worked out and encoded once for all of them. */

import { shortDigest } from "#domain/spot/digest.ts";
import type { LatestQuery } from "#rates/latest.ts";
import { type Content, contentOf, eventOf, type StreamEvent } from "./event.ts";
import type { Member } from "./member.ts";
import type { State, States } from "./states.ts";

export interface StreamQuery extends LatestQuery {
  /** Minutes that live rates are held back; undefined: what holds for the server. */
  readonly delayMinutes?: number | undefined;
}

export interface Group {
  readonly key: string;
  readonly query: StreamQuery;
  readonly members: Set<Member>;
  /** What a member that has everything holds. */
  content(): Content;
  /** The event that brings a client from what it holds here; null when there is nothing to tell. */
  since(held: Content | null): StreamEvent | null;
  /** What a client holds by the id of its last event; null when that is unknown here, or of another query. */
  heldBy(id: string): Content | null;
  /** Goes on to another state; what all must be told who held the content before, or null. */
  turn(state: State): StreamEvent | null;
}

export function groupKey({ base, symbols, dp, delayMinutes }: StreamQuery): string {
  const asked = `${base} ${symbols?.join(",") ?? "*"} ${dp ?? "-"}`;
  return delayMinutes === undefined || delayMinutes === 0 ? asked : `${asked} ${delayMinutes}`;
}

export function newGroup(query: StreamQuery, states: States, first: State): Group {
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
      const [digest = "", asked, more] = id.split("-", 3);
      const table = asked === tag && more === undefined ? states.find(digest) : undefined;
      return table === undefined ? null : contentOf(table, query);
    },
    turn: (next) => {
      if (next.digest === state.digest) return null;
      const before = content;
      state = next;
      content = contentOf(next.table, query);
      const event = since(before);
      // The same once more: whoever held it holds it still.
      if (event === null) content = before;
      return event;
    },
  };
}
