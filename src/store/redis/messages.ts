/** The connection that hears of newer books. It only brings them sooner: messages can be lost. */

import { connectRedis } from "./connection.ts";
import { BOOK_CHANNEL } from "./shared-book.ts";

export interface Messages {
  /** Called now and then: a connection that only listens would never notice that its peer is gone. */
  probe(): void;
  close(): void;
}

export interface Hearing {
  /** A book of this version has been written. */
  newer(version: number): void;
  /** From now on messages arrive; what was said before is missed. */
  listening(): void;
  /** Messages do not arrive; it goes on trying. */
  deaf(reason: string): void;
}

export function listen(url: string, hearing: Hearing): Messages {
  const redis = connectRedis(url, "crossrate-book-messages");
  let fault: string | null = null;
  let isListening = false;
  const deaf = (reason: string) => {
    isListening = false;
    hearing.deaf(reason);
  };
  const subscribe = () => {
    redis.subscribe(BOOK_CHANNEL).then(
      () => {
        isListening = true;
        hearing.listening();
      },
      (reason: Error) => deaf(reason.message),
    );
  };
  redis.on("error", (reason: Error) => {
    fault = reason.message;
  });
  redis.on("close", () => deaf(fault ?? "the connection was closed"));
  redis.on("ready", () => {
    fault = null;
    subscribe();
  });
  redis.on("message", (_channel, version) => hearing.newer(Number(version)));
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
