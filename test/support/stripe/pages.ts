/** The hosted pages, checkout and portal: what their buttons do. They show a line of text, and the button that browsers press. */

import type { Account } from "./account.ts";
import type { Reply } from "./api.ts";
import { payNow, renewNow } from "./lifecycle.ts";
import type { Subscription } from "./objects.ts";
import { pay } from "./sessions.ts";
import { cancelSubscription, updateSubscription } from "./subscriptions.ts";

export function page(text: string, status = 200): Reply {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: `SIMULATED. ${text}.` };
}

const PAY: Reply = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!DOCTYPE html><form method="post"><button name="action" value="pay">Pay and subscribe</button></form>',
};

function redirect(location: string): Reply {
  return { status: 303, headers: { location }, body: "" };
}

/** `action` is `pay`, `decline` or `cancel`. */
export function checkoutPage(account: Account, id: string, action: string | null): Reply {
  const session = account.sessions.get(id);
  if (session === undefined) return page("There is no such checkout", 404);
  if (session.status === "complete") return page("This is paid");
  if (session.status === "expired") return page("This checkout has expired", 410);
  if (action === "cancel" && session.cancel_url !== null) return redirect(session.cancel_url);
  if (action === "decline") return page("The card was declined", 402);
  if (action !== "pay") return PAY;
  account.declining.delete(session.customer);
  pay(account, session);
  return redirect(session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id));
}

/** `action` is `<verb>` or `<verb>:<subscription>[:<price>]`. */
export function portalPage(account: Account, id: string, action: string | null): Reply {
  const portal = account.portals.get(id);
  if (portal === undefined) return page("There is no such page", 404);
  if (action === "return" && portal.return_url !== null) return redirect(portal.return_url);
  const own = [...account.subscriptions.values()].filter(({ customer }) => customer === portal.customer);
  if (action !== null) act(account, portal.customer, own, action.split(":"));
  return page("Your subscription");
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
