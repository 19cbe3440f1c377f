/** The page of a refusal: what happened in a sentence, and a way on. */
/* @jsxImportSource preact */

import { renderPage, type Site } from "./page.tsx";

export interface Problem {
  readonly site: Site;
  readonly title: string;
  /** For people: what happened, and what to do. */
  readonly sentence: string;
  /** Where to go from here, the best way first. */
  readonly ways: readonly { readonly href: string; readonly text: string }[];
  /** Of the request, where the operator has to find it in the log; else null. */
  readonly requestId: string | null;
}

export function problemPage({ site, title, sentence, ways, requestId }: Problem): string {
  return renderPage({
    site,
    title: `${title} · Crossrate`,
    description: "A page that could not be shown.",
    path: "/",
    isPrivate: true,
    children: (
      <div class="narrow problem">
        <h1>{title}</h1>
        <p class="lead">{sentence}</p>
        {requestId !== null && (
          <p class="dim">
            Request id for the operator of this server: <code>{requestId}</code>
          </p>
        )}
        <ul class="plain-list">
          {ways.map(({ href, text }) => (
            <li key={href}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </div>
    ),
  });
}
