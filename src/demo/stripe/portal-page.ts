/** `/p/session/<portal>`: the page on which a customer changes the plan, cancels, or lets a payment fail. */

import type { Account } from "./account.ts";
import { emailOf } from "./customers.ts";
import { payNow, renewNow } from "./life.ts";
import type { Subscription } from "./objects.ts";
import { button, dayOf, dollars, escaped, framed, type Page } from "./page.ts";
import { cancelSubscription, updateSubscription } from "./subscriptions.ts";

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
