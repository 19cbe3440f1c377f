/** The picture for previews of links, the sitemap, and the one address of each page. */

import { describe, expect, test } from "bun:test";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { CacheBudget } from "#domain/cache/budget.ts";
import { openTestApp } from "#test/api/harness.ts";
import { collected, FIX } from "#test/official/collected.ts";

const app = openTestApp({
  caches: new CacheBudget(48 * 1024 * 1024),
  publicUrl: "https://rates.example.org",
});

describe("the picture for previews of links", () => {
  const picture =
    /<meta property="og:image" content="https:\/\/rates\.example\.org(\/site\/preview\.\w{10}\.png)"/;

  test("is named by every page, refusals and private pages included", async () => {
    for (const path of [
      "/",
      "/eur-usd",
      "/official",
      "/docs",
      "/docs/lake",
      "/docs/reference",
      "/status/page",
      "/nothing",
    ]) {
      const { html } = await app.page(path);
      const [, address = ""] = picture.exec(html) ?? [];
      expect(address, path).not.toBe("");
      expect(html, path).toContain(
        `<meta name="twitter:image" content="https://rates.example.org${address}"`,
      );
      expect(html, path).toContain('<meta name="twitter:card" content="summary_large_image"');
    }
  });

  test("is a PNG file of 1200 × 630 below 60 KB, which caches keep and crawlers may read", async () => {
    const [, address = ""] = picture.exec(await (await app.visit("/")).text()) ?? [];
    const answer = await app.visit(address);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(answer.headers.get("cache-control")).toContain("immutable");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(bytes.byteLength).toBeLessThan(60_000);
    const etag = answer.headers.get("etag") ?? "";
    expect((await app.visit(address, { headers: { "If-None-Match": etag } })).status).toBe(304);
    expect(await (await app.visit("/robots.txt")).text()).toContain("Allow: /site/*.png$\n");
  });
});

describe("search engines", () => {
  test("find every page in the sitemap, at the address that the page names as its own", async () => {
    const tables = { tables: collected(FIX) } as never;
    const own = openTestApp({ publicUrl: "https://rates.example.org", official: tables });
    const answer = await own.visit("/sitemap.xml");
    expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const { root } = parseXml(await answer.text());
    const paths = (root?.children ?? [])
      .filter((node) => node instanceof XmlElement)
      .map(({ text }) => text.replace("https://rates.example.org", ""));
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => /^\/[a-z]{3}-[a-z]{3}$/.test(path)).length).toBe(930);
    expect(paths).toContain("/official/mex/fix");
    // There are no plans where access is open.
    expect(paths).not.toContain("/pricing");
    const pages = paths.filter(
      (path) => path === "/eur-usd" || !/^\/[a-z]{3}-[a-z]{3}$|^\/official\//.test(path),
    );
    for (const path of pages) {
      if (path === "/official") continue;
      const page = await own.visit(path);
      expect(`${path} ${page.status}`).toBe(`${path} 200`);
      expect(await page.text(), path).toContain(
        `<link rel="canonical" href="https://rates.example.org${path}"`,
      );
    }
  });

  test("stay out of the API, the account pages and page data", async () => {
    const text = await (await app.visit("/robots.txt")).text();
    for (const path of ["/site/", "/v1/", "/dashboard"]) expect(text).toContain(`Disallow: ${path}\n`);
    expect(text).toContain("Sitemap: https://rates.example.org/sitemap.xml\n");
  });

  test("are led from other writings of a pair to its one address", async () => {
    for (const path of ["/EUR-usd", "/EUR-USD?date=2026-04-13"]) {
      const answer = await app.visit(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([
        308,
        path.replace(/^[^?]*/, "/eur-usd"),
      ]);
    }
    expect((await app.visit("/EUR-XXX")).status).toBe(404);
  });
});
