/** The frame of the dashboard's pages: navigation, the result of the last form, and secrets. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { CopyButton } from "#web/shared/forms.tsx";
import { Email, renderPage } from "#web/shared/page.tsx";
import type { PersonalVisit, Said } from "./router.ts";
import { issuesText, NOTICES, sentenceOf } from "./words.ts";

const PAGES = [
  ["/dashboard", "Overview"],
  ["/dashboard/keys", "Keys"],
  ["/dashboard/plan", "Plan"],
  ["/dashboard/webhooks", "Webhooks"],
  ["/dashboard/account", "Account"],
] as const;

export function dashboardPage(
  { site, caller, said }: Pick<PersonalVisit, "site" | "caller" | "said">,
  path: (typeof PAGES)[number][0],
  title: string,
  children: ComponentChildren,
  heading: ComponentChildren = <h1>{title}</h1>,
): string {
  return renderPage({
    site,
    title: `${title} · Crossrate`,
    description: "Keys, usage, plan and webhooks of your account.",
    path,
    isPrivate: true,
    script: "dashboard.js",
    actions: (
      <form class="row" method="post" action="/dashboard/sign-out">
        <Email {...caller.identity} />
        <button class="plain-button" type="submit">
          Sign out
        </button>
      </form>
    ),
    children: (
      <div class="with-side">
        <nav class="aside dash-nav" aria-label="Dashboard">
          <ul class="plain-list row menu small">
            {PAGES.map(([href, name]) => (
              <li key={href}>
                <a href={href} aria-current={href === path ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="dash-page sections">
          <Message said={said} />
          {heading}
          {children}
        </div>
      </div>
    ),
  });
}

export function Message({ said: { notice, refusal } }: { readonly said: Said }) {
  if (refusal !== null) {
    return (
      <div
        class="message refusal"
        id="refusal"
        role="alert"
        tabIndex={-1}
        // biome-ignore lint/a11y/noAutofocus: a refusal is read first, and its form is next; of a wrong field, the field
        autoFocus={refusal.issues.length === 0}
      >
        <p>{sentenceOf(refusal)}</p>
        {refusal.issues.length > 0 && (
          <ul>
            {issuesText(refusal).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
    );
  }
  if (notice === null) return null;
  return (
    <div class="message" role="status">
      <p>{NOTICES[notice]}</p>
    </div>
  );
}

interface SecretProps {
  readonly text: string;
  /** False when only the beginning is shown, which is no use to copy. */
  readonly isWhole?: boolean;
  readonly children?: ComponentChildren;
}

export function Secret({ text, isWhole = true, children }: SecretProps) {
  return (
    <div class="row panel spread">
      <code class="breaks" data-secret="">
        {text}
      </code>
      <div class="row">
        {children}
        {isWhole && <CopyButton text={text} class="button" />}
      </div>
    </div>
  );
}
