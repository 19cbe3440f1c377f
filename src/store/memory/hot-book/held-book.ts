/** The book that this process serves from, and who is told of newer ones; under both adapters of the hot book. */

import { type Book, EMPTY_BOOK } from "#domain/live/book.ts";
import type { Tell } from "#telemetry.ts";

export interface HeldBook {
  read(): Book;
  /** Takes the book when its version is higher and tells the listeners; otherwise does nothing. */
  replace(book: Book): void;
  /** The returned function ends it. */
  subscribe(listener: (book: Book) => void): () => void;
}

/** An empty one. A listener that throws is reported, and neither the others nor the publisher feel it. */
export function holdBook(tell: Tell): HeldBook {
  let held = EMPTY_BOOK;
  const listeners = new Set<{ readonly hear: (book: Book) => void }>();
  // A listener may publish in turn: its book waits until everybody has heard the one under way.
  const unheard: Book[] = [];
  let announcing = false;

  const announce = () => {
    if (announcing) return;
    announcing = true;
    for (let book = unheard.shift(); book !== undefined; book = unheard.shift()) {
      for (const listener of [...listeners]) {
        if (!listeners.has(listener)) continue;
        try {
          listener.hear(book);
        } catch (fault) {
          const error = fault instanceof Error ? fault.message : String(fault);
          tell({ kind: "job_failed", job: "listener of the hot book", error });
        }
      }
    }
    announcing = false;
  };

  return {
    read: () => held,
    replace: (book) => {
      if (book.version <= held.version) return;
      held = book;
      unheard.push(book);
      announce();
    },
    subscribe: (hear) => {
      const listener = { hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
