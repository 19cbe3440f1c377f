/** The hot book as it is served: every quote is checked against the current references, whichever store holds the book. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Book } from "#domain/live/book.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { isCredible } from "#domain/live/quote-evidence.ts";
import type { QuoteRelease, References } from "#domain/live/reference.ts";
import type { HotBook } from "#ports.ts";

export interface Witnesses {
  readonly references: () => References;
  readonly releases: () => readonly QuoteRelease[];
}

export interface GuardedBook extends HotBook {
  /** To be called when references or releases have changed: notifies the listeners where that changes what is served. */
  recheck(): void;
}

/**
 * A book in Redis may be another release's, and one from the archive is of an earlier reference: what is not credible is
 * left out of every reading and every message, and stays out until a reference or a release says otherwise.
 */
export function guardBook(book: HotBook, { references, releases }: Witnesses): GuardedBook {
  const listeners = new Set<(book: Book) => void>();
  let last: {
    readonly of: Book;
    readonly by: References;
    readonly with: readonly QuoteRelease[];
    readonly credible: Book;
  } | null = null;

  /** Asked with every request: only what has changed is judged. */
  const credible = (of: Book): Book => {
    const by = references();
    const released = releases();
    if (last?.of === of && last.by === by && last.with === released) return last.credible;
    return judge(of, by, released);
  };
  const judge = (of: Book, by: References, released: readonly QuoteRelease[]): Book => {
    const refused = [...of.quotes].filter(
      ([currency, quote]) => !isCredible(quote, by.get(currency) ?? null, released),
    );
    const made = refused.length === 0 ? of : { ...of, quotes: without(of.quotes, refused) };
    // The same object for the same content, so that nothing is computed again without a reason.
    const isSame =
      last !== null &&
      last.of === of &&
      last.credible.quotes.size === made.quotes.size &&
      isSubset(made, last.credible);
    last = { of, by, with: released, credible: isSame && last !== null ? last.credible : made };
    return last.credible;
  };

  let served = credible(book.read());
  book.subscribe((newer) => {
    served = credible(newer);
  });
  return {
    ...book,
    read: () => credible(book.read()),
    subscribe: (listener) => {
      // A wrapper, so that one function may subscribe twice.
      const entry = (book: Book) => listener(book);
      listeners.add(entry);
      // Each subscribes to the book below by itself, so that a fault of one listener does not affect the others.
      const stop = book.subscribe((newer) => listener(credible(newer)));
      return () => {
        stop();
        listeners.delete(entry);
      };
    },
    recheck: () => {
      const now = credible(book.read());
      if (now === served) return;
      served = now;
      for (const listener of [...listeners]) listener(now);
    },
  };
}

function without(
  quotes: Book["quotes"],
  refused: readonly (readonly [CurrencyCode, LiveQuote])[],
): Book["quotes"] {
  const left = new Map(quotes);
  for (const [currency] of refused) left.delete(currency);
  return left;
}

function isSubset(made: Book, kept: Book): boolean {
  return [...made.quotes.keys()].every((currency) => kept.quotes.has(currency));
}
