/** The hot book of many processes: each serves from its own memory, and shares new quotes with the others through Redis. */

import {
  type Book,
  bookLines,
  EMPTY_BOOK,
  formatBook,
  type HotBookState,
  join,
  merge,
  parseBook,
} from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";
import { bookHolder } from "#store/memory/hot-book/hot-book.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";
import type { LinkDeps } from "#store/redis/limits/link.ts";
import type { Emit } from "#telemetry.ts";

export interface RedisBookDeps extends LinkDeps {
  readonly url: string;
  /** The id of the lake by which the quotes were judged; processes with another one do not share the book. Null: nothing is shared yet. */
  readonly lake?: () => string | null;
}

/** Even after a lost reply a replica is less than a second behind Redis. */
const REREAD_MILLISECONDS = 300;

/**
 * Resolves when Redis has been read or has failed once, within about a second. Never rejects for Redis: the book is then
 * empty and degraded, and works like one in memory until Redis is there.
 */
export async function openRedisHotBook(deps: RedisBookDeps): Promise<HotBook> {
  const { url, clock, emit, later, lake = () => "" } = deps;
  const holder = bookHolder(emit);
  const connection = trackConnection(clock, emit);
  const redis = connectRedis(url, "crossrate-book");
  const publishing = new Set<Promise<Book>>();
  let connectionFault: string | null = null;
  /** The shared text, and the book in memory that agrees with it; null when they must be compared. */
  let agreed: { readonly text: string; readonly book: Book } | null = null;
  let closed = false;
  let callOff = () => {};

  const keyNow = (): string => {
    const id = lake();
    if (id === null) throw new Error("the lake is new, and has no id yet");
    return id === "" ? BOOK_KEY : `${BOOK_KEY}:${id}`;
  };

  /**
   * Joins memory, the shared text and `quotes`, and stores the newest of each currency in both places. Versions only rise. When
   * two processes write at once, the second overwrites the first, whose next reading finds the difference and writes again.
   */
  const share = async (quotes: readonly LiveQuote[]): Promise<void> => {
    const key = keyNow();
    const text = (await redis.get(key)) ?? "";
    const [own, now] = [holder.read(), clock.now()];
    if (quotes.length === 0 && agreed?.text === text && agreed.book === own) return;
    const shared = bookOf(text);
    // `join` replaces quotes dated ahead in its first book: so the text corrects memory, and new quotes correct the text.
    const newest = quotes.length === 0 ? join(own, shared, now) : join(shared, merge(own, quotes, now), now);
    const [isShared, isOwn] = [shared, own].map((book) => bookLines(book) === bookLines(newest));
    const ahead = own.version - shared.version;
    if (isShared && (ahead < 0 || (isOwn && ahead === 0))) {
      holder.replace(shared);
      agreed = { text, book: holder.read() };
      return;
    }
    // If memory has these quotes under a higher version, an earlier write failed and is repeated. Else memory changes first.
    if (!isOwn || ahead <= 0)
      holder.replace({ ...newest, version: Math.max(own.version + 1, shared.version + 1, now) });
    const book = holder.read();
    await redis.set(key, formatBook(book));
    agreed = { text: formatBook(book), book };
  };

  const readOnce = async (): Promise<void> => {
    if (redis.status !== "ready" || lake() === null) return;
    try {
      await share([]);
      connectionFault = null;
      if (!closed) connection.answered();
    } catch (fault) {
      if (!closed) connection.lost(fault);
    }
  };

  let reading: Promise<void> | null = null;
  /** Reads one at a time. */
  const reread = (): Promise<void> => {
    reading ??= readOnce().finally(() => {
      reading = null;
    });
    return reading;
  };

  const publish = async (quotes: readonly LiveQuote[]): Promise<Book> => {
    try {
      if (redis.status !== "ready") throw new Error(connectionFault ?? "there is no connection");
      // This writes the whole book: a Redis that was emptied has everything again.
      await share(quotes);
      connection.answered();
    } catch (fault) {
      connection.lost(fault);
      // The next reading that reaches Redis finds the difference and writes it.
      agreed = null;
      holder.replace(merge(holder.read(), quotes, clock.now()));
    }
    return holder.read();
  };

  await new Promise<void>((resolve) => {
    redis.on("error", (fault: Error) => {
      connectionFault = fault.message;
      // A client that looks for a sentinel emits errors, but no `close`.
      if (redis.status !== "ready" && !closed) connection.lost(fault);
      resolve();
    });
    redis.on("ready", () => {
      agreed = null;
      void reread().then(resolve);
    });
    redis.on("close", () => {
      if (!closed) connection.lost(connectionFault ?? "the connection was closed");
      resolve();
    });
  });

  const keepReading = () => {
    callOff = later(REREAD_MILLISECONDS, async () => {
      await reread();
      if (!closed) keepReading();
    });
  };
  keepReading();

  return {
    read: holder.read,
    publish: (quotes) => {
      if (closed) return Promise.reject(new Error("the hot book is closed"));
      const work = publish(quotes);
      publishing.add(work);
      return work.finally(() => publishing.delete(work));
    },
    subscribe: holder.subscribe,
    state: connection.state,
    close: async () => {
      closed = true;
      callOff();
      await Promise.allSettled([...publishing]);
      redis.disconnect();
    },
  };
}

const BOOK_KEY = "{crossrate}:book";

/** Returns the book of a shared text. Throws for a text in another format; nothing overwrites it. */
function bookOf(text: string): Book {
  const book = text === "" ? EMPTY_BOOK : parseBook(text);
  if (book === null) throw new Error(`${BOOK_KEY} holds something else than a book of this release`);
  return book;
}

function trackConnection(clock: Clock, emit: Emit) {
  let fault: string | null = "not connected yet";
  let lastSeenAt: Instant | null = null;
  let isLogged = false;
  return {
    /** Call it when Redis has answered and nothing waits to be written. */
    answered: () => {
      lastSeenAt = clock.now();
      fault = null;
      if (isLogged) emit({ kind: "redis_recovered", use: "hot_book" });
      isLogged = false;
    },
    lost: (reason: unknown) => {
      fault = reason instanceof Error ? reason.message : String(reason);
      if (isLogged) return;
      emit({ kind: "redis_unavailable", use: "hot_book", effect: "served from memory only", detail: fault });
      isLogged = true;
    },
    state: (): HotBookState =>
      fault === null
        ? { status: "ok", detail: null, lastSeenAt }
        : { status: "degraded", detail: `Redis: ${fault}`, lastSeenAt },
  };
}
