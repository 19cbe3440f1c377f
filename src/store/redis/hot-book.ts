/** The hot book of many processes: each serves from its own memory, Redis carries what is new from one to the others. */

import { type Book, EMPTY_BOOK, type HotBookState, join, merge } from "#domain/book.ts";
import { BOOK_HEADER, bookLines, formatBook, parseBook } from "#domain/book-text.ts";
import type { Instant } from "#domain/day.ts";
import type { Clock, HotBook } from "#ports.ts";
import { holdBook } from "#store/memory/held-book.ts";
import type { Tell } from "#telemetry.ts";
import { connectRedis } from "./connection.ts";
import mergeScript from "./merge-book.lua" with { type: "text" };

export interface RedisBookDeps {
  /** redis:// or rediss:// address, or the path of a socket. */
  readonly url: string;
  readonly clock: Clock;
  readonly tell: Tell;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

const KEY = "{crossrate}:book";
/** Carries the version of every newer book. */
const CHANNEL = "{crossrate}:book:version";
/** A message can be lost, and one reply late: still nobody is behind by more than a second. */
const REREAD_MILLISECONDS = 300;

/**
 * Resolves when Redis has been read or has failed once: at the latest after about a second, and never rejects for
 * Redis. Throws for an address that is not one.
 */
export async function openRedisHotBook({ url, clock, tell, later }: RedisBookDeps): Promise<HotBook> {
  const held = holdBook(tell);
  const redis = connectRedis(url, "crossrate-book");
  const subscriber = connectRedis(url, "crossrate-book-messages");
  const publishing = new Set<Promise<unknown>>();
  let closed = false;
  let callOff = () => {};
  /** Why this process is cut off; null while it is not. */
  let fault: string | null = "not connected yet";
  let connectionFault: string | null = null;
  let messageFault: string | null = null;
  let lastSeenAt: Instant | null = null;
  /** The shared text with which `held` is known to agree; null when they must be compared. */
  let agreed: string | null = null;
  let wasTold = false;

  const answered = () => {
    lastSeenAt = clock.now();
    fault = null;
    if (wasTold && !closed) tell({ kind: "notice", text: "the hot book is shared through Redis again" });
    wasTold = false;
  };
  const lost = (reason: unknown) => {
    fault = reason instanceof Error ? reason.message : String(reason);
    if (!wasTold && !closed) {
      tell({ kind: "notice", text: `the hot book is served from memory, Redis is out of reach: ${fault}` });
    }
    wasTold = true;
  };

  /** Merges into Redis; the shared text comes back, under a version above `least` wherever Redis has fallen behind it. */
  const share = async (book: Book, least: number): Promise<string> =>
    String(await redis.eval(mergeScript, 1, KEY, BOOK_HEADER, bookLines(book), least, clock.now(), CHANNEL));

  /** Brings memory and the shared text together: per currency the newest, Redis's on a tie, versions only upwards. */
  const settle = async (text: string, mayShare: boolean): Promise<void> => {
    const shared = text === "" ? EMPTY_BOOK : parseBook(text);
    if (shared === null) throw new Error(`${KEY} holds something else than a book of this release`);
    const own = held.read();
    const both = join(shared, own);
    const clash = isClash(shared, own);
    if (mayShare && (both !== shared || shared.version < own.version || clash)) {
      return settle(await share(both, clash ? own.version + 1 : own.version), false);
    }
    held.replace({ ...both, version: shared.version });
    agreed = text;
  };

  const readOnce = async () => {
    if (redis.status !== "ready") return;
    try {
      const text = (await redis.get(KEY)) ?? "";
      if (text !== agreed) await settle(text, true);
      answered();
    } catch (reason) {
      lost(reason);
    }
  };

  let reading: Promise<void> | null = null;
  let isAskedAgain = false;
  const reread = (): Promise<void> => {
    isAskedAgain = true;
    reading ??= (async () => {
      while (isAskedAgain && !closed) {
        isAskedAgain = false;
        await readOnce();
      }
      reading = null;
    })();
    return reading;
  };

  const keepReading = () => {
    callOff = later(REREAD_MILLISECONDS, async () => {
      // A connection that only listens would never notice that its peer is gone.
      if (subscriber.status === "ready") subscriber.ping().catch(() => {});
      await reread();
      if (!closed) keepReading();
    });
  };

  const publish = async (quotes: Parameters<HotBook["publish"]>[0]): Promise<Book> => {
    const own = held.read();
    try {
      if (redis.status !== "ready") throw new Error(connectionFault ?? "no connection");
      await settle(await share(merge(own, quotes), own.version), true);
      answered();
    } catch (reason) {
      lost(reason);
      // Kept here until Redis answers again: the next reading finds the difference and writes it.
      held.replace(merge(held.read(), quotes, clock.now()));
      agreed = null;
    }
    return held.read();
  };

  const opened = new Promise<void>((resolve) => {
    redis.on("ready", () => {
      agreed = null;
      void reread().then(resolve);
    });
    redis.on("error", (reason: Error) => {
      connectionFault = reason.message;
    });
    redis.on("close", () => {
      lost(connectionFault ?? "the connection was closed");
      resolve();
    });
  });
  subscriber.on("error", (reason: Error) => {
    messageFault = reason.message;
  });
  subscriber.on("ready", () => {
    subscriber.subscribe(CHANNEL).then(
      () => {
        messageFault = null;
        // What was said while nobody listened.
        void reread();
      },
      (reason: Error) => {
        messageFault = reason.message;
      },
    );
  });
  subscriber.on("message", (_channel, version) => {
    if (Number(version) !== held.read().version) void reread();
  });

  await opened;
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
    state: () => stateOf(fault, messageFault, lastSeenAt),
    close: async () => {
      closed = true;
      callOff();
      await Promise.allSettled([...publishing]);
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}

/** Two replicas that had lost each other can have given one version to two books. */
function isClash(shared: Book, own: Book): boolean {
  return shared.version === own.version && formatBook(shared) !== formatBook(own);
}

function stateOf(fault: string | null, messageFault: string | null, lastSeenAt: Instant | null): HotBookState {
  if (fault !== null) return { status: "degraded", detail: `Redis: ${fault}`, lastSeenAt };
  if (messageFault === null) return { status: "ok", detail: null, lastSeenAt };
  const detail = `Redis sends no messages (${messageFault}); the book is read every ${REREAD_MILLISECONDS} ms`;
  return { status: "ok", detail, lastSeenAt };
}
