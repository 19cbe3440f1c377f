/** GET /docs and /docs/{guide}: the guides as pages; `?q=` searches them. /docs/{guide}.md is the same as text. */

import { Elysia } from "elysia";
import { formOf } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import type { StaticDeps } from "#api/response/static-body.ts";
import { Failure } from "#domain/faults/errors.ts";
import { withServedLinks } from "#guides/links.ts";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf } from "#guides/sections.ts";
import type { PageParts } from "#web/page-data.ts";
import { loadPages } from "./load-pages.ts";
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
