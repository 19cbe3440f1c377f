/** GET /sitemap.xml and /robots.txt: what search engines may read. */

import { Elysia } from "elysia";
import { type StaticDeps, staticFiles } from "#api/response/static-body.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { element, escapeXml } from "#domain/text/xml.ts";
import { openGuides } from "#guides/pages.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { tablePath } from "./official/words.tsx";

interface CrawlerDeps extends StaticDeps {
  /** Origin under which people reach the server. */
  readonly publicUrl: string;
  readonly official: Pick<OfficialDeps, "tables"> | null;
  /** Null where access is open, which has no plans. */
  readonly billing: object | null;
}

export const crawlers = (deps: CrawlerDeps) => {
  const cacheControl = "public, max-age=86400";
  const send = staticFiles(
    {
      sitemap: { mime: "application/xml; charset=utf-8", cacheControl, load: () => sitemap(deps) },
      robots: { mime: "text/plain; charset=utf-8", cacheControl, load: () => robots(deps) },
    },
    deps,
  );
  return new Elysia({ name: "crawlers" })
    .get("/sitemap.xml", async ({ request }) => await send(request, "sitemap"))
    .get("/robots.txt", async ({ request }) => await send(request, "robots"));
};

function robots({ publicUrl }: CrawlerDeps): string {
  const closed = ["/site/", "/search", "/v1/", "/v2/", "/compat/", "/dashboard"].map(
    (path) => `Disallow: ${path}\n`,
  );
  // The typeface, the styles and the scripts of pages are needed to see them, the pictures to preview a link.
  const open = ["css", "js", "woff2", "svg", "png"].map((ending) => `Allow: /site/*.${ending}$\n`);
  return `User-agent: *\n${closed.join("")}${open.join("")}\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

function sitemap({ publicUrl, official, billing }: CrawlerDeps): string {
  const pairs = CURRENCY_CODES.flatMap((base) =>
    CURRENCY_CODES.filter((quote) => quote !== base).map((quote) => `/${base}-${quote}`.toLowerCase()),
  );
  const paths = [
    "/",
    ...pairs,
    "/official",
    ...(official?.tables ?? []).map(({ table }) => tablePath(table)),
    "/docs",
    "/docs/reference",
    ...openGuides().pages.map(({ slug }) => `/docs/${slug}`),
    "/status/page",
    ...(billing === null ? [] : ["/pricing"]),
  ];
  const urls = paths.map((path) => element("url", {}, element("loc", {}, escapeXml(publicUrl + path))));
  const root = element(
    "urlset",
    { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
    `\n${urls.join("\n")}\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}
