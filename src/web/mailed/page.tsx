/** GET /verify-email and /reset-password: the pages of mailed links. The token is after the `#`, where only the browser sees it. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import { type Frame, NO_REFERRER } from "#web/frame.ts";
import { Submit } from "#web/shared/forms.tsx";
import { narrowPage, type Site } from "#web/shared/page.tsx";
import { Code } from "#web/shared/snippets.tsx";

/** A link's token passes through the page: no other site learns of it, and no cache stores it. */
export const mailed = (frame: Frame) => {
  const send = async (request: Request, page: (site: Site) => string) =>
    frame.page(request, page(await frame.site(request)), { isPrivate: true, headers: NO_REFERRER });
  return new Elysia({ name: "mailed" })
    .get("/verify-email", async ({ request }) => await send(request, verifyEmailPage))
    .get("/reset-password", async ({ request }) => await send(request, resetPasswordPage));
};

function verifyEmailPage(site: Site): string {
  return mailedPage(site, {
    path: "/verify-email",
    title: "Confirm your e-mail address",
    ready: (
      <>
        <p>
          Confirm that this e-mail address is yours. If you did not create an account here, close this page.
        </p>
        <form class="form" method="post">
          <Submit>Confirm</Submit>
        </form>
      </>
    ),
    dead: "If your address is already confirmed, you are done. If not, request another e-mail: only the newest link works.",
    another: { path: "/dashboard/verify-email", text: "Request another e-mail" },
    done: (
      <>
        <h2 tabIndex={-1}>Confirmed</h2>
        <p>
          <span id="confirmed">The address</span> is confirmed. You can{" "}
          <a href="/dashboard/sign-in">sign in</a> now.
        </p>
      </>
    ),
    calls: [
      ["Confirm, with the text after #token= in the link:", "/v1/auth/verify-email", '{"token": "fxo_…"}'],
      ["Request another e-mail:", "/v1/auth/verify-email/send", '{"email": "you@example.com"}'],
    ],
  });
}

function resetPasswordPage(site: Site): string {
  return mailedPage(site, {
    path: "/reset-password",
    title: "Set a new password",
    ready: (
      <form class="form" method="post">
        <p id="rules">
          10 to 200 characters of any kind; a few words will do. Common passwords, your address and the name
          of this service are refused.
        </p>
        <div class="form-field">
          <label for="new">New password</label>
          <input
            id="new"
            type="password"
            autocomplete="new-password"
            required
            aria-describedby="rules said"
          />
        </div>
        <div class="form-field">
          <label for="again">Repeat the new password</label>
          <input id="again" type="password" autocomplete="new-password" required aria-describedby="said" />
        </div>
        <Submit>Set password</Submit>
        <p class="hint">It takes effect at once and ends every session of the account.</p>
      </form>
    ),
    dead: "The password was not changed. Request another link: only the newest works, once, within an hour. If this server does not send e-mail, ask its operator for a link.",
    another: { path: "/dashboard/password-reset", text: "Request another link" },
    done: (
      <>
        <h2 tabIndex={-1}>Password changed</h2>
        <p>
          Every session of the account has ended. <a href="/dashboard/sign-in">Sign in</a> with the new
          password.
        </p>
      </>
    ),
    calls: [
      [
        "Set the password, 10 to 200 characters of any kind, with the text after #token= in the link:",
        "/v1/auth/password-reset/confirm",
        '{"token": "fxo_…", "new": "…"}',
      ],
      [
        "Request another link. If this server does not send e-mail, ask its operator for one.",
        "/v1/auth/password-reset",
        '{"email": "you@example.com"}',
      ],
    ],
  });
}

const SIGN_IN = [
  "Sign in:",
  "/v1/auth/sign-in?cookie=0",
  '{"email": "you@example.com", "password": "…"}',
] as const;

interface MailedProps {
  readonly path: string;
  readonly title: string;
  readonly ready: ComponentChildren;
  /** What to do when the link does not work. */
  readonly dead: string;
  readonly another: { readonly path: string; readonly text: string };
  readonly done: ComponentChildren;
  readonly calls: readonly (readonly [text: string, path: string, body: string])[];
}

/** The script shows the one part that holds; without a script there are the calls. */
function mailedPage(site: Site, { path, title, ready, dead, another, done, calls }: MailedProps): string {
  return narrowPage({
    ...{ site, path, title, description: "The page of a mailed link.", script: "mailed.js" },
    children: (
      <div class="mailed">
        <p id="said" role="status" aria-live="polite" />
        <section data-when="ready" hidden>
          {ready}
        </section>
        <section data-when="no-link" hidden>
          <p>
            This page needs the whole link, including everything after the <code>#</code>. If you reloaded the
            page, open the link again.
          </p>
        </section>
        <section data-when="dead" tabIndex={-1} hidden>
          <p>{dead}</p>
          <p>
            <a href={another.path}>{another.text}</a>
          </p>
        </section>
        <section data-when="done" hidden>
          {done}
        </section>
        <noscript>
          <p>This page needs JavaScript. Without it, use the calls below.</p>
        </noscript>
        <details open>
          <summary>With the API</summary>
          {[...calls, SIGN_IN].map(([text, path, body]) => (
            <div key={path}>
              <p>{text}</p>
              <Code
                text={`curl -X POST '${site.origin}${path}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`}
              />
            </div>
          ))}
        </details>
        <p>
          <a href="/docs">Documentation</a>
        </p>
      </div>
    ),
  });
}
