import { describe, expect, test } from "bun:test";
import { openCursor, signCursor } from "#domain/text/cursor.ts";
import { day } from "#test/domain/history/columns.ts";

const cursor = { next: day("2024-05-06"), version: "42-abc" };
const query = "range USD EUR 1 2 none";
const text = signCursor("secret", query, cursor);

test("a cursor comes back as it went out", () => {
  expect(openCursor("secret", query, text)).toEqual(cursor);
});

describe("a cursor is refused", () => {
  test("for another query", () =>
    expect(() => openCursor("secret", "range EUR USD 1 2 none", text)).toThrow("does not belong"));
  test("under another secret", () =>
    expect(() => openCursor("other", query, text)).toThrow("does not belong"));
  test("with any one character changed", () => {
    for (let at = 0; at < text.length; at++) {
      const swapped = text[at] === "A" ? "B" : "A";
      const forged = text.slice(0, at) + swapped + text.slice(at + 1);
      // The last character of base64url can carry unused bits: then the bytes are the same and so is the meaning.
      let opened: unknown = null;
      try {
        opened = openCursor("secret", query, forged);
      } catch {
        continue;
      }
      expect(opened).toEqual(cursor);
    }
  });
  test.each(["", ".", "a.b", "…", "x".repeat(10_000), "MjAyNC0wNS0wNg.", "%00.%00"])(
    "when it is %p",
    (junk) => expect(() => openCursor("secret", query, junk)).toThrow("does not belong"),
  );
});
