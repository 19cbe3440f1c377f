/** The documentation page is complete and self-contained: it loads nothing from, and sends nothing to, another host. */

import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

const app = sampleApp();
const get = (path: string, headers: Record<string, string> = {}) =>
  app.answer(new Request(`http://localhost${path}`, { headers: { Host: "localhost", ...headers } }));

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);

describe("the page", () => {
  test("loads nothing from outside this server, and everything it links to is there", async () => {
    const html = await (await get("/docs/reference")).text();
    const elsewhere = [...html.matchAll(/<(?:script|img|link)[^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, link]) => link,
    );
    expect(
      elsewhere.filter((link) => !link?.startsWith("/") && link !== "http://localhost/docs/reference"),
    ).toEqual([]);
    const links = linksOf(html).filter((link) => link.startsWith("/"));
    expect(links.length).toBeGreaterThan(10);
    // A page of the dashboard leads to the sign-in.
    for (const link of new Set(links))
      expect([200, 303], link).toContain((await get(link.replace(/#.*/, ""))).status);
  });

  test("lets the browser load, send and frame nothing elsewhere", async () => {
    const policy = (await get("/docs/reference")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[^' ]+';/);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test("says that the demo's rates are made up, and only then", async () => {
    const page = async (simulated: boolean) =>
      await (await openTestApp({ simulated }).visit("/docs/reference")).text();
    expect(await page(true)).toContain("Simulated data");
    expect(await page(false)).not.toContain("Simulated data");
  });
});

describe("its files", () => {
  test("have a media type that the browser runs", async () => {
    for (const [path, mime] of [
      ["/docs", "text/html"],
      ["/docs/assets/icon.svg", "image/svg+xml"],
    ] as const) {
      const { headers } = await get(path);
      expect(headers.get("content-type"), path).toStartWith(mime);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("are served under their own names only: any other name is not found", async () => {
    for (const name of ["nothing.js", "..%2fdocs.ts", "constructor"]) {
      expect((await get(`/docs/assets/${name}`)).status, name).toBe(404);
    }
  });

  test("are compressed in the coding that is liked best, with the same content", async () => {
    const plain = await get("/openapi.json");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const content = Buffer.from(await plain.arrayBuffer());
    for (const [accepted, coding, decode] of [
      ["gzip", "gzip", gunzipSync],
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip;q=0.5, zstd", "zstd", zstdDecompressSync],
    ] as const) {
      const zipped = await get("/openapi.json", { "Accept-Encoding": accepted });
      expect(zipped.headers.get("content-encoding"), accepted).toBe(coding);
      expect(zipped.headers.get("vary")).toContain("Accept-Encoding");
      expect(decode(Buffer.from(await zipped.arrayBuffer())).equals(content), accepted).toBe(true);
    }
    for (const refused of ["gzip;q=0", "gzip; q=0.0", "identity", ""]) {
      const answer = await get("/openapi.json", { "Accept-Encoding": refused });
      expect(answer.headers.get("content-encoding"), refused).toBeNull();
    }
  });
});
