/** The guard compares each quote of the book with the current references before it is served, whichever process wrote it. */

import { expect, test } from "bun:test";
import { guardBook } from "#assembly/live.ts";
import type { Book } from "#domain/live/book.ts";
import type { QuoteRelease, References } from "#domain/live/live-quote.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import { mids, NOON, quote } from "#test/store/hot-book/sample.ts";

const FRIDAY = NOON - 3 * 86_400_000;
const YEN: References = new Map([["JPY", { perDollar: 150, observedAt: FRIDAY }]]);

function guarded() {
  const witnesses = { references: YEN as References, releases: [] as readonly QuoteRelease[] };
  const inner = memoryHotBook({ clock: { now: () => NOON }, emit: () => {} });
  const book = guardBook(
    inner,
    () => witnesses.references,
    () => witnesses.releases,
  );
  const received: string[] = [];
  book.subscribe((newer: Book) => received.push(mids(newer)));
  return { witnesses, inner, book, received };
}

test("a quote that another release left in a shared book is neither read nor reported to subscribers", async () => {
  const { inner, book, received } = guarded();
  await inner.publish([quote("JPY", "0.00666667", 1)]);
  expect([mids(book.read()), received]).toEqual(["", [""]]);
  await inner.publish([quote("JPY", "150.10", 2)]);
  expect([mids(book.read()), received.at(-1)]).toEqual(["JPY 150.10", "JPY 150.10"]);
});

test("without a reference only what another feed supported is served, until there is one", async () => {
  const { inner, book, received, witnesses } = guarded();
  witnesses.references = new Map();
  await inner.publish([quote("JPY", "150.10", 1), quote("EUR", "0.90", 1, { supportedBy: "massive" })]);
  expect(mids(book.read())).toBe("EUR 0.90");
  witnesses.references = YEN;
  book.recheck();
  expect([mids(book.read()), received.at(-1)]).toEqual(["EUR 0.90, JPY 150.10", "EUR 0.90, JPY 150.10"]);
});

test("a newer reference that a quote is beyond takes it out; a release, or a newer one that agrees, brings it back", async () => {
  const { inner, book, witnesses } = guarded();
  await inner.publish([quote("JPY", "150.10", 1)]);
  const newer = { perDollar: 210, observedAt: NOON - 3_600_000 };
  witnesses.references = new Map([["JPY", newer]]);
  expect(mids(book.read())).toBe("");
  witnesses.releases = [{ at: NOON, feed: "oxr", currency: "JPY", price: "150", reference: newer }];
  expect(mids(book.read())).toBe("JPY 150.10");
  witnesses.references = new Map([["JPY", { perDollar: 210, observedAt: NOON }]]);
  expect(mids(book.read())).toBe("");
});

test("the same object for the same content, of which no subscriber is told: it is a key of caches", async () => {
  const { inner, book, received, witnesses } = guarded();
  await inner.publish([quote("JPY", "150.10", 1), quote("EUR", "90", 1)]);
  const before = book.read();
  witnesses.references = new Map(YEN);
  expect(book.read()).toBe(before);
  book.recheck();
  expect(received).toEqual(["JPY 150.10"]);
});
