/** The reader of JSON with numbers as printed: the same as JSON.parse on what both take, and strict where that is not. */

import { describe, expect, test } from "bun:test";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import { type ExactNumber, isExactNumber } from "#domain/net/message.ts";
import { type Json, type JsonObject, readJsonObject } from "#sources/json.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { words } from "#test/support/words.ts";

const read = (text: string) => readJsonObject(new TextEncoder().encode(text), "a document");

function plain(value: Json): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]));
  if (Array.isArray(value)) return value.map(plain);
  return isExactNumber(value) ? Number(value.rawJSON) : value;
}

test("numbers keep every character", () => {
  const numbers = ["1.23450", "-0", "0.10", "1e-5", "1.5E+3", "12345678901234567890.12345678901234567890"];
  const value = read(`{"a":[${numbers.join(" , ")}]}`);
  expect((value.get("a") as readonly ExactNumber[]).map(({ rawJSON }) => rawJSON)).toEqual(numbers);
});

test("random documents read as JSON.parse reads them, compact or indented", () => {
  const random = seededRandom(4);
  const pick = (most: number) => Math.floor(random() * most);
  const texts = ["", "line\nend", "\u0001", ...words('a quo"te back\\slash żółć 😀 __proto__ constructor')];
  const make = (depth: number): unknown => {
    switch (pick(depth > 4 ? 5 : 7)) {
      case 0:
        return null;
      case 1:
        return random() < 0.5;
      case 2:
        return texts[pick(texts.length)];
      case 3:
        return pick(1e9) / 10 ** pick(12);
      case 4:
        return -pick(1000);
      case 5:
        return Array.from({ length: pick(4) }, () => make(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: pick(5) }, () => [`${texts[pick(8)]}${pick(100)}`, make(depth + 1)]),
        );
    }
  };
  for (let round = 0; round < 2000; round++) {
    const document = { value: make(0), other: make(0) };
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, "\t")]) {
      expect(plain(read(text))).toEqual(JSON.parse(text));
    }
  }
});

test("names that mean something to the runtime are names like any other", () => {
  const value: JsonObject = read('{"__proto__":{"a":1},"constructor":"x","toString":null}');
  expect([...value.keys()]).toEqual(["__proto__", "constructor", "toString"]);
  expect(read("{}").get("toString")).toBeUndefined();
});

describe("refused", () => {
  test.each<readonly [why: string, text: string, expected: RegExp]>([
    ["an empty document", "", /empty/],
    ["a web page", "<!DOCTYPE html><html></html>", /HTML/],
    ["a list", "[1]", /not an object/],
    ["a number", "1", /not an object/],
    ["a name twice", '{"a":1,"a":2}', /a name is there twice/],
    ["a name twice in an object inside", '{"a":[{"b":":","c":"\\":"},{"b":1,"b":1}]}', /twice/],
    ["a name twice, once with an escape", '{"a":1,"\\u0061":2}', /twice/],
    ["NaN", '{"a":NaN}', /not JSON/],
    ["Infinity", '{"a":-Infinity}', /not JSON/],
    ["a comma at the end of an object", '{"a":1,}', /not JSON/],
    ["a comma at the end of a list", '{"a":[1,]}', /not JSON/],
    ["a leading zero", '{"a":01}', /not JSON/],
    ["a leading point", '{"a":.5}', /not JSON/],
    ["hexadecimal", '{"a":0x10}', /not JSON/],
    ["a comment", '{"a":1/*b*/}', /not JSON/],
    ["single quotes", "{'a':1}", /not JSON/],
    ["a raw line end in a text", '{"a":"b\nc"}', /not JSON/],
    ["an unknown escape", '{"a":"\\x41"}', /not JSON/],
    ["two documents", '{"a":1}{"a":2}', /not JSON/],
    ["a text that does not end", `{"a":"${"x".repeat(1000)}`, /not JSON/],
  ])("%s", (_, text, expected) => {
    expect(() => read(text)).toThrow(expected);
    expect(() => read(text)).toThrow(BrokenDocument);
  });

  test("nesting beyond reason, closed or not, a million levels deep", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (levels: number) => `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;
      expect(read(nested(31)).size).toBe(1);
      expect(() => read(nested(33))).toThrow(/levels deep/);
      expect(() => read(`{"a":${open.repeat(1_000_000)}`)).toThrow(BrokenDocument);
    }
  });

  test("a reason that quotes nothing of the document", () => {
    const text = '{"key":sk_live_secret}';
    expect(() => read(text)).toThrow(/^a document: not JSON, or cut off$/);
  });

  test("a text of a megabyte of escapes that does not end, without delay", () => {
    const started = performance.now();
    expect(() => read(`{"a":"${'\\"'.repeat(500_000)}`)).toThrow(BrokenDocument);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("bytes that are not UTF-8", () => {
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d);
    expect(() => readJsonObject(bytes, "a document")).toThrow(BrokenDocument);
  });
});
