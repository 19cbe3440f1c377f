/** The hot book of a single process: nothing to share, nothing to lose. */

import { merge } from "#domain/live/book.ts";
import type { Clock, HotBook } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { holdBook } from "./held-book.ts";

/** An empty book; `publish` is done when it returns. */
export function memoryHotBook({ clock, tell }: { readonly clock: Clock; readonly tell: Tell }): HotBook {
  const held = holdBook(tell);
  let closed = false;
  return {
    read: held.read,
    publish: async (quotes) => {
      if (closed) throw new Error("the hot book is closed");
      held.replace(merge(held.read(), quotes, clock.now()));
      return held.read();
    },
    subscribe: held.subscribe,
    state: () => ({ status: "ok", detail: null, lastSeenAt: null }),
    close: async () => {
      closed = true;
    },
  };
}
