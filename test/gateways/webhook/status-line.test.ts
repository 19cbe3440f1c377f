/** Reading a status costs one look at each byte, however they come, and ends after a bound. */

import { describe, expect, test } from "bun:test";
import { type StatusReading, statusReader } from "#gateways/webhook/status-line.ts";
import { OK } from "./receiver.ts";

const EARLY = "HTTP/1.1 103 Early Hints\r\n\r\n";
const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** What a reader says of these pieces, one after the other, until it says something else than "more". */
function reading(pieces: readonly string[], wholeHead = false): StatusReading {
  const read = statusReader({ wholeHead });
  for (const piece of pieces) {
    const said = read(bytesOf(piece));
    if (said !== "more") return said;
  }
  return "more";
}

/** The same bytes, which count how often one of them is looked at. */
function counted(text: string): { readonly bytes: Uint8Array; readonly looks: () => number } {
  let looks = 0;
  const bytes = new Proxy(bytesOf(text), {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name, target);
    },
  });
  return { bytes, looks: () => looks };
}

const interim = (headers: number) => `HTTP/1.1 103 Early Hints\r\n${"Link: </>\r\n".repeat(headers)}\r\n`;

describe("every byte is looked at once", () => {
  test.each([
    ["of a long status line", `HTTP/1.1 200 ${"x".repeat(16_000)}`],
    ["of interim answers with many headers", interim(90).repeat(15)],
    ["of one interim answer with many headers", interim(1_400)],
    ["of a broken answer", `HTTP/1.1 2000 OK\r\n${"x".repeat(16_000)}`],
  ])("%s", (_, text) => {
    for (const size of [1, 7, text.length]) {
      const read = statusReader();
      let looks = 0;
      for (let at = 0; at < text.length; at += size) {
        const piece = counted(text.slice(at, at + size));
        const said = read(piece.bytes);
        looks += piece.looks();
        if (said !== "more") break;
      }
      expect(looks).toBeLessThanOrEqual(text.length);
    }
  });
});

describe("the same answer has the same reading, whole or by the byte", () => {
  test.each<[string, string, StatusReading, StatusReading]>([
    ["an ordinary one", OK, 200, 200],
    ["a refusal", "HTTP/1.1 407 No\r\n", 407, 407],
    ["a head without its end", "HTTP/1.1 200 OK\r\nA: b\r\n", 200, "more"],
    ["bare line feeds", "HTTP/1.1 200 OK\nA: b\n\n", 200, 200],
    ["no reason", "HTTP/1.1 204\r\n\r\n", 204, 204],
    ["another protocol", "SSH-2.0-x\r\n", "broken", "broken"],
    ["an unfinished line", "HTTP/1.1 20", "more", "more"],
    ["a return within a line", "HTTP/1.1 200 O\rK\r\n\r\n", "broken", "broken"],
    ["interim answers before it", EARLY.repeat(16) + OK, 200, 200],
    ["one interim answer more", EARLY.repeat(17) + OK, "broken", "broken"],
    ["an upgrade", "HTTP/1.1 101 Switching\r\n\r\n", 101, 101],
    ["a status at the bound", `HTTP/1.1 200 ${"x".repeat(16_369)}\r\n`, 200, "more"],
    ["a status behind the bound", `HTTP/1.1 200 ${"x".repeat(16_370)}\r\n`, "broken", "broken"],
  ])("%s", (_, text, status, wholeHead) => {
    for (const pieces of [[text], [...text]]) {
      expect(reading(pieces)).toBe(status);
      expect(reading(pieces, true)).toBe(wholeHead);
    }
  });

  test("a tunnel in which something comes before we have spoken is none", () => {
    expect(reading([`${OK}x`], true)).toBe("broken");
    expect(reading([`${OK}x`])).toBe(200);
  });
});
