/** Several hot books on one Redis, each with a record of what it showed; closed after the test. */

import { later as realLater } from "#assembly/process.ts";
import type { Book } from "#domain/live/book.ts";
import type { HotBook } from "#ports.ts";
import { openRedisHotBook, type RedisBookDeps } from "#store/redis/hot-book/hot-book.ts";
import { closedAfterEach } from "#test/support/closed-after-each.ts";
import type { RedisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";
import { NOON } from "./sample.ts";

export interface Replica extends HotBook {
  readonly received: readonly Book[];
  readonly emitted: readonly string[];
  now: number;
}

/** Opens replicas; those that a test has opened are closed after it. */
export function replicasOf(server: RedisServer): (deps?: Partial<RedisBookDeps>) => Promise<Replica> {
  const opened = closedAfterEach();
  return async (deps = {}) => {
    const emitted: string[] = [];
    const received: Book[] = [];
    const clock = { now: () => replica.now };
    const replica = { now: NOON, received, emitted } as unknown as Replica;
    const emit: RedisBookDeps["emit"] = (event) => {
      emitted.push(JSON.stringify(event));
    };
    const book = opened(await openRedisHotBook({ url: server.url, clock, emit, later: realLater, ...deps }));
    book.subscribe((newer) => received.push(newer));
    return Object.assign(replica, book);
  };
}

/** True when a replica's versions only rose and no quote of it went back in time. */
export function onlyWentForward({ received }: Replica): boolean {
  return received.every((book, place) => {
    const before = received[place - 1];
    if (before === undefined) return true;
    const isLater = [...before.quotes].every(([currency, { observedAt }]) => {
      const now = book.quotes.get(currency);
      return now !== undefined && now.observedAt >= observedAt;
    });
    return book.version > before.version && isLater;
  });
}

export function untilState(replica: HotBook, status: "ok" | "degraded"): Promise<void> {
  return until(`the state is ${status}`, () => replica.state().status === status);
}
