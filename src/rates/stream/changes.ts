/** What has to be said to a client that holds one answer so that it holds the next: which currencies, or everything anew. */

import { type CurrencyIndex, currencyIndex } from "#domain/currency/currency.ts";
import type { latestOf } from "#rates/latest.ts";

export type LatestBody = ReturnType<typeof latestOf>;

/**
 * The currencies of `after` to tell, none when the two say the same. "anew" when something listed before is listed no
 * more, which no list of changes can say. A turn of the session, or of the base's own observation, concerns all.
 */
export function changesBetween(before: LatestBody, after: LatestBody): readonly CurrencyIndex[] | "anew" {
  for (const code in before.sources) if (after.sources[code] === undefined) return "anew";
  const codes = Object.keys(after.rates);
  const concernsAll =
    before.market_session !== after.market_session ||
    (after.rates[after.base] === undefined && isOriginChanged(before, after, after.base));
  const derivedBefore = new Set<string>(before.derived_symbols);
  const derived = new Set<string>(after.derived_symbols);
  const changed = codes.filter(
    (code) =>
      concernsAll ||
      before.rates[code]?.text !== after.rates[code]?.text ||
      before.stale[code] !== after.stale[code] ||
      derivedBefore.has(code) !== derived.has(code) ||
      isOriginChanged(before, after, code),
  );
  // A base that was asked for among the others is listed by another rule than one that was not: it comes along.
  const told =
    changed.length > 0 ? codes.filter((code) => changed.includes(code) || code === after.base) : [];
  return told.map(currencyIndex);
}

function isOriginChanged(before: LatestBody, after: LatestBody, code: string): boolean {
  return (
    before.sources[code] !== after.sources[code] || before.effective_at[code] !== after.effective_at[code]
  );
}
