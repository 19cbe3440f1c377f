/** A cursor comes back as it went out, and is refused for another query, under another secret, and with any change. */

import { expect, test } from "bun:test";
import { openCursor, signCursor } from "#domain/text/cursor.ts";
import { day } from "#test/domain/history/columns.ts";

const cursor = { next: day("2024-05-06"), version: "42-abc" };
const query = "range USD EUR 1 2 none";
const text = signCursor("secret", query, cursor);
const refused = (secret: string, asked: string, given: string) =>
  expect(() => openCursor(secret, asked, given)).toThrow("does not belong");

test("a cursor opens for its own query, under its own secret, unchanged", () => {
  expect(openCursor("secret", query, text)).toEqual(cursor);
  refused("secret", "range EUR USD 1 2 none", text);
  refused("other", query, text);
  // The last character of base64url can carry unused bits.
  for (let at = 0; at < text.length - 1; at++)
    refused("secret", query, text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
  for (const junk of ["", ".", "a.b", "…", "x".repeat(10_000), "MjAyNC0wNS0wNg.", "%00.%00", `${text}A`])
    refused("secret", query, junk);
});
