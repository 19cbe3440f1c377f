/** The frame of the operator's pages. They are on a listener of their own, without the site's navigation. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { Action, Field, Submit } from "#web/shared/forms.tsx";
import { documentOf } from "#web/shared/page.tsx";

/** The result of the previous form. */
export interface Said {
  readonly notice: string | null;
  readonly refusal: string | null;
}

export interface RoomPage extends Partial<Said> {
  readonly title: string;
  /** Null before signing in. */
  readonly section: (typeof SECTIONS)[number][0] | null;
  readonly children: ComponentChildren;
}

const SECTIONS = [
  ["overview", "/operator/overview", "Overview"],
  ["accounts", "/operator", "Accounts"],
  ["figures", "/operator/figures", "Figures"],
  ["audit", "/operator/audit", "Audit log"],
] as const;

export function roomPage({ title, section, notice = null, refusal = null, children }: RoomPage): string {
  return documentOf({
    title: `${title} · Crossrate operator`,
    asset: (name) => `/site/${name}`,
    head: <meta name="robots" content="noindex" />,
    children: (
      <>
        <header class="row site-header">
          <a class="brand" href="/operator/overview">
            crossrate <span class="dim">operator</span>
          </a>
          {section !== null && (
            <nav class="row site-nav menu small" aria-label="Operator">
              {SECTIONS.map(([id, href, name]) => (
                <a key={id} href={href} aria-current={id === section ? "page" : undefined}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <div class="row site-actions small">
            <button type="button" class="plain-button dim" data-theme-switch="" hidden>
              Dark
            </button>
            {section !== null && <Action path="/operator/sign-out" name="Sign out" kind="plain" />}
          </div>
        </header>
        <main id="main" class="site-main room sections">
          {notice !== null && (
            <p class="message" role="status">
              {notice}
            </p>
          )}
          {refusal !== null && (
            <p class="message refusal" role="alert">
              {refusal}
            </p>
          )}
          {children}
        </main>
      </>
    ),
  });
}

export function signInPage(refusal: string | null): string {
  return roomPage({
    title: "Sign in",
    section: null,
    refusal,
    children: (
      <form method="post" action="/operator/sign-in" class="form">
        <h1>Operator</h1>
        <p class="dim">
          The token is in the file <code>secrets/admin.token</code> under DATA_DIR. Each start writes a new
          one.
        </p>
        <Field name="token" label="Token" type="password" />
        <Submit>Sign in</Submit>
      </form>
    ),
  });
}
