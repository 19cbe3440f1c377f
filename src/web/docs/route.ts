/** GET /docs and /docs/{guide}: the guides as pages; `?q=` searches them. /docs/reference: the API reference with the files that it loads. */

import { join } from "node:path";
import { Elysia } from "elysia";
import { formOf } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import { type StaticBody, type StaticDeps, staticFiles } from "#api/response/static-body.ts";
import { Failure } from "#domain/faults/errors.ts";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf, withServedLinks } from "#guides/sections.ts";
import type { PageParts } from "#web/page-data.ts";
import { CONTENT_SECURITY_POLICY } from "#web/shared/policy.ts";
import { openGuideFiles } from "./texts.ts";

const MOST_HITS = 20;

export const guidePages = ({ frame, admit, ...deps }: StaticDeps & PageParts) => {
  const { pages, search } = openGuides();
  const slugs = new Set(pages.map(({ slug }) => slug));
  /** In the repository a link is named like its file, here like the page. */
  const withTitles = (text: string) =>
    text.replace(/\[([a-z-]+)\.md\]/g, (link, slug: string) => {
      const title = pages.find((page) => page.slug === slug)?.title;
      return title === undefined ? link : `[${title}]`;
    });
  const sendText = openGuideFiles(deps);
  return new Elysia({ name: "guide pages" })
    .get("/docs", async ({ request }) => {
      const { docsIndex, docsSearch } = await loadPages();
      const site = await frame.site(request);
      const query = formOf(request)("q")?.trim() ?? "";
      if (query === "") return frame.sharedPage(request, pages, () => docsIndex({ site, guides: pages }));
      admit(request);
      return frame.page(request, docsSearch({ site, guides: pages }, query, await search(query, MOST_HITS)));
    })
    .get("/docs/:file", async ({ request, params: { file: slug } }) => {
      if (slug.includes(".")) return await sendText(request, slug);
      const page = pages.find((candidate) => candidate.slug === slug);
      if (page === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
      const { docsGuide } = await loadPages();
      const site = await frame.site(request);
      return frame.sharedPage(request, pages, () => {
        const served = withServedLinks(withTitles(page.markdown), (file) => {
          const target = file.replace(/\.md$/, "");
          return slugs.has(target) ? `/docs/${target}` : null;
        });
        return docsGuide(
          { site, guides: pages },
          { ...page, markdown: served, sections: sectionsOf(page.markdown) },
        );
      });
    });
};

/** The reference sets styles from its script, and has pictures and fonts in it. */
const POLICY = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("font-src 'self'", "font-src 'self' data:");

/** Answers revalidate; the one big file has its version in its name and never does. */
const REVALIDATED = "public, max-age=300, must-revalidate";
const IMMUTABLE = "public, max-age=31536000, immutable";

const SCRIPT = "text/javascript; charset=utf-8";
const SCALAR = filePath("vendor/scalar-1.72.1.js");
const FILES: Readonly<Record<string, StaticBody>> = {
  "scalar-1.72.1.js": {
    mime: SCRIPT,
    cacheControl: IMMUTABLE,
    load: () => Bun.file(SCALAR).bytes(),
    compressedAt: SCALAR,
  },
  "start.js": asset("assets/start.js", SCRIPT),
  "icon.svg": asset("assets/icon.svg", "image/svg+xml"),
};

function asset(file: string, mime: string): StaticBody {
  return { mime, cacheControl: REVALIDATED, load: () => Bun.file(filePath(file)).bytes() };
}

function filePath(file: string): string {
  return join(import.meta.dir, file);
}

export const reference = ({ frame, ...deps }: StaticDeps & PageParts) => {
  const send = staticFiles(FILES, deps);
  return new Elysia({ name: "reference" })
    .get("/docs/reference", async ({ request }) => {
      const { docsReference } = await loadPages();
      return frame.page(request, docsReference(await frame.site(request)), { policy: POLICY });
    })
    .get("/docs/assets/:file", async ({ request, params: { file } }) => await send(request, file));
};

const loadPages = async () => await import("./page.tsx");
