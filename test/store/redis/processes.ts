/** Two processes on one deployment, each with the uses of Redis that it would have; closed after the test. */

import { afterEach } from "bun:test";
import { later as realLater } from "#assembly/process.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import type { Counters } from "#ports/ledger.ts";
import type { HotBook } from "#ports.ts";
import { openRedisHotBook } from "#store/redis/hot-book/hot-book.ts";
import { openRedisCounters } from "#store/redis/limits/counters.ts";
import { grantedOf, org, take, untilLinked } from "#test/store/counters/fixtures.ts";
import { NOON, quote } from "#test/store/hot-book/sample.ts";
import { closedAfterEach } from "#test/support/closed-after-each.ts";
import type { Deployment } from "./deployment.ts";

export interface Pair {
  readonly emitted: readonly string[];
  books(): Promise<readonly [HotBook, HotBook]>;
  counters(leases?: boolean): readonly [Counters, Counters];
  linkedCounters(leases?: boolean): Promise<readonly [Counters, Counters]>;
  /** The same by another address. */
  at(url: string): Pair;
}

export function pairOn(deployment: () => Deployment): Pair {
  const opened = closedAfterEach();
  const emitted: string[] = [];
  const emit = (event: object) => void emitted.push(JSON.stringify(event));
  afterEach(async () => {
    emitted.length = 0;
  });
  const twice = <T extends { close(): unknown }>(make: () => T) => [opened(make()), opened(make())] as const;

  const at = (urlOf: () => string): Pair => {
    const counters = (leases = true) =>
      twice(() => {
        const clock = { now: Date.now };
        const monthUsed = async () => 0;
        const deps = { url: urlOf(), clock, emit, monthUsed, later: realLater, replicas: 2, leases };
        return openRedisCounters(deps);
      });
    const book = async () =>
      opened(await openRedisHotBook({ url: urlOf(), clock: { now: () => NOON }, emit, later: realLater }));
    return {
      emitted,
      counters,
      at: (url) => at(() => url),
      books: async () => [await book(), await book()],
      linkedCounters: async (leases) => {
        const pair = counters(leases);
        await Promise.all(pair.map(untilLinked));
        return pair;
      },
    };
  };
  return at(() => deployment().url);
}

/** Calls and quotes from here on, one after the other, until it is ended; then what was granted to the caller. */
export function load(
  [a, b]: readonly [Counters, Counters],
  collector: HotBook,
): { readonly caller: ReturnType<typeof org>; end(): Promise<number> } {
  const caller = org(`org_load_${crypto.randomUUID()}`, 1_000, 1_000_000);
  let isOver = false;
  const calling = (async () => {
    let granted = 0;
    for (let call = 0; !isOver; call++) {
      // In twos, of two callers: one script charges several.
      const other = org(`org_beside_${call % 50}`, 1_000, 1_000_000);
      const [taken] = await Promise.all([take(call % 2 === 0 ? a : b, caller), take(a, other)]);
      granted += grantedOf([taken]);
      // Leaves the loop to others: memory answers without waiting.
      await Bun.sleep(1);
    }
    return granted;
  })();
  const publishing = (async () => {
    for (let second = 1; !isOver; second++) {
      await collector.publish([quoteAt(second)]);
      await Bun.sleep(1);
    }
  })();
  return {
    caller,
    end: async () => {
      isOver = true;
      await publishing;
      return await calling;
    },
  };
}

function quoteAt(second: number): LiveQuote {
  return quote("SEK", `9.${second}`, second);
}
