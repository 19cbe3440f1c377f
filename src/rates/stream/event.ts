/** The events of the stream: the difference between two answers. */

import { type CurrencyIndex, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import type { LatestRates } from "#domain/rates/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import type { Instant } from "#domain/time/day.ts";
import { type LatestQuery, latestOf } from "#rates/latest.ts";

export type StreamEvent =
  /** snapshot replaces all that was sent before; rates replaces member by member. */
  | { readonly name: "snapshot" | "rates"; readonly id: string; readonly rates: LatestRates }
  /** No rate is left: /v1/latest would refuse with this. */
  | { readonly name: "unavailable"; readonly id: string; readonly refusal: Failure };

/** How events are written. */
export interface Frames {
  event(event: StreamEvent, now: Instant): Uint8Array;
  heartbeat(now: Instant): Uint8Array;
}

/** What a client holds: one object as long as its content is the same. */
export type Content = { readonly rates: LatestRates } | { readonly refusal: Failure };

/** What /v1/latest would answer from a table now. */
export function contentOf(table: SpotTable, query: LatestQuery): Content {
  try {
    return { rates: latestOf(table, query) };
  } catch (refused) {
    if (!(refused instanceof Failure)) throw refused;
    return { refusal: refused };
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
    const isKnown =
      before !== null && "refusal" in before && before.refusal.message === after.refusal.message;
    return isKnown ? null : { name: "unavailable", id, refusal: after.refusal };
  }
  const { rates } = after;
  if (before === null || "refusal" in before) return { name: "snapshot", id, rates };
  const changed = changesBetween(before.rates, rates);
  if (changed === "all") return { name: "snapshot", id, rates };
  if (changed.length === 0) return null;
  const isWhole = changed.length === rates.rates.length;
  const part = isWhole ? rates : partOf(rates, table, { ...query, symbols: changed });
  // What is missing came with the snapshot, and is missing no longer once its rate comes.
  return { name: "rates", id, rates: { ...part, missing: [] } };
}

/** All instead of a part where the part would date the base otherwise: the base's oldest figure is in another rate. */
function partOf(whole: LatestRates, table: SpotTable, query: LatestQuery): LatestRates {
  const part = latestOf(table, query);
  const base = currencyCode(whole.base);
  const ofBase = part.origin.effectiveAt[base];
  return ofBase !== undefined && ofBase !== whole.origin.effectiveAt[base] ? whole : part;
}

/**
 * The currencies of `after` to send, none when the two are the same. "all" when something listed before is listed no
 * more, which no list of changes can express. A change of the session, or of the base's own observation, concerns all.
 */
export function changesBetween(before: LatestRates, after: LatestRates): readonly CurrencyIndex[] | "all" {
  for (const code in before.origin.sources) if (after.origin.sources[code] === undefined) return "all";
  const textsBefore = textsOf(before);
  const texts = textsOf(after);
  const base = currencyCode(after.base);
  const concernsAll =
    before.session !== after.session || (!texts.has(base) && isOriginChanged(before, after, base));
  const derivedBefore = new Set<string>(before.origin.derivedSymbols);
  const derived = new Set<string>(after.origin.derivedSymbols);
  const codes = [...texts.keys()];
  const changed = codes.filter(
    (code) =>
      concernsAll ||
      textsBefore.get(code) !== texts.get(code) ||
      before.origin.stale[code] !== after.origin.stale[code] ||
      derivedBefore.has(code) !== derived.has(code) ||
      isOriginChanged(before, after, code),
  );
  if (changed.length === 0) return [];
  // A base that was requested among the others is listed by another rule than one that was not: it is sent along.
  return codes.filter((code) => changed.includes(code) || code === base).map(currencyIndex);
}

/** The rates as they are printed, by currency code. */
function textsOf({ rates, dp }: LatestRates): ReadonlyMap<string, string> {
  return new Map(rates.map(({ to, text }) => [currencyCode(to), withDecimals(text, dp)]));
}

function isOriginChanged(
  { origin: before }: LatestRates,
  { origin: after }: LatestRates,
  code: string,
): boolean {
  return before.sources[code] !== after.sources[code] || before.effectiveAt[code] !== after.effectiveAt[code];
}
