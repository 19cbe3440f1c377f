/** A connection that only listens to one channel, and goes on trying. What is said while it does not listen is missed. */

import { connectRedis } from "./connection.ts";

export interface Listening {
  /** Called now and then: a connection that only listens would never notice that its peer is gone. */
  probe(): void;
  close(): void;
}

export interface Ears {
  heard(message: string): void;
  /** From now on messages arrive. */
  listening(): void;
  /** They do not arrive; a refusal by Redis itself is an error of its own, a lost connection a plain one. */
  deaf(reason: Error): void;
}

/** Starts connecting; `name` is what CLIENT LIST shows. */
export function listenTo(url: string, name: string, channel: string, ears: Ears): Listening {
  const redis = connectRedis(url, name);
  let fault: Error | null = null;
  let isListening = false;
  const deaf = (reason: Error) => {
    isListening = false;
    ears.deaf(reason);
  };
  const subscribe = () => {
    redis.subscribe(channel).then(() => {
      isListening = true;
      ears.listening();
    }, deaf);
  };
  redis.on("error", (reason: Error) => {
    fault = reason;
  });
  redis.on("close", () => deaf(fault ?? new Error("the connection was closed")));
  redis.on("ready", () => {
    fault = null;
    subscribe();
  });
  redis.on("message", (_channel, message) => ears.heard(message));
  return {
    probe: () => {
      if (redis.status !== "ready") return;
      // When no answer comes, the socket's own timeout drops the connection.
      if (isListening) redis.ping().catch(() => {});
      else subscribe();
    },
    close: () => redis.disconnect(),
  };
}
