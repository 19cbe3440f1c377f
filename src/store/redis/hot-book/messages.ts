/** Hears of newer books. It only brings them sooner: messages can be lost. */

import { type Listening, listenTo } from "#store/redis/connection/channel.ts";
import { BOOK_CHANNEL } from "./shared-book.ts";

export interface Hearing {
  /** A book of this version has been written. */
  newer(version: number): void;
  /** From now on messages arrive; what was said before is missed. */
  listening(): void;
  /** Messages do not arrive; it goes on trying. */
  deaf(reason: string): void;
}

export function listen(url: string, hearing: Hearing): Listening {
  return listenTo(url, "crossrate-book-messages", BOOK_CHANNEL, {
    heard: (version) => hearing.newer(Number(version)),
    listening: hearing.listening,
    deaf: ({ message }) => hearing.deaf(message),
  });
}
