/** The frame of the dashboard's pages: navigation, the result of the last form, and the parts of forms. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { Others } from "#web/shared/others.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { issuesText, NOTICES, type NoticeCode, type Refusal, sentenceOf } from "./words.ts";

/** What the form before came to. */
export interface Said {
  readonly notice: NoticeCode | null;
  readonly refusal: Refusal | null;
  /** What was typed into the refused form; never a password. */
  readonly typed: (name: string) => string;
}

/** What every page of a person has. */
export interface Personal {
  readonly site: Site;
  /** Null where an identity provider vouched for none. */
  readonly email: string | null;
  readonly said: Said;
}

const PAGES = [
  ["/dashboard", "Overview"],
  ["/dashboard/keys", "Keys"],
  ["/dashboard/plan", "Plan"],
  ["/dashboard/webhooks", "Webhooks"],
  ["/dashboard/account", "Account"],
] as const;

export type DashboardPath = (typeof PAGES)[number][0];

/** A page for the person who is signed in. */
export function dashboardPage(
  { site, email, said }: Personal,
  {
    path,
    title,
    children,
  }: { readonly path: DashboardPath; readonly title: string; readonly children: ComponentChildren },
): string {
  return renderPage({
    site,
    title: `${title} · Crossrate`,
    description: "Keys, usage, plan and webhooks of your account.",
    path,
    isPrivate: true,
    script: "dashboard.js",
    actions: <Person email={email} />,
    children: (
      <div class="dash">
        <nav class="dash-nav" aria-label="Dashboard">
          <ul class="plain-list">
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
          {children}
        </div>
      </div>
    ),
  });
}

function Person({ email }: { readonly email: string | null }) {
  return (
    <form class="person" method="post" action="/dashboard/sign-out">
      {email !== null && (
        <span class="dim person-email">
          <Others>{email}</Others>
        </span>
      )}
      <button class="plain-button" type="submit">
        Sign out
      </button>
    </form>
  );
}

/** What was done, or why it was not. */
export function Message({ said: { notice, refusal } }: { readonly said: Said }) {
  if (refusal !== null) {
    return (
      <div class="message refusal" role="alert">
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

interface FieldProps {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly type?: "text" | "email" | "password" | "url";
  readonly value?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly maxLength?: number;
  readonly refusal: Refusal | null;
  /** Of the body's member; by default the name below the root. */
  readonly member?: string;
}

/** A labelled input that points at its hint and says when it is at fault. */
export function Field({
  name,
  label,
  type = "text",
  value,
  hint,
  isOptional = false,
  refusal,
  ...rest
}: FieldProps) {
  const { autocomplete = "off", maxLength, member = `/${name}` } = rest;
  const isWrong = refusal?.issues.some(({ path }) => path === member) === true;
  return (
    <div class="form-field">
      <label for={name}>{label}</label>
      {/* Its kinds have attributes of their own, and none of those is used. */}
      <input
        {...({ type } as { type: "text" })}
        id={name}
        name={name}
        value={value}
        autocomplete={autocomplete}
        maxLength={maxLength}
        required={!isOptional}
        aria-invalid={isWrong ? "true" : undefined}
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      />
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The page to go on to after signing in. */
export function Next({ next }: { readonly next: string | null }) {
  return next === null ? null : <input type="hidden" name="next" value={next} />;
}
