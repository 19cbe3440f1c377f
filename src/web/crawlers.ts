/** GET /sitemap.xml and /robots.txt: what search engines may read. */

import { Elysia } from "elysia";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { type RespondDeps, respondText } from "#api/response/respond.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { element, escapeXml } from "#domain/text/xml.ts";
import { openGuides } from "#guides/pages.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { tablePath } from "./official/words.tsx";

interface CrawlerDeps extends RespondDeps {
  readonly large: LargeBodies;
  /** Origin under which people reach the server. */
  readonly publicUrl: string;
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

const CACHE_CONTROL = "public, max-age=86400";

export const crawlers = (deps: CrawlerDeps) => {
  const send = (mime: string, text: (deps: CrawlerDeps) => string) => {
    let made: string | null = null;
    return async ({ request }: { readonly request: Request }) => {
      made ??= text(deps);
      return respondText(request, deps, { mime, cacheControl: CACHE_CONTROL }, made);
    };
  };
  return new Elysia({ name: "crawlers" })
    .get("/sitemap.xml", send("application/xml; charset=utf-8", sitemap))
    .get("/robots.txt", send("text/plain; charset=utf-8", robots));
};

function robots({ publicUrl }: CrawlerDeps): string {
  const closed = ["/site/", "/search", "/v1/", "/v2/", "/compat/", "/dashboard"].map(
    (path) => `Disallow: ${path}\n`,
  );
  // The typeface, the styles and the scripts of pages are needed to see them, the pictures to preview a link.
  const open = ["css", "js", "woff2", "svg", "png"].map((ending) => `Allow: /site/*.${ending}$\n`);
  return `User-agent: *\n${closed.join("")}${open.join("")}\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

function sitemap({ publicUrl, official }: CrawlerDeps): string {
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
  ];
  const urls = paths.map((path) => element("url", {}, element("loc", {}, escapeXml(publicUrl + path))));
  const root = element(
    "urlset",
    { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" },
    `\n${urls.join("\n")}\n`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}
