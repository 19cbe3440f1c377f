import { describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { newCodedBodies } from "#api/response/ready.ts";
import { CacheBudget } from "#domain/cache/budget.ts";

const ENCODER = new TextEncoder();

function bodyOf(tag: string, text = tag.repeat(700)) {
  return { bytes: ENCODER.encode(text), etag: `W/"${tag}"` };
}

describe("compressed bodies", () => {
  test("are shared by all requests for the same content in the same coding and second", () => {
    const coded = newCodedBodies(new CacheBudget(20_000_000));
    const first = coded(bodyOf("abc"), "gzip", 7);
    expect(coded(bodyOf("abc"), "gzip", 7)).toBe(first);
    expect(gunzipSync(first).toString()).toBe("abc".repeat(700));
    expect(zstdDecompressSync(coded(bodyOf("abc"), "zstd", 7)).toString()).toBe("abc".repeat(700));
    expect(gunzipSync(coded(bodyOf("def"), "gzip", 7)).toString()).toBe("def".repeat(700));
  });
  test("hold the second in which they are sent", () => {
    const coded = newCodedBodies(new CacheBudget(20_000_000));
    for (const second of [7, 8, 7]) {
      const text = `served in second ${second}`;
      expect(gunzipSync(coded(bodyOf("abc", text), "gzip", second)).toString()).toBe(text);
    }
  });
  test("take no more than their share of the cache budget", () => {
    const caches = new CacheBudget(20_000_000);
    const coded = newCodedBodies(caches);
    const noise = (tag: string) => ({
      bytes: crypto.getRandomValues(new Uint8Array(16_384)),
      etag: `W/"${tag}"`,
    });
    for (let index = 0; index < 70; index++) coded(noise(`${index}`), "gzip", 7);
    const [use] = caches.uses();
    expect(use?.entries).toBeGreaterThan(50);
    expect(use?.bytes).toBeLessThanOrEqual(1_000_000);
  });
});
