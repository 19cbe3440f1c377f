/** Quotes that are durable in the journal and not yet in Parquet, by segment: what `flush` merges and `bars` adds. */

import type { LiveQuote } from "#domain/live/live-quote.ts";
import { keyOf } from "./quote-line.ts";

export interface PendingSegment {
  readonly number: number;
  readonly quotes: readonly LiveQuote[];
}

export type Pending = ReturnType<typeof newPending>;

export function newPending() {
  let segments = new Map<number, readonly LiveQuote[]>();
  let recent = new Set<string>();
  let earlier = new Set<string>();
  return {
    add: (number: number, quotes: readonly LiveQuote[]): void => {
      segments.set(number, [...(segments.get(number) ?? []), ...quotes]);
      for (const quote of quotes) recent.add(keyOf(quote));
    },
    /** Whether a quote of this key was added since the flush before the last one: a repetition comes soon or not at all. */
    knows: (key: string) => recent.has(key) || earlier.has(key),
    /** Whether a quote of this key is not in Parquet yet. */
    has: (key: string) =>
      [...segments.values()].some((quotes) => quotes.some((quote) => keyOf(quote) === key)),
    /** The present content; later additions do not change it. */
    snapshot: (): readonly PendingSegment[] => [...segments].map(([number, quotes]) => ({ number, quotes })),
    /** Forgets everything: another process may own the journal from now on. */
    clear: (): void => {
      [segments, recent, earlier] = [new Map(), new Set(), new Set()];
    },
    /** Forgets segments whose quotes are all in Parquet. */
    drop: (numbers: readonly number[]): void => {
      segments = new Map([...segments].filter(([number]) => !numbers.includes(number)));
      earlier = recent;
      // What is still pending stays known, however many flushes fail or pass it by.
      recent = new Set([...segments.values()].flatMap((quotes) => quotes.map(keyOf)));
    },
  };
}
