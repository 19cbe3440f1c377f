/** For how many currencies each feed speaks, and whether it does so in the place of a better one. Used by live-gauges.ts. */

import type { CurrencyChoice, FeedChoice } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";

export interface Spoken {
  readonly primary: number;
  readonly fallback: number;
}

/**
 * Every feed of the choice, with the currencies that it speaks for. A feed is a fall-back for a currency when one placed
 * before it could be expected to speak: it has been believed on that currency before, or on no currency at all (so it
 * has been down from the start). A currency that the primary feed does not quote is not a fall-back's.
 */
export function speakers({ currencies }: FeedChoice): ReadonlyMap<FeedId, Spoken> {
  const delivering = new Set<FeedId>();
  const spoken = new Map<FeedId, Spoken>();
  for (const { feeds } of currencies) {
    for (const { feed, newest } of feeds) {
      spoken.set(feed, { primary: 0, fallback: 0 });
      if (newest !== null) delivering.add(feed);
    }
  }
  for (const choice of currencies) {
    const count = choice.speaker === null ? undefined : spoken.get(choice.speaker);
    if (choice.speaker === null || count === undefined) continue;
    const place = isInPlaceOfAnother(choice, delivering) ? "fallback" : "primary";
    spoken.set(choice.speaker, { ...count, [place]: count[place] + 1 });
  }
  return spoken;
}

function isInPlaceOfAnother({ speaker, feeds }: CurrencyChoice, delivering: ReadonlySet<FeedId>): boolean {
  const before = feeds.slice(
    0,
    feeds.findIndex(({ feed }) => feed === speaker),
  );
  return before.some(({ feed, newest }) => newest !== null || !delivering.has(feed));
}
