/** The hot book of many processes: each serves from its own memory, Redis carries what is new from one to the others. */

import { type Book, join, merge } from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import type { Clock, HotBook } from "#ports.ts";
import { holdBook } from "#store/memory/hot-book/held-book.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import { trackReach } from "#store/redis/connection/reach.ts";
import type { Tell } from "#telemetry.ts";
import { listen } from "./messages.ts";
import { bookOf, isClash, readShared, writeShared } from "./shared-book.ts";

export interface RedisBookDeps {
  /** redis:// or rediss:// address, or the path of a socket. */
  readonly url: string;
  readonly clock: Clock;
  readonly tell: Tell;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** A message can be lost, and the reply to the next reading too: still nobody is behind Redis by a second. */
const REREAD_MILLISECONDS = 300;

/**
 * Resolves when Redis has been read or has failed once, within about a second. Never rejects for Redis: the book is then
 * empty and degraded, and works like one in memory until Redis is there.
 */
export async function openRedisHotBook({ url, clock, tell, later }: RedisBookDeps): Promise<HotBook> {
  const held = holdBook(tell);
  const reach = trackReach(clock, tell);
  const redis = connectRedis(url, "crossrate-book");
  const publishing = new Set<Promise<Book>>();
  let connectionFault: string | null = null;
  /** The shared text with which memory is known to agree; null when they must be compared. */
  let agreed: string | null = null;
  let closed = false;
  let callOff = () => {};

  /** Brings memory and the shared text together: of each currency the newest, on a tie Redis's; versions only rise. */
  const settle = async (text: string): Promise<void> => {
    const shared = bookOf(text);
    const own = held.read();
    const clash = isClash(shared, own);
    if (join(shared, own) === shared && shared.version >= own.version && !clash) return adopt(text, own);
    // Redis was emptied or set back, or could not be reached. What others wrote counts even where this write fails.
    held.replace(join(own, shared, clock.now()));
    const mine = held.read();
    adopt(await writeShared(redis, mine, clash ? mine.version + 1 : mine.version, clock.now()), mine);
  };

  /** `known` is the book that the text is already reconciled with. */
  const adopt = (text: string, known: Book): void => {
    const shared = bookOf(text);
    const own = held.read();
    held.replace({ ...join(shared, own), version: shared.version });
    agreed = own === known ? text : null;
  };

  const readOnce = async (): Promise<void> => {
    if (redis.status !== "ready") return;
    try {
      const text = await readShared(redis);
      if (text !== agreed) await settle(text);
      reach.answered();
    } catch (fault) {
      if (!closed) reach.lost(fault);
    }
  };

  let reading: Promise<void> | null = null;
  let isAskedAgain = false;
  /** One reading at a time; whoever asks during one gets another after it. */
  const reread = (): Promise<void> => {
    isAskedAgain = true;
    reading ??= (async () => {
      do {
        isAskedAgain = false;
        await readOnce();
      } while (isAskedAgain && !closed);
      reading = null;
    })();
    return reading;
  };

  const publish = async (quotes: readonly LiveQuote[]): Promise<Book> => {
    try {
      if (redis.status !== "ready") throw new Error(connectionFault ?? "there is no connection");
      const own = held.read();
      // The whole book goes along: a Redis that was emptied has everything again with the next collection.
      await settle(await writeShared(redis, merge(own, quotes, clock.now()), own.version, clock.now()));
      reach.answered();
    } catch (fault) {
      reach.lost(fault);
      // The reading that reaches Redis again finds the difference and writes it.
      agreed = null;
      held.replace(merge(held.read(), quotes, clock.now()));
    }
    return held.read();
  };

  const messages = listen(url, {
    newer: (version) => {
      if (version !== held.read().version) void reread();
    },
    listening: () => {
      reach.messages(null);
      void reread();
    },
    deaf: reach.messages,
  });
  await new Promise<void>((resolve) => {
    redis.on("error", (fault: Error) => {
      connectionFault = fault.message;
    });
    redis.on("ready", () => {
      connectionFault = null;
      agreed = null;
      void reread().then(resolve);
    });
    redis.on("close", () => {
      if (!closed) reach.lost(connectionFault ?? "the connection was closed");
      resolve();
    });
  });

  const keepReading = () => {
    callOff = later(REREAD_MILLISECONDS, async () => {
      messages.probe();
      await reread();
      if (!closed) keepReading();
    });
  };
  keepReading();

  return {
    read: held.read,
    publish: (quotes) => {
      if (closed) return Promise.reject(new Error("the hot book is closed"));
      const work = publish(quotes);
      publishing.add(work);
      return work.finally(() => publishing.delete(work));
    },
    subscribe: held.subscribe,
    state: reach.state,
    close: async () => {
      closed = true;
      callOff();
      await Promise.allSettled([...publishing]);
      redis.disconnect();
      messages.close();
    },
  };
}
