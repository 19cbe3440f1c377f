/** The events of the stream: what one query is told when the spot table turns into another. */

import { Failure } from "#domain/faults/errors.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import type { Instant } from "#domain/time/day.ts";
import { type LatestQuery, latestOf } from "#rates/latest.ts";
import { changesBetween, type LatestBody } from "./changes.ts";

export interface StreamEvent {
  /** snapshot replaces all that was told before; rates replaces member by member; unavailable: no rate is left. */
  readonly name: "snapshot" | "rates" | "unavailable";
  readonly id: string;
  /** A LatestResponse, or the envelope that /v1/latest would refuse with. */
  readonly data: object;
}

/** How events are written. */
export interface Frames {
  event(event: StreamEvent, now: Instant): Uint8Array;
  heartbeat(now: Instant): Uint8Array;
}

/** What a client holds: one object as long as it says the same. */
export type Content = { readonly body: LatestBody } | { readonly refusal: Refusal };

interface Refusal {
  readonly result: "error";
  readonly code: string;
  readonly message: string;
}

/** What /v1/latest would say of a table now. */
export function contentOf(table: SpotTable, query: LatestQuery): Content {
  try {
    return { body: latestOf(table, query) };
  } catch (refused) {
    if (!(refused instanceof Failure)) throw refused;
    return { refusal: { result: "error", code: refused.code, message: refused.message } };
  }
}

export interface Turn {
  readonly query: LatestQuery;
  /** What the client holds; null when that is unknown. */
  readonly before: Content | null;
  readonly after: Content;
  /** What `after` was made from. */
  readonly table: SpotTable;
  readonly id: string;
}

/** The event that makes a client hold `after`; null when it does already. */
export function eventOf({ query, before, after, table, id }: Turn): StreamEvent | null {
  if ("refusal" in after) {
    const known = before !== null && "refusal" in before && before.refusal.message === after.refusal.message;
    return known ? null : { name: "unavailable", id, data: after.refusal };
  }
  const { body } = after;
  if (before === null || "refusal" in before) return { name: "snapshot", id, data: body };
  const changed = changesBetween(before.body, body);
  if (changed === "anew") return { name: "snapshot", id, data: body };
  if (changed.length === 0) return null;
  const isWhole = changed.length === Object.keys(body.rates).length;
  return { name: "rates", id, data: isWhole ? body : partOf(body, table, { ...query, symbols: changed }) };
}

/** All instead of a part where the part alone would date the base otherwise: the base's oldest figure is in another rate. */
function partOf(whole: LatestBody, table: SpotTable, query: LatestQuery): LatestBody {
  const part = latestOf(table, query);
  const ofBase = part.effective_at[whole.base];
  return ofBase !== undefined && ofBase !== whole.effective_at[whole.base] ? whole : part;
}
