/** The book as it lies in Redis: one string under one key, merged by a script, so that every write is one atomic step. */

import type { Redis } from "ioredis";
import { type Book, EMPTY_BOOK } from "#domain/live/book.ts";
import { BOOK_HEADER, bookLines, formatBook, parseBook } from "#domain/live/book-text.ts";
import type { Instant } from "#domain/time/day.ts";
import mergeScript from "./merge-book.lua" with { type: "text" };

const BOOK_KEY = "{crossrate}:book";
/** Carries the version of each newer book. */
export const BOOK_CHANNEL = "{crossrate}:book:version";

/** The shared text; empty when there is none. Rejects when Redis does not answer in time. */
export async function readShared(redis: Redis): Promise<string> {
  return (await redis.get(BOOK_KEY)) ?? "";
}

/**
 * Merges a book into the shared one and resolves with the text that then stands. Its version is above the stored one
 * when something was taken; it is above `least` too when the stored one was below that. Rejects when Redis does not
 * answer in time, or cannot write; the merge may then happen all the same, and repeating it is safe.
 */
export async function writeShared(redis: Redis, book: Book, least: number, now: Instant): Promise<string> {
  const reply = await redis.eval(
    mergeScript,
    1,
    BOOK_KEY,
    BOOK_HEADER,
    bookLines(book),
    least,
    now,
    BOOK_CHANNEL,
  );
  return String(reply);
}

/** The book of a shared text. Throws when that is not one of this release's format: it is then left alone. */
export function bookOf(text: string): Book {
  const book = text === "" ? EMPTY_BOOK : parseBook(text);
  if (book === null) throw new Error(`${BOOK_KEY} holds something else than a book of this release`);
  return book;
}

/** Replicas that had lost each other can have given one version to two books. */
export function isClash(shared: Book, own: Book): boolean {
  return shared.version === own.version && formatBook(shared) !== formatBook(own);
}
