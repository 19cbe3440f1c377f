/** Pictures for previews of links, the sitemap, and the one address of each page. */

import { describe, expect, test } from "bun:test";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { CacheBudget } from "#domain/cache/budget.ts";
import { openTestApp } from "#test/http/harness.ts";
import { collected, FIX } from "#test/official/collected.ts";
import { pictureSvg } from "#web/preview/picture.tsx";

const app = openTestApp({
  caches: new CacheBudget(48 * 1024 * 1024),
  publicUrl: "https://rates.example.org",
});

/** Width and height in the header of a PNG file. */
async function sizeOf(answer: Response): Promise<readonly [number, number]> {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("pictures", () => {
  test("are PNG files of 1200 × 630, with a tag by which they are not sent twice", async () => {
    expect(await sizeOf(await app.visit("/preview.png"))).toEqual([1200, 630]);
    const first = await app.visit("/preview/usd-eur.png");
    const etag = first.headers.get("etag") ?? "";
    expect(await sizeOf(first)).toEqual([1200, 630]);
    const again = await app.visit("/preview/usd-eur.png", { headers: { "If-None-Match": etag } });
    expect(again.status).toBe(304);
  });

  test("have the digits as printed, the day, and what is simulated; texts are escaped", () => {
    const pair = {
      base: "EUR",
      quote: "USD",
      baseName: `<script>"&`,
      quoteName: "US Dollar",
      rate: "1.1670",
      date: "2026-04-13",
      values: [1, 2, 1.5],
    };
    const svg = pictureSvg({ pair, isSimulated: true });
    expect(svg).toContain(">1.1670<");
    expect(svg).toContain("13 Apr 2026");
    expect(svg).toContain("simulated data");
    expect(svg).not.toContain("<script>");
    expect(pictureSvg({ pair, isSimulated: false })).not.toContain("simulated");
  });

  test("of pairs that do not exist are 404, and too many of one address 429", async () => {
    const other = openTestApp({ caches: new CacheBudget(48 * 1024 * 1024) });
    for (const name of ["usd-usd", "usd-xxx", "USD-eur", "usd"])
      expect((await other.visit(`/preview/${name}.png`)).status, name).toBe(404);
    for (let call = 0; call < 240; call++) await other.visit("/official");
    expect((await other.visit("/preview.png")).status).toBe(429);
  });

  test("are named by the pages", async () => {
    const html = await (await app.visit("/eur-usd")).text();
    expect(html).toContain(
      '<meta property="og:image" content="https://rates.example.org/preview/eur-usd.png"',
    );
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"');
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
