/** The hot book in memory: of a single process, and under the Redis adapter. */

import { type Book, EMPTY_BOOK, merge } from "#domain/live/book.ts";
import type { Clock, HotBook } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

/** Makes an empty book; `publish` has taken effect when it returns. */
export function memoryHotBook({ clock, emit }: { readonly clock: Clock; readonly emit: Emit }): HotBook {
  const holder = bookHolder(emit);
  let closed = false;
  return {
    read: holder.read,
    publish: async (quotes) => {
      if (closed) throw new Error("the hot book is closed");
      holder.replace(merge(holder.read(), quotes, clock.now()));
      return holder.read();
    },
    subscribe: holder.subscribe,
    state: () => ({ status: "ok", detail: null, lastSeenAt: null }),
    close: async () => {
      closed = true;
    },
  };
}

/** Holds an empty book. A listener that throws is reported, and the other listeners are called all the same. Listeners must not publish. */
export function bookHolder(emit: Emit) {
  let current = EMPTY_BOOK;
  const listeners = new Set<{ readonly notify: (book: Book) => void }>();
  return {
    read: (): Book => current,
    /** Takes the book when its version is higher and notifies the listeners; otherwise does nothing. */
    replace: (book: Book) => {
      if (book.version <= current.version) return;
      current = book;
      for (const { notify } of listeners) {
        try {
          notify(book);
        } catch (fault) {
          const error = fault instanceof Error ? fault.message : String(fault);
          emit({ kind: "job_failed", job: "listener of the hot book", error });
        }
      }
    },
    subscribe: (notify: (book: Book) => void) => {
      const listener = { notify };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
