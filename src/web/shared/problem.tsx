/** The page of a refusal: what happened in a sentence, and a way on. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { narrowPage, type Site } from "./page.tsx";

export interface Problem {
  readonly site: Site;
  readonly title: string;
  /** For people: what happened, and what to do. */
  readonly sentence: string;
  /** Where to go from here, the best way first. */
  readonly ways: readonly { readonly href: string; readonly text: string }[];
  /** Of the request, where the operator has to find it in the log; else null. */
  readonly requestId: string | null;
  /** More than the sentence says, below it. */
  readonly more?: ComponentChildren;
}

export function problemPage({ site, title, sentence, ways, requestId, more }: Problem): string {
  return narrowPage({
    ...{ site, title, path: "/", description: "A page that could not be shown." },
    children: (
      <>
        <p class="lead">{sentence}</p>
        {more}
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
      </>
    ),
  });
}
