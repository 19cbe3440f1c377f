/** The zip reader gives back exactly what was packed, and refuses everything that is not a plain, honest archive. */

import { describe, expect, test } from "bun:test";
import { readZipEntry } from "#sources/zip.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { reasonOf } from "./documents.ts";
import { deflatedZeros, zipOf } from "./zip-writer.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const LIMIT = 10_000;

describe("an honest archive", () => {
  test.each([0, 8])("gives the named entry, method %d, among others and with a comment", (method) => {
    const other = { name: "other.txt", content: "other", more: "an extra field" };
    const wanted = { name: "wanted.csv", content: "a,b\n1,2\n", method, more: "another" };
    const zip = zipOf([other, wanted], "made for a test");
    expect(text(readZipEntry(zip, "wanted.csv", LIMIT))).toBe("a,b\n1,2\n");
  });

  test("may be a view into a larger buffer", () => {
    const zip = zipOf([{ name: "a", content: "inside" }]);
    const larger = new Uint8Array(zip.length + 7);
    larger.set(zip, 7);
    expect(text(readZipEntry(larger.subarray(7), "a", LIMIT))).toBe("inside");
  });

  testOn("ecb/eurofxref-hist.zip", "ecb/eurofxref-hist.csv")(
    "the ECB's own zip unpacks to the CSV that lies beside it",
    () => {
      const unpacked = readZipEntry(realDocument("ecb/eurofxref-hist.zip"), "eurofxref-hist.csv", 32 << 20);
      expect(Buffer.from(unpacked).equals(Buffer.from(realDocument("ecb/eurofxref-hist.csv")))).toBe(true);
    },
  );
});

describe("refused with a telling reason", () => {
  const content = "figures ".repeat(100);
  const good = zipOf([{ name: "a", content }]);
  test.each<readonly [why: string, zip: Uint8Array, reason: RegExp]>([
    ["no zip at all", new TextEncoder().encode("<html></html>".repeat(10)), /not a zip file/],
    ["nothing", new Uint8Array(), /not a zip file/],
    ["a cut-off archive", good.subarray(0, good.length - 10), /not a zip file, or cut off/],
    ["another entry only", zipOf([{ name: "b", content }]), /no a in it/],
    [
      "the entry twice",
      zipOf([
        { name: "a", content },
        { name: "a", content },
      ]),
      /a is there twice/,
    ],
    ["encryption", zipOf([{ name: "a", content, flags: 1 }]), /encrypted/],
    ["an unknown method", zipOf([{ name: "a", content, method: 12 }]), /method 12/],
    ["a wrong CRC", zipOf([{ name: "a", content, crc: 1 }]), /CRC-32/],
    ["a claim over the limit", zipOf([{ name: "a", content, claimedSize: 3_000_000_000 }]), /more than the/],
    ["a 64-bit marker", zipOf([{ name: "a", content, claimedSize: 0xffffffff }]), /more than the/],
    ["a claim too small", zipOf([{ name: "a", content, claimedSize: 700 }]), /does not unpack|claims 700/],
    [
      "a claim too large",
      zipOf([{ name: "a", content, claimedSize: 900 }]),
      /claims 900 bytes and holds 800/,
    ],
    ["a stored size that lies", zipOf([{ name: "a", content, method: 0, claimedSize: 5 }]), /claims 5 bytes/],
    [
      "damaged deflate",
      zipOf([{ name: "a", content, packed: new Uint8Array([7, 7, 7]) }]),
      /does not unpack/,
    ],
    ["thousands of entries", zipOf(Array.from({ length: 65 }, () => ({ name: "a", content }))), /directory/],
  ])("%s", (_, zip, reason) => expect(reasonOf(() => readZipEntry(zip, "a", LIMIT))).toMatch(reason));

  test("a directory that points outside the file, at every byte of it damaged, never yields other content", () => {
    for (let at = 0; at < good.length; at++) {
      const damaged = good.slice();
      damaged[at] = (damaged[at] as number) ^ 0xff;
      let read: string | null = null;
      try {
        read = text(readZipEntry(damaged, "a", LIMIT));
      } catch (error) {
        expect((error as Error).name).toBe("BrokenDocument");
      }
      if (read !== null) expect(read).toBe(content);
    }
  });

  test("a bomb stops at its claimed size: memory does not grow with what it would unpack to", async () => {
    const packed = await deflatedZeros(256, "deflate-raw");
    const bomb = zipOf([{ name: "a", content: "", packed, claimedSize: LIMIT }]);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    expect(reasonOf(() => readZipEntry(bomb, "a", LIMIT))).toMatch(/does not unpack/);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });
});
