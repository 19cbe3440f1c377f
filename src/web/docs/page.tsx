/** The documentation: its table of contents, one guide a page, the search, the reference of the API. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { htmlOf } from "./markdown.ts";

export interface DocsGuide {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly group: string;
}

export interface DocsHit {
  readonly slug: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly excerpt: string;
}

export interface DocsSection {
  readonly heading: string;
  readonly anchor: string;
}

interface DocsProps {
  readonly site: Site;
  readonly guides: readonly DocsGuide[];
}

/** /docs */
export function docsIndex({ site, guides }: DocsProps): string {
  return frame(
    { site, guides, title: "Documentation", description: "How to use and to run Crossrate.", path: "/docs" },
    <>
      <h1>Documentation</h1>
      <p class="lead">
        The first call takes a minute: no key, no account. The guides below say the rest, and the{" "}
        <a href="/docs/reference">reference</a> has every operation.
      </p>
      <pre>
        <code>{`curl '${site.origin}/v1/latest?base=USD&symbols=EUR,JPY'`}</code>
      </pre>
      {grouped(guides).map(([group, rows]) => (
        <section key={group} class="docs-group">
          <h2>{group}</h2>
          <dl>
            {rows.map(({ slug, title, summary }) => (
              <div key={slug}>
                <dt>
                  <a href={`/docs/${slug}`}>{title}</a>
                </dt>
                <dd>{summary}.</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>,
  );
}

/** /docs/{slug} */
export function docsGuide(
  { site, guides }: DocsProps,
  guide: DocsGuide & { readonly markdown: string; readonly sections: readonly DocsSection[] },
): string {
  const { slug, title, summary, markdown, sections } = guide;
  const html = htmlOf(
    markdown,
    sections.map(({ anchor }) => anchor),
  );
  return frame(
    { site, guides, title, description: `${summary}.`, path: `/docs/${slug}`, current: slug, sections },
    <>
      {/* From the product's own pages, not from visitors. */}
      <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <p class="docs-source">
        <a href={`/docs/${slug}.md`}>This page as Markdown</a>
      </p>
    </>,
  );
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
      <h1>{hits.length === 0 ? "Nothing found" : "Search"}</h1>
      <p class="dim" role="status">
        {hits.length === 0
          ? `No page says anything about “${query}”. Try fewer or other words.`
          : `${hits.length} sections about “${query}”, the best first.`}
      </p>
      <ol class="hits">
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
    isWide: true,
    classicScripts: ["/docs/assets/scalar-1.72.1.js", "/docs/assets/start.js"],
    children: (
      <>
        <h1 class="visually-hidden">API reference</h1>
        <div id="reference" />
        <noscript>
          <p class="site-main">
            The reference needs a script. The same description as data:{" "}
            <a href="/openapi.json">/openapi.json</a>.
          </p>
        </noscript>
      </>
    ),
  });
}

interface FrameProps extends DocsProps {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly current?: string;
  readonly query?: string;
  readonly sections?: readonly DocsSection[];
  readonly isPrivate?: boolean;
}

function frame(
  { site, guides, current, query, sections = [], title, ...page }: FrameProps,
  children: ComponentChildren,
): string {
  return renderPage({
    ...page,
    site,
    title: `${title} · Crossrate`,
    section: "docs",
    script: "docs.js",
    children: (
      <div class="docs">
        <div class="docs-side">
          <form action="/docs" method="get">
            <label>
              <span class="visually-hidden">Search the documentation</span>
              <input type="search" name="q" placeholder="Search" value={query} />
            </label>
          </form>
          <details class="docs-contents">
            <summary>Contents</summary>
            <Contents guides={guides} current={current} />
          </details>
        </div>
        <article class="docs-page">{children}</article>
        {sections.length > 2 && (
          <nav class="docs-sections" aria-label="On this page">
            <ul>
              {sections.slice(1).map(({ heading, anchor }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`}>{heading}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    ),
  });
}

function Contents({
  guides,
  current,
}: {
  readonly guides: readonly DocsGuide[];
  readonly current: string | undefined;
}) {
  return (
    <nav aria-label="Documentation">
      {grouped(guides).map(([group, rows]) => (
        <div key={group}>
          <p>{group}</p>
          <ul>
            {rows.map(({ slug, title }) => (
              <li key={slug}>
                <a href={`/docs/${slug}`} aria-current={slug === current ? "page" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p>Reference</p>
        <ul>
          <li>
            <a href="/docs/reference">Every operation</a>
          </li>
          <li>
            <a href="/openapi.json">OpenAPI document</a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** In the order of the guides; the name of a group begins with a capital. */
function grouped(guides: readonly DocsGuide[]): readonly (readonly [string, readonly DocsGuide[]])[] {
  const groups = new Map<string, DocsGuide[]>();
  for (const guide of guides) {
    const name = guide.group.slice(0, 1).toUpperCase() + guide.group.slice(1);
    const rows = groups.get(name) ?? [];
    rows.push(guide);
    groups.set(name, rows);
  }
  return [...groups];
}
