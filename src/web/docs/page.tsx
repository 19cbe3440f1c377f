/** The pages of the documentation: the start page and a page for each guide, in a frame with contents and a field for a key. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import type { Guide, Section } from "#guides/sections.ts";
import { type PageProps, renderPage, type Site } from "#web/shared/page.tsx";
import FIRST_CALL from "./first-call.md" with { type: "text" };
import { htmlOf } from "./markdown.ts";
import { capitalized } from "./texts.ts";

export function docsIndex({ site, guides }: DocsProps): string {
  return frame(
    { site, guides, title: "Documentation", description: "How to use and to run Crossrate.", path: "/docs" },
    <>
      <h1>Documentation</h1>
      <p class="lead">
        Make your first call in a minute, without a key or an account. The guides below cover the rest; the{" "}
        <a href="/docs/reference">reference</a> lists every operation.
      </p>
      <Prose html={htmlOf(FIRST_CALL, site.origin)} />
      {grouped(guides).map((group) => (
        <GroupSummary key={group.name} {...group} />
      ))}
    </>,
  );
}

function GroupSummary({ name, guides }: Group) {
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

export function docsGuide(
  { site, guides }: DocsProps,
  guide: Guide & { readonly sections: readonly DocsSection[] },
): string {
  const { slug, title, summary, markdown, sections } = guide;
  const html = htmlOf(markdown, site.origin);
  const path = `/docs/${slug}`;
  const takesKey = site.hasAccounts && html.includes("data-key-place");
  return frame(
    { site, guides, title, description: `${summary}.`, path, current: slug, sections, takesKey },
    <>
      <Prose html={html} />
      <p class="docs-source small">
        <a href={`/docs/${slug}.md`}>This page as Markdown</a>
      </p>
    </>,
  );
}

/** Rendered from the product's own pages: nothing in it is from visitors. */
function Prose({ html }: { readonly html: string }) {
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

export type DocsSection = Omit<Section, "lines">;

export interface DocsProps {
  readonly site: Site;
  readonly guides: readonly Guide[];
}

interface FrameProps extends DocsProps, Pick<PageProps, "title" | "description" | "path" | "isPrivate"> {
  readonly current?: string | undefined;
  readonly sections?: readonly DocsSection[];
  /** The page's code has places for an API key. */
  readonly takesKey?: boolean;
}

export function frame(
  { site, guides, current, sections = [], takesKey = false, title, ...page }: FrameProps,
  children: ComponentChildren,
): string {
  return renderPage({
    ...page,
    site,
    title: `${title} · Crossrate`,
    section: "docs",
    script: "docs.js",
    children: (
      <div class="with-side docs">
        <div class="aside docs-side">
          {takesKey && <OwnKey path={page.path} />}
          <details class="docs-contents small">
            <summary>Contents</summary>
            <Contents guides={guides} current={current} />
          </details>
        </div>
        <article class="docs-page">{children}</article>
        {sections.length > 2 && (
          <nav class="aside docs-sections tiny" aria-label="On this page">
            <ul class="plain-list menu">
              {sections.slice(1).map(({ heading, anchor, depth }) => (
                <li key={anchor} class={depth > 2 ? "docs-below" : undefined}>
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

/** A field without a form and without a name: nothing sends it. It needs a script, and is not shown without one. */
function OwnKey({ path }: { readonly path: string }) {
  return (
    <details class="docs-key small">
      <summary>Use my key in the examples</summary>
      <label for="docs-key">API key</label>
      <input
        id="docs-key"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="fxk_…"
        aria-describedby="docs-key-hint"
      />
      <p class="row">
        <button type="button" class="plain-button underlined" data-own-key="">
          Get it from my account
        </button>
        <button type="button" class="plain-button underlined" data-forget-key="" hidden>
          Remove
        </button>
      </p>
      <p class="docs-key-status">
        <span role="status" />{" "}
        <a href={`/dashboard/sign-in?next=${path}`} data-sign-in="" hidden>
          Sign in
        </a>
      </p>
      <p id="docs-key-hint" class="dim">
        The examples on this page show it until you leave the page. It is not stored.
      </p>
    </details>
  );
}

function Contents({ guides, current }: Pick<FrameProps, "guides" | "current">) {
  const link = ({ slug, title }: Guide) => (
    <a href={`/docs/${slug}`} aria-current={slug === current ? "page" : undefined}>
      {title}
    </a>
  );
  return (
    <nav aria-label="Documentation">
      {grouped(guides).map(({ name, guides: rows }) => (
        <div key={name}>
          <p>{name}</p>
          <ul class="plain-list menu">
            {rows.map((guide) => (
              <li key={guide.slug}>{link(guide)}</li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p>Reference</p>
        <ul class="plain-list menu">
          <li>
            <a href="/docs/reference" aria-current={current === "reference" ? "page" : undefined}>
              Every operation
            </a>
          </li>
          <li>
            <a href="/openapi.json">OpenAPI document</a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

interface Group {
  readonly name: string;
  readonly guides: readonly Guide[];
}

function grouped(guides: readonly Guide[]): readonly Group[] {
  const groups = Object.entries(Object.groupBy(guides, ({ group }) => group));
  return groups.map(([group, rows = []]) => ({ name: capitalized(group), guides: rows }));
}
