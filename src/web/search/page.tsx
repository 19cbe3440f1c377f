/** GET /search: the one search of the site; GET /site/search: its results as a fragment of HTML, for the dialog that any page opens. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { renderToString } from "preact-render-to-string";
import { type ReferenceDeps, referenceOperations } from "#api/openapi/operations.ts";
import { formOf } from "#api/request/query.ts";
import { openGuides } from "#guides/pages.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { Submit } from "#web/shared/forms.tsx";
import { Others } from "#web/shared/others.tsx";
import { narrowPage } from "#web/shared/page.tsx";
import { type HitGroup, searchSite } from "./search.ts";

interface SearchPageDeps extends PageParts, ReferenceDeps {
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export const searchPages = ({ frame, admit, official, ...deps }: SearchPageDeps) => {
  const tables = (official?.tables ?? []).map(({ table }) => table);
  const operations = () => referenceOperations(deps);
  const find = async (query: string) => await searchSite({ guides: openGuides(), tables, operations }, query);
  return new Elysia({ name: "search" })
    .get("/search", async ({ request }) => {
      const query = formOf(request)("q")?.trim() ?? "";
      if (query !== "") admit(request);
      const groups = await find(query);
      const site = await frame.site(request);
      const html = narrowPage({
        site,
        title: "Search",
        description: "Search pairs, official tables, guides and operations.",
        path: "/search",
        children: (
          <>
            <form action="/search" method="get" class="row">
              <label class="grows">
                <span class="visually-hidden">Search</span>
                <input type="search" name="q" value={query} placeholder={PLACEHOLDER} />
              </label>
              <Submit kind="">Search</Submit>
            </form>
            {query !== "" && <Results groups={groups} query={query} />}
          </>
        ),
      });
      return frame.page(request, html);
    })
    .get(
      "/site/search",
      async ({ request }) => {
        admit(request);
        const query = formOf(request)("q")?.trim() ?? "";
        const groups = await find(query);
        return frame.page(request, renderToString(<Results groups={groups} query={query} />));
      },
      OWN_PAGES,
    );
};

const PLACEHOLDER = "Currency, country, table or guide";

function Results({ groups, query }: { readonly groups: readonly HitGroup[]; readonly query: string }) {
  if (groups.length === 0)
    return (
      <p role="status">
        No results for “<Others>{query}</Others>”. Try a code such as EUR, a country, or fewer words.
      </p>
    );
  return (
    <>
      {groups.map(({ name, hits }) => (
        <section key={name} class="hits">
          <h2>{name}</h2>
          <ul class="plain-list">
            {hits.map(({ href, title, detail }) => (
              <li key={href}>
                <a href={href}>
                  <Others>{title}</Others>
                </a>{" "}
                <p class="hint">{detail}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
