/**
 * Sends the ids of ended API keys to the other processes that cache keys, by messages in Redis. After a lost message they notice the
 * end within seconds.
 */

import { once } from "node:events";
import type { KeyNews } from "#ports/ledger.ts";
import { connectForMessages, logRefusals, type RedisConnection } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";

/** Carries ids of keys, separated by spaces. */
export const KEY_CHANNEL = "{crossrate}:keys:ended";

const CONNECT_MILLISECONDS = 1_000;
const PROBE_MILLISECONDS = 1_000;
const KEY_ID = /^key_[\w-]{1,64}$/;

export interface KeyNewsSender extends KeyNews {
  /** Resolves when everything is sent, or after a second. */
  close(): Promise<void>;
}

function keyIdsIn(message: string): readonly string[] {
  return message.split(" ").filter((id) => KEY_ID.test(id));
}

/** Connects with the first message. `failed` is called for messages that were refused, or could not be sent. */
export function sendKeyNews(url: string, failed: (fault: unknown) => void = () => {}): KeyNewsSender {
  const inFlight = new Set<Promise<void>>();
  let redis: RedisConnection | null = null;
  let ready: Promise<unknown> | null = null;

  const send = async (keyIds: readonly string[]) => {
    redis ??= connectForMessages(url, "crossrate-key-news").on("error", () => {});
    if (redis.status !== "ready") {
      ready ??= once(redis, "ready", { signal: AbortSignal.timeout(CONNECT_MILLISECONDS) }).finally(() => {
        ready = null;
      });
      await ready;
    }
    await redis.publish(KEY_CHANNEL, keyIds.join(" "));
  };
  return {
    ended: (keyIds) => {
      if (keyIds.length === 0) return;
      const sending = send(keyIds)
        .catch(failed)
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    close: async () => {
      await Promise.all(inFlight);
      redis?.disconnect();
    },
  };
}

/**
 * Starts connecting; `forget` drops keys from the cache of this process. A new connection forgets nothing, although messages may have
 * been missed: a cached key is believed for seconds only. A Redis that comes and goes must not send all callers to the ledger at once,
 * and must not shorten the time that cached keys work while the ledger is out of reach.
 */
export function openKeyMessages(
  url: string,
  forget: KeyNews["ended"],
  every: (milliseconds: number, run: () => void) => () => void,
  emit: Emit,
): KeyNewsSender {
  const effect = "other processes notice ended API keys after seconds only";
  const refusals = logRefusals(emit, "key_messages", effect);
  const sender = sendKeyNews(url, refusals.failed);
  const redis = connectForMessages(url, "crossrate-key-messages");
  let isSubscribed = false;
  const subscribe = () => {
    redis.subscribe(KEY_CHANNEL).then(() => {
      isSubscribed = true;
      refusals.works();
    }, refusals.failed);
  };
  redis.on("error", () => {});
  redis.on("close", () => {
    isSubscribed = false;
  });
  redis.on("ready", subscribe);
  redis.on("message", (_channel, message) => {
    const keyIds = keyIdsIn(message);
    if (keyIds.length > 0) forget(keyIds);
  });
  // A connection that only receives would never notice that its peer is gone: the socket's own timeout drops one without an answer.
  const stopProbing = every(PROBE_MILLISECONDS, () => {
    if (redis.status !== "ready") return;
    if (isSubscribed) redis.ping().catch(() => {});
    else subscribe();
  });

  return {
    ended: (keyIds) => {
      forget(keyIds);
      sender.ended(keyIds);
    },
    close: async () => {
      stopProbing();
      redis.disconnect();
      await sender.close();
    },
  };
}
