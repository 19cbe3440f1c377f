/** The hosted pages: a checkout and a customer portal in plain HTML, without script, marked as simulated in every view. */

import type { Account } from "./account.ts";
import { emailOf } from "./customers.ts";
import { payNow, renewNow } from "./lifecycle.ts";
import type { Session, Subscription } from "./objects.ts";
import { pay } from "./sessions.ts";
import { cancelSubscription, updateSubscription } from "./subscriptions.ts";

export interface Page {
  readonly status: number;
  readonly html: string;
}

/** Text → HTML, for content and attributes. */
function escaped(text: unknown): string {
  return String(text ?? "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** `body` is HTML. */
export function framed(title: string, body: string, status = 200): Page {
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – simulated</title>
<style>${CSS}</style>
</head>
<body>
<p class="notice"><strong>SIMULATED.</strong> This page replaces Stripe. No card is needed and no money moves.</p>
<main>${body}</main>
</body>
</html>
`;
  return { status, html };
}

/** A button that sends `action` to the page's own address. */
function button(action: string, label: string, look: "main" | "plain" | "danger" = "plain"): string {
  return `<button class="${look}" name="action" value="${escaped(action)}">${escaped(label)}</button>`;
}

function dollars(cents: number): string {
  return `US$${(cents / 100).toFixed(2)}`;
}

function dayOf(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 10);
}

const CSS = `
:root{color-scheme:light dark;--ink:#1a2233;--soft:#5b6577;--line:#d9dee7;--paper:#fff;--ground:#f4f6fa;--main:#3b5bdb;--bad:#c92a2a}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf2;--soft:#9aa5b8;--line:#333d4f;--paper:#1b2230;--ground:#121722;--main:#5c7cfa;--bad:#ff6b6b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
.notice{margin:0;padding:.6rem 1rem;background:#ffe066;color:#3d3200;text-align:center;font-size:.9rem}
main{max-width:30rem;margin:3rem auto;padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 .25rem;font-size:1.35rem}
h2{margin:2rem 0 .5rem;font-size:1rem}
.price{font-size:2rem;font-weight:650;margin:.5rem 0 0}
.soft{color:var(--soft);margin:.25rem 0;overflow-wrap:anywhere}
.bad{color:var(--bad);font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.6rem;margin:1.25rem 0 0}
button{font:inherit;padding:.6rem 1rem;border-radius:8px;border:1px solid var(--line);background:transparent;color:inherit;cursor:pointer}
button:focus-visible,a:focus-visible{outline:3px solid var(--main);outline-offset:2px}
button.main{flex:1 1 100%;background:var(--main);border-color:var(--main);color:#fff;font-weight:600}
button.danger{border-color:var(--bad);color:var(--bad)}
a{color:var(--main)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0 0}
dt{color:var(--soft)}dd{margin:0;text-align:right}
`;

/** Page, or the address to go on to. */
export function checkoutPage(account: Account, id: string, action: string | null): Page | string {
  const session = account.sessions.get(id);
  if (session === undefined) return framed("Checkout", "<h1>There is no such checkout</h1>", 404);
  if (session.status === "complete") return framed("Checkout", "<h1>Thank you, this is paid</h1>");
  if (session.status === "expired") return framed("Checkout", "<h1>This checkout has expired</h1>", 410);
  if (action === "cancel" && session.cancel_url !== null) return session.cancel_url;
  if (action === "pay") {
    account.declining.delete(session.customer);
    pay(account, session);
    return session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
  }
  return offer(account, session, action === "decline");
}

function offer(account: Account, session: Session, isDeclined: boolean): Page {
  const lines = session.line_items.data.map(({ price }) => {
    const name = account.products.get(price.product)?.name ?? price.product;
    return `<h1>Subscribe to ${escaped(name)}</h1>
<p class="price">${dollars(price.unit_amount)} <span class="soft">per ${price.recurring.interval}</span></p>`;
  });
  const email = emailOf(account, session.customer) ?? session.customer;
  return framed(
    "Checkout",
    `${lines.join("")}
<p class="soft">for ${escaped(email)}</p>
${isDeclined ? '<p class="bad" role="alert">Your card was declined. Nothing was charged; try again.</p>' : ""}
<form method="post">
${button("pay", "Pay and subscribe", "main")}
${button("decline", "Pay with a card that is declined")}
${session.cancel_url === null ? "" : button("cancel", "Go back")}
</form>`,
    isDeclined ? 402 : 200,
  );
}

/** `action` is `<verb>` or `<verb>:<subscription>[:<price>]`. Page, or the address to go on to. */
export function portalPage(account: Account, id: string, action: string | null): Page | string {
  const portal = account.portals.get(id);
  if (portal === undefined) return framed("Subscription", "<h1>There is no such page</h1>", 404);
  if (action === "return" && portal.return_url !== null) return portal.return_url;
  const own = [...account.subscriptions.values()].filter(({ customer }) => customer === portal.customer);
  if (action !== null) act(account, portal.customer, own, action.split(":"));
  const live = own.filter(({ status }) => status !== "canceled");
  const sections = live.map((subscription) => section(account, subscription));
  const email = emailOf(account, portal.customer) ?? portal.customer;
  return framed(
    "Subscription",
    `<h1>Your subscription</h1><p class="soft">${escaped(email)}</p>
${sections.join("") || "<p>There is nothing running.</p>"}
<form method="post">${portal.return_url === null ? "" : button("return", "Back to the product")}</form>`,
  );
}

function act(
  account: Account,
  customer: string,
  own: readonly Subscription[],
  [verb, id, price]: readonly string[],
): void {
  const subscription = own.find((candidate) => candidate.id === id);
  if (verb === "card-bad") account.declining.add(customer);
  if (verb === "card-good") account.declining.delete(customer);
  if (subscription === undefined || subscription.status === "canceled") return;
  const [item] = subscription.items.data;
  if (verb === "card-good") payNow(account, subscription);
  if (verb === "switch" && item !== undefined && price !== undefined)
    updateSubscription(account, subscription.id, { items: [{ id: item.id, price }] });
  if (verb === "cancel-later") updateSubscription(account, subscription.id, { cancel_at_period_end: true });
  if (verb === "keep") updateSubscription(account, subscription.id, { cancel_at_period_end: false });
  if (verb === "cancel-now") cancelSubscription(account, subscription.id);
  if (verb === "renew" && subscription.status !== "unpaid") renewNow(account, subscription);
}

function section(account: Account, subscription: Subscription): string {
  const { id, status, cancel_at_period_end: isEnding } = subscription;
  const [item] = subscription.items.data;
  if (item === undefined) return "";
  const name = account.products.get(item.price.product)?.name ?? item.price.product;
  const isDeclining = account.declining.has(subscription.customer);
  const offers = [...account.prices.values()].filter((price) => {
    return price["active"] === true && account.products.has(price.product) && price.id !== item.price.id;
  });
  return `<h2>${escaped(name)}, ${dollars(item.price.unit_amount)} per ${item.price.recurring.interval}</h2>
<dl><dt>Status</dt><dd${status === "past_due" || status === "unpaid" ? ' class="bad"' : ""}>${escaped(status)}</dd>
<dt>${isEnding ? "Ends" : "Renews"} on</dt><dd>${dayOf(item.current_period_end)}</dd>
<dt>Card</dt><dd>${isDeclining ? "declined from now on" : "works"}</dd></dl>
<h2>Change the plan</h2><form method="post">${offers
    .map(({ id: price, nickname, unit_amount }) =>
      button(`switch:${id}:${price}`, `${nickname} (${dollars(unit_amount)})`),
    )
    .join("")}</form>
<h2>Cancel</h2><form method="post">${
    isEnding
      ? button(`keep:${id}`, "Do not cancel")
      : button(`cancel-later:${id}`, "Cancel at the end of the period", "danger")
  }${button(`cancel-now:${id}`, "Cancel at once", "danger")}</form>
<h2>Play with time and money</h2><form method="post">${
    isDeclining
      ? button(`card-good:${id}`, "Use a card that works, and pay")
      : button(`card-bad:${id}`, "Let payments fail from now on")
  }${button(`renew:${id}`, "Renew now")}</form>`;
}
