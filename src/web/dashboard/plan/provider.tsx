/** The link to the payment provider, and /account, to which it returns. */
/* @jsxImportSource preact */

import { renderPage, type Site } from "#web/shared/page.tsx";

/** How a checkout ended, as the provider put it into the address; it proves nothing. */
export type CheckoutEnd = "success" | "cancelled";

/** For a browser that is not signed in. */
export function backPage(site: Site, ended: CheckoutEnd | null): string {
  return renderPage({
    site,
    title: "Your account · Crossrate",
    description: "Back from the payment provider.",
    path: "/account",
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>Your account</h1>
        <div role="status" aria-live="polite">
          <Ended ended={ended} />
        </div>
        <p>
          <a class="button primary" href="/dashboard/plan">
            Sign in and see the plan
          </a>
        </p>
        <h2>With the API</h2>
        <p>
          Sign in; the answer has a <code>token</code>:
        </p>
        <pre>
          <code>{`curl -X POST '${site.origin}/v1/auth/sign-in?cookie=0' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "password": "…"}'`}</code>
        </pre>
        <p>
          With that token, <code>tier</code> is the current plan and <code>plaintext</code> the API key:
        </p>
        <pre>
          <code>{`curl '${site.origin}/v1/account' \\
  -H 'Authorization: Bearer fxs_…'`}</code>
        </pre>
        <p>
          To buy, change or cancel a plan, open the <code>url</code> of the answer.
        </p>
        <pre>
          <code>{`curl -X POST '${site.origin}/v1/account/checkout' \\
  -H 'Authorization: Bearer fxk_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"plan": "pro"}'`}</code>
        </pre>
        <p>
          <a href="/docs">Documentation</a>
        </p>
      </div>
    ),
  });
}

function Ended({ ended }: { readonly ended: CheckoutEnd | null }) {
  if (ended === "success") {
    return (
      <p class="lead">
        Thank you. Your new plan starts when the payment provider confirms the payment, usually within
        seconds. Your API key stays the same.
      </p>
    );
  }
  if (ended === "cancelled") {
    return <p class="lead">You bought nothing. Your plan and your API key are unchanged.</p>;
  }
  return <p class="lead">The payment provider sends you back to this page. Opening it changes nothing.</p>;
}

/** Leads on to the payment provider. A form may not lead to another site by itself. */
export function leavingPage(site: Site, url: string, isPortal: boolean): string {
  return renderPage({
    site,
    title: "Payment provider · Crossrate",
    description: "The way to the payment provider.",
    path: "/dashboard/plan",
    isPrivate: true,
    children: (
      <div class="narrow">
        <h1>Continue to the payment provider</h1>
        <p class="lead">
          {isPortal
            ? "You have a subscription. Change, pay or cancel it at the payment provider."
            : "You buy the plan at the payment provider. You buy nothing before you pay there."}
        </p>
        <p>
          <a class="button primary" href={url} rel="noreferrer">
            Continue
          </a>{" "}
          <a class="button" href="/dashboard/plan">
            Back
          </a>
        </p>
      </div>
    ),
  });
}
