/** Caches one document of a provider: fetched rarely, one request at a time, and reused for a while when the provider is down. */

import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";

interface Renewal {
  /** Younger than this it is used without asking. */
  readonly freshSeconds: number;
  /** Up to this age it is used when asking fails. */
  readonly keptSeconds: number;
  /** At most one request in this time, independent of callers. */
  readonly pauseSeconds: number;
}

export interface Renewed<T> {
  /** Rejects as `read` does when there is nothing to fall back on. */
  get(): Promise<T>;
  /** A newer one than what `get` just gave, or null when the last request was too recent or the document cannot be fetched. */
  newer(): Promise<T | null>;
}

export function openRenewed<T>(read: () => Promise<T>, clock: Clock, renewal: Renewal): Renewed<T> {
  let held: { readonly value: T; readonly at: Instant } | null = null;
  let lastAsked = Number.NEGATIVE_INFINITY;
  let lastFault: unknown = null;
  let underWay: Promise<T> | null = null;

  const age = (since: Instant) => (clock.now() - since) / 1000;

  function ask(): Promise<T> {
    if (underWay === null) {
      lastAsked = clock.now();
      underWay = read()
        .then((value) => {
          held = { value, at: clock.now() };
          return value;
        })
        .catch((fault: unknown) => {
          lastFault = fault;
          throw fault;
        })
        .finally(() => {
          underWay = null;
        });
    }
    return underWay;
  }

  return {
    async get() {
      const kept = held;
      if (kept !== null && age(kept.at) < renewal.freshSeconds) return kept.value;
      const usable = kept !== null && age(kept.at) < renewal.keptSeconds ? kept : null;
      if (underWay === null && age(lastAsked) < renewal.pauseSeconds) {
        if (usable !== null) return usable.value;
        throw lastFault;
      }
      return usable === null ? ask() : ask().catch(() => usable.value);
    },
    async newer() {
      if (underWay === null && age(lastAsked) < renewal.pauseSeconds) return null;
      return ask().catch(() => null);
    },
  };
}
