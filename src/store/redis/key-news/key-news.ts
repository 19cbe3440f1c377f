/** Tells other processes of API keys that have ended, by a message in Redis. Messages can be lost: it is then noticed within seconds. */

import type { Redis } from "ioredis";
import type { KeyNews } from "#ports/key-news.ts";
import { connectRedis } from "#store/redis/connection/connection.ts";

/** Carries ids of keys, with a space between them. */
export const KEY_CHANNEL = "{crossrate}:keys:ended";

/** Of a message: an organization that rotates every day has some hundreds in a year. */
const MOST_IN_MESSAGE = 500;
/** Kept until there is a connection; of more the oldest are dropped, all processes have looked anew by then. */
const MOST_UNSENT = 10_000;
const LONGEST_WAIT_MILLISECONDS = 1_000;
const KEY_ID = /^key_[\w-]{1,64}$/;

export interface ToldKeyNews extends KeyNews {
  /** Resolves when everything is told, or after a second. */
  close(): Promise<void>;
}

/** The ids of a message; what is none is left out. */
export function keyIdsIn(message: string): readonly string[] {
  return message.split(" ", MOST_IN_MESSAGE).filter((id) => KEY_ID.test(id));
}

/** Connects when there is first something to tell. `failed` hears of messages that were refused. */
export function tellKeyNews(
  url: string,
  later: (milliseconds: number, run: () => void) => () => void,
  failed: (fault: unknown) => void = () => {},
): ToldKeyNews {
  const unsent = new Set<string>();
  let redis: Redis | null = null;
  let underWay = 0;
  let whenQuiet = () => {};

  const isQuiet = () => unsent.size === 0 && underWay === 0;
  const publish = async (to: Redis, ids: readonly string[]) => {
    underWay += 1;
    try {
      await to.publish(KEY_CHANNEL, ids.join(" "));
    } catch (fault) {
      failed(fault);
    }
    underWay -= 1;
    if (isQuiet()) whenQuiet();
  };
  const send = () => {
    if (redis === null || redis.status !== "ready") return;
    const ids = [...unsent];
    unsent.clear();
    for (let at = 0; at < ids.length; at += MOST_IN_MESSAGE) {
      void publish(redis, ids.slice(at, at + MOST_IN_MESSAGE));
    }
  };
  const connected = () => {
    const connecting = connectRedis(url, "crossrate-key-news");
    connecting.on("error", () => {});
    connecting.on("ready", send);
    return connecting;
  };

  return {
    ended: (keyIds) => {
      for (const id of keyIds) unsent.add(id);
      for (const oldest of unsent) {
        if (unsent.size <= MOST_UNSENT) break;
        unsent.delete(oldest);
      }
      if (unsent.size === 0) return;
      redis ??= connected();
      send();
    },
    close: async () => {
      if (!isQuiet()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        whenQuiet = resolve;
        const callOff = later(LONGEST_WAIT_MILLISECONDS, resolve);
        await promise;
        callOff();
      }
      redis?.disconnect();
    },
  };
}
