/** The frame of every page: head, header, navigation, footer. A page is rendered on the server into one document. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Day, formatDay } from "#domain/time/day.ts";
import { dateOf, Others } from "./figure.tsx";
import { THEME_SCRIPT } from "./policy.ts";

export interface Site {
  /** Origin under which people reach the server, without a slash at the end. */
  readonly origin: string;
  readonly isSimulated: boolean;
  /** The last real day of a demo that began with the ECB's own history; else null. */
  readonly realThrough: Day | null;
  /** The person with a live session; null for everybody else, and on pages that many share. */
  readonly person: { readonly email: string | null } | null;
  readonly hasAccounts: boolean;
  readonly version: string;
  /** Paths of the assets by their names, which change with their content. */
  readonly asset: (name: string) => string;
}

export interface PageProps {
  readonly site: Site;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  readonly section?: (typeof SECTIONS)[number][0];
  readonly script?: string | undefined;
  /** Pages about one person or one link stay out of search engines. */
  readonly isPrivate?: boolean;
  readonly structured?: object;
  /** Replaces the links to sign in. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

const SECTIONS = [
  ["rates", "/", "Rates"],
  ["official", "/official", "Official"],
  ["docs", "/docs", "Docs"],
  ["pricing", "/pricing", "Pricing"],
  ["status", "/status/page", "Status"],
] as const;

/** The document around every page, with what each head has; `head` has the rest. */
export function documentOf({
  title,
  asset,
  head,
  children,
}: Pick<PageProps, "title" | "children"> &
  Pick<Site, "asset"> & { readonly head: ComponentChildren }): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="preload" href={asset("inter.woff2")} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href={asset("site.css")} />
        {/* Runs before the first paint: no page must flash in the other scheme. */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {children}
      </body>
    </html>,
  )}`;
}

/** A private page of one narrow column; the heading is its title. */
export function narrowPage({ title, children, ...page }: Omit<PageProps, "isPrivate">): string {
  return renderPage({
    ...page,
    title: `${title} · Crossrate`,
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>{title}</h1>
        {children}
      </div>
    ),
  });
}

export function renderPage(props: PageProps): string {
  const { site, title, description, path, section, script, children } = props;
  const canonical = site.origin + path;
  const preview = site.origin + site.asset("preview.png");
  return documentOf({
    title,
    asset: site.asset,
    head: (
      <>
        <meta name="description" content={description} />
        {props.isPrivate === true ? (
          <meta name="robots" content="noindex" />
        ) : (
          <link rel="canonical" href={canonical} />
        )}
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:type" content="website" />
        <meta property="og:url" content={canonical} />
        <meta property="og:image" content={preview} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta name="twitter:image" content={preview} />
        <link rel="icon" href={site.asset("icon.svg")} type="image/svg+xml" />
        <link
          rel="alternate"
          type="application/atom+xml"
          title="Official publications"
          href="/v1/official/changes.atom"
        />
        <script type="module" src={site.asset("shared.js")} />
        {script !== undefined && <script type="module" src={site.asset(script)} />}
        {props.structured !== undefined && <DataBlock type="application/ld+json" data={props.structured} />}
      </>
    ),
    children: (
      <>
        {site.isSimulated && (
          <aside class="simulated small" aria-label="Notice">
            {site.realThrough === null
              ? "Simulated data: every rate in this demo is made up."
              : `History: European Central Bank to ${dateOf(formatDay(site.realThrough))}. All else is simulated: live rates, those of the Fed, Mexican tables, later days.`}
          </aside>
        )}
        <header class="row site-header">
          <a class="brand" href="/">
            crossrate
          </a>
          <nav class="row site-nav menu small" aria-label="Site">
            {SECTIONS.filter(([id]) => id !== "pricing" || site.hasAccounts).map(([id, href, name]) => (
              <a key={id} href={href} aria-current={id === section ? "page" : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <div class="row site-actions small">
            <a href="/search" class="dim" data-search="">
              Search <kbd>/</kbd>
            </a>
            <button type="button" class="plain-button dim" data-theme-switch="" hidden>
              Dark
            </button>
            {props.actions ??
              (site.person === null ? site.hasAccounts && <EntryLinks /> : <Signed {...site.person} />)}
          </div>
        </header>
        <main id="main" class="site-main">
          {children}
        </main>
        <footer class="row site-footer small">
          <a href="/docs">Documentation</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/llms.txt">llms.txt</a>
          <a href="/v1/official/changes.atom">Feed of official publications</a>
          <span>Crossrate {site.version}</span>
          <p>
            Indicative mid rates for information. They are not for settlement, for regulated trading, or for
            use as a source of record.
          </p>
        </footer>
      </>
    ),
  });
}

export function Email({ email }: NonNullable<Site["person"]>) {
  if (email === null) return null;
  return (
    <span class="dim person-email">
      <Others>{email}</Others>
    </span>
  );
}

function Signed({ email }: NonNullable<Site["person"]>) {
  return (
    <>
      <Email email={email} />
      <a class="button" href="/dashboard">
        Dashboard
      </a>
    </>
  );
}

function EntryLinks() {
  return (
    <>
      <a href="/dashboard/sign-in">Sign in</a>
      <a class="button" href="/dashboard/sign-up">
        Get a key
      </a>
    </>
  );
}

/** Data for scripts. The browser does not run a block of this type. `<` is escaped: no text can end the block. */
export function DataBlock({
  id,
  type = "application/json",
  data,
}: {
  id?: string;
  type?: string;
  data: unknown;
}) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return <script id={id} type={type} dangerouslySetInnerHTML={{ __html: json }} />;
}
