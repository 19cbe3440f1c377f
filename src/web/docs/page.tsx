/** The pages of the documentation: start page, one page a guide, search results, API reference. */
/* @jsxImportSource preact */

import { Others } from "#web/shared/others.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import FIRST_CALL from "./first-call.md" with { type: "text" };
import { type DocsGuide, type DocsProps, type DocsSection, frame, type Group, grouped } from "./frame.tsx";
import { htmlOf } from "./markdown.ts";

export interface DocsHit {
  readonly slug: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly excerpt: string;
}

/** /docs */
export function docsIndex({ site, guides }: DocsProps): string {
  return frame(
    { site, guides, title: "Documentation", description: "How to use and to run Crossrate.", path: "/docs" },
    <>
      <h1>Documentation</h1>
      <p class="lead">
        Make your first call in a minute, without a key or an account. The guides below cover the rest; the{" "}
        <a href="/docs/reference">reference</a> lists every operation.
      </p>
      <Prose html={htmlOf(FIRST_CALL, { anchors: [], origin: site.origin })} />
      {grouped(guides).map((group) => (
        <GroupSummary key={group.name} group={group} />
      ))}
    </>,
  );
}

function GroupSummary({ group: { name, guides, namesake } }: { readonly group: Group }) {
  if (namesake !== null) {
    return (
      <section class="docs-group">
        <h2>
          <a href={`/docs/${namesake.slug}`}>{name}</a>
        </h2>
        <p class="dim">{namesake.summary}.</p>
      </section>
    );
  }
  return (
    <section class="docs-group">
      <h2>{name}</h2>
      <dl>
        {guides.map(({ slug, title, summary }) => (
          <div key={slug}>
            <dt>
              <a href={`/docs/${slug}`}>{title}</a>
            </dt>
            <dd>{summary}.</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** /docs/{slug} */
export function docsGuide(
  { site, guides }: DocsProps,
  guide: DocsGuide & { readonly markdown: string; readonly sections: readonly DocsSection[] },
): string {
  const { slug, title, summary, markdown, sections } = guide;
  const html = htmlOf(markdown, { anchors: sections.map(({ anchor }) => anchor), origin: site.origin });
  const path = `/docs/${slug}`;
  const takesKey = site.hasAccounts && html.includes("data-key-place");
  return frame(
    { site, guides, title, description: `${summary}.`, path, current: slug, sections, takesKey },
    <>
      <Prose html={html} />
      <p class="docs-source">
        <a href={`/docs/${slug}.md`}>This page as Markdown</a>
      </p>
    </>,
  );
}

/** Rendered from the product's own pages: nothing in it is from visitors. */
function Prose({ html }: { readonly html: string }) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** /docs?q= */
export function docsSearch({ site, guides }: DocsProps, query: string, hits: readonly DocsHit[]): string {
  const page = {
    site,
    guides,
    title: "Search",
    description: "Search the documentation.",
    path: "/docs",
    query,
  };
  return frame(
    { ...page, isPrivate: true },
    <>
      <h1>{hits.length === 0 ? "No results" : "Search"}</h1>
      <p class="dim" role="status">
        {hits.length === 0 ? "No results for" : `${hits.length} results for`} “<Others>{query}</Others>”
        {hits.length === 0 ? ". Try fewer or other words." : ", best first."}
      </p>
      <ol class="plain-list hits">
        {hits.map(({ slug, title, heading, anchor, excerpt }) => (
          <li key={`${slug}#${anchor}`}>
            <a href={`/docs/${slug}#${anchor}`}>{heading}</a> <span class="dim">{title}</span>
            <p>{excerpt}</p>
          </li>
        ))}
      </ol>
    </>,
  );
}

/** /docs/reference */
export function docsReference(site: Site): string {
  return renderPage({
    site,
    title: "API reference · Crossrate",
    description: "Every operation of the API with its parameters, answers and refusals.",
    path: "/docs/reference",
    section: "docs",
    hasOwnMain: true,
    classicScripts: ["/docs/assets/scalar-1.72.1.js", "/docs/assets/start.js"],
    children: (
      <>
        <div id="reference" />
        <noscript>
          <h1>API reference</h1>
          <p class="site-main">
            The reference needs JavaScript. The same description as data:{" "}
            <a href="/openapi.json">/openapi.json</a>.
          </p>
        </noscript>
      </>
    ),
  });
}
