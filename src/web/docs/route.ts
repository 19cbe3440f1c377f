/** GET /docs and /docs/{guide}: the guides as pages; /docs/reference: the API reference. */

import { Elysia } from "elysia";
import { type ReferenceDeps, referenceOperations } from "#api/openapi/operations.ts";
import { pathOf } from "#api/response/failures.ts";
import type { StaticDeps } from "#api/response/static-body.ts";
import { Failure } from "#domain/faults/errors.ts";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf, withServedLinks } from "#guides/sections.ts";
import type { PageParts } from "#web/page-data.ts";
import { openGuideFiles } from "./texts.ts";

export const guidePages = ({ frame, ...deps }: StaticDeps & ReferenceDeps & PageParts) => {
  const { pages } = openGuides();
  /** Replaces link texts that are file names, as in the repository, by the titles of the pages. */
  const withTitles = (text: string) =>
    text.replace(/\[([a-z-]+)\.md\]/g, (link, slug: string) => {
      const title = pages.find((page) => page.slug === slug)?.title;
      return title === undefined ? link : `[${title}]`;
    });
  const sendText = openGuideFiles(deps);
  return new Elysia({ name: "guide pages" })
    .get("/docs", async ({ request }) => {
      const { docsIndex } = await import("./page.tsx");
      const site = await frame.site(request);
      return frame.sharedPage(request, pages, () => docsIndex({ site, guides: pages }));
    })
    .get("/docs/reference", async ({ request }) => {
      const { docsReference } = await import("./reference.tsx");
      const site = await frame.site(request);
      const operations = referenceOperations(deps);
      return frame.sharedPage(request, pages, () => docsReference({ site, guides: pages }, operations));
    })
    .get("/docs/:file", async ({ request, params: { file: slug } }) => {
      if (slug.includes(".")) return await sendText(request, slug);
      const page = pages.find((candidate) => candidate.slug === slug);
      if (page === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
      const { docsGuide } = await import("./page.tsx");
      const site = await frame.site(request);
      return frame.sharedPage(request, pages, () => {
        const markdown = withServedLinks(withTitles(page.markdown), pages, (slug) => `/docs/${slug}`);
        const sections = sectionsOf(page.markdown);
        return docsGuide({ site, guides: pages }, { ...page, markdown, sections });
      });
    });
};
