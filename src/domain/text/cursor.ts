/** Page cursors: opaque, signed, bound to the query and to the dataset version they were issued for. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { Failure } from "#domain/faults/errors.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";

const LONGEST_CURSOR = 256;

export interface Cursor {
  /** First day of the next page. */
  readonly next: Day;
  readonly version: string;
}

/** `query` is the canonical text of everything that must not change between pages. */
export function signCursor(secret: string, query: string, cursor: Cursor): string {
  return sealText(secret, query, `${formatDay(cursor.next)}.${cursor.version}`);
}

/** Any payload as an opaque text that only this query and secret open again. */
export function sealText(secret: string, query: string, payload: string): string {
  return `${Buffer.from(payload).toString("base64url")}.${seal(secret, query, payload).toString("base64url")}`;
}

/** Failure `invalid_request` for a cursor that is malformed, tampered with, or of another query. */
export function openCursor(secret: string, query: string, text: string): Cursor {
  const payload = openText(secret, query, text);
  const next = parseDay(payload.slice(0, 10));
  if (next === null) throw foreign();
  return { next, version: payload.slice(11) };
}

export function openText(secret: string, query: string, text: string): string {
  const dot = text.indexOf(".");
  if (dot < 1 || text.length > LONGEST_CURSOR) throw foreign();
  const payload = Buffer.from(text.slice(0, dot), "base64url").toString();
  const signature = Buffer.from(text.slice(dot + 1), "base64url");
  const expected = seal(secret, query, payload);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw foreign();
  return payload;
}

function foreign(): Failure {
  return new Failure("invalid_request", {
    reason:
      "the cursor does not belong to this query; use next_cursor exactly as returned, with all other parameters unchanged",
  });
}

function seal(secret: string, query: string, payload: string): Buffer {
  return createHmac("sha256", secret).update(`${query}\n${payload}`).digest().subarray(0, 16);
}
