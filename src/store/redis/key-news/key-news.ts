/** API keys that have ended, between processes that cache keys, by a message in Redis. Messages can be lost: it is then noticed within seconds. */

import type { Redis } from "ioredis";
import type { KeyNews } from "#ports/ledger.ts";
import { connectForMessages, logRefusals, subscribeTo } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";

/** Carries ids of keys, with a space between them. */
export const KEY_CHANNEL = "{crossrate}:keys:ended";

/** Of a message: an organization that rotates every day has some hundreds in a year. */
const MOST_IN_MESSAGE = 500;
/** Kept until there is a connection. Beyond that the oldest are dropped: all processes have read those keys again by then. */
const MOST_UNSENT = 10_000;
const LONGEST_WAIT_MILLISECONDS = 1_000;
const KEY_ID = /^key_[\w-]{1,64}$/;

export interface KeyNewsSender extends KeyNews {
  /** Resolves when everything is sent, or after a second. */
  close(): Promise<void>;
}

/** The ids of a message; anything else is left out. */
export function keyIdsIn(message: string): readonly string[] {
  return message.split(" ", MOST_IN_MESSAGE).filter((id) => KEY_ID.test(id));
}

/** Connects when there is first something to send. `failed` is called for messages that were refused. */
export function sendKeyNews(
  url: string,
  later: (milliseconds: number, run: () => void) => () => void,
  failed: (fault: unknown) => void = () => {},
): KeyNewsSender {
  const unsent = new Set<string>();
  let redis: Redis | null = null;
  let inFlight = 0;
  let whenQuiet = () => {};

  const isQuiet = () => unsent.size === 0 && inFlight === 0;
  const publish = async (to: Redis, ids: readonly string[]) => {
    inFlight += 1;
    try {
      await to.publish(KEY_CHANNEL, ids.join(" "));
    } catch (fault) {
      failed(fault);
    }
    inFlight -= 1;
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
    const connecting = connectForMessages(url, "crossrate-key-news");
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

export interface KeyMessagesDeps {
  readonly url: string;
  /** Drops these keys from the cache of this process. */
  readonly forget: KeyNews["ended"];
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  readonly every: (milliseconds: number, run: () => void) => () => void;
  readonly emit: Emit;
}

const PROBE_MILLISECONDS = 1_000;
/** Forgetting goes through the whole cache: the first message takes effect at once, those that follow closely take effect together. */
const BURST_MILLISECONDS = 100;

/**
 * Starts connecting. Connected again it forgets nothing, although messages may have been missed: a cached key is believed for
 * seconds only, and a Redis that comes and goes must not send all callers to the ledger at once, nor take from keys that a
 * ledger out of reach has vouched for the time that they go on working.
 */
export function openKeyMessages({ url, forget, later, every, emit }: KeyMessagesDeps): KeyNewsSender {
  const refusals = logRefusals(
    emit,
    "key_messages",
    "other processes notice ended API keys after seconds only",
  );
  const sender = sendKeyNews(url, later, refusals.failed);
  /** Received since the last forgetting; null when that was long enough ago. */
  let gathered: Set<string> | null = null;
  let callOff = () => {};

  const received = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    if (gathered !== null) {
      for (const id of ids) gathered.add(id);
      return;
    }
    gathered = new Set();
    forget(ids);
    callOff = later(BURST_MILLISECONDS, () => {
      const meanwhile = [...(gathered ?? [])];
      gathered = null;
      received(meanwhile);
    });
  };
  const subscription = subscribeTo(url, "crossrate-key-messages", KEY_CHANNEL, {
    received: (message) => received(keyIdsIn(message)),
    subscribed: refusals.works,
    unsubscribed: refusals.failed,
  });
  const stopProbing = every(PROBE_MILLISECONDS, subscription.probe);

  return {
    ended: (keyIds) => {
      forget(keyIds);
      sender.ended(keyIds);
    },
    close: async () => {
      stopProbing();
      callOff();
      subscription.close();
      await sender.close();
    },
  };
}
