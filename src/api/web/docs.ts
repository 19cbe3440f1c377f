/** GET /docs and /docs/{guide}: the guides as pages; `?q=` searches them. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { formOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";
import { withServedLinks } from "#guides/links.ts";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf } from "#guides/sections.ts";
import { CONTENT_SECURITY_POLICY } from "#web/shared/policy.ts";
import type { Frame } from "./frame.ts";

const MOST_HITS = 20;

/** With what renders Markdown and colours code: several megabytes that a server loads when somebody reads its guides. */
const loadPages = async () => await import("#web/docs/page.tsx");

/** The reference sets styles from its script, and has pictures and fonts in it. */
const REFERENCE_POLICY = CONTENT_SECURITY_POLICY.replace(
  "style-src 'self'",
  "style-src 'self' 'unsafe-inline'",
)
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("font-src 'self'", "font-src 'self' data:");

/** `markdown` answers /docs/{guide}.md and all other paths below /docs. */
export function guidePages(frame: Frame, meter: Meter, markdown: Route): Route[] {
  const { pages, search } = openGuides();
  const slugs = new Set(pages.map(({ slug }) => slug));
  /** In the repository a link is named like its file, here like the page. */
  const withTitles = (text: string) =>
    text.replace(/\[([a-z-]+)\.md\]/g, (link, slug: string) => {
      const title = pages.find((page) => page.slug === slug)?.title;
      return title === undefined ? link : `[${title}]`;
    });
  const index = async (request: Request) => {
    const { docsIndex, docsSearch } = await loadPages();
    const site = await frame.site(request);
    const query = formOf(request)("q")?.trim() ?? "";
    if (query === "") return frame.sharedPage(request, pages, () => docsIndex({ site, guides: pages }));
    return meter.run(request, ONE_CALL, async () =>
      frame.page(request, docsSearch({ site, guides: pages }, query, await search(query, MOST_HITS))),
    );
  };
  const guide = async (request: Request, params: Params) => {
    const { file: slug = "" } = params;
    if (slug.includes(".")) return markdown.handle(request, params);
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
  };
  return [
    { method: "GET", path: "/docs", handle: index },
    {
      method: "GET",
      path: "/docs/reference",
      handle: async (request) => {
        const { docsReference } = await loadPages();
        return frame.page(request, docsReference(await frame.site(request)), { policy: REFERENCE_POLICY });
      },
    },
    { method: "GET", path: markdown.path, handle: guide },
  ];
}
