/** `/v1/checkout/sessions` and `/v1/billing_portal/sessions`: the two kinds of hosted pages, and the effect of paying. */

import type { Account } from "./account.ts";
import { customerNamed } from "./customers.ts";
import type { PortalSession, Price, Session } from "./objects.ts";
import { noSuch, StripeRefusal } from "./refusal.ts";
import { begin } from "./subscriptions.ts";

const DAY = 86_400;

export const CHECKOUT_SHAPE = {
  mode: "text!",
  customer: "text!",
  client_reference_id: "text",
  line_items: [{ price: "text!", quantity: "integer" }],
  metadata: "map",
  subscription_data: { metadata: "map" },
  success_url: "text!",
  cancel_url: "text",
} as const;

interface CheckoutParameters {
  readonly mode: string;
  readonly customer: string;
  readonly client_reference_id?: string;
  readonly line_items?: readonly { readonly price: string; readonly quantity?: number }[];
  readonly metadata?: Record<string, string>;
  readonly subscription_data?: { readonly metadata?: Record<string, string> };
  readonly success_url: string;
  readonly cancel_url?: string;
}

export function createSession(account: Account, parameters: CheckoutParameters): Session {
  const { customer, line_items = [], metadata = {} } = parameters;
  if (parameters.mode !== "subscription")
    throw new StripeRefusal(400, "The simulation sells subscriptions only.", { param: "mode" });
  if (line_items.length === 0)
    throw new StripeRefusal(400, "Missing required param: line_items.", {
      code: "parameter_missing",
      param: "line_items",
    });
  for (const name of ["success_url", "cancel_url"] as const) requireUrl(parameters[name], name);
  customerNamed(account, customer);
  const lines = line_items.map(({ price, quantity = 1 }, index) => ({
    price: priceNamed(account, price, `line_items[${index}][price]`),
    quantity,
  }));
  const id = account.newId("cs_test", 58);
  const session: Session = {
    id,
    object: "checkout.session",
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id ?? null,
    created: account.at(),
    customer,
    expires_at: account.at() + DAY,
    line_items: { data: lines },
    livemode: false,
    metadata,
    mode: "subscription",
    status: "open",
    subscription: null,
    subscription_data: parameters.subscription_data ?? {},
    success_url: parameters.success_url,
    url: `${account.base}/c/pay/${id}`,
  };
  account.sessions.set(id, session);
  return session;
}

/** As the API returns it: without what is ours alone. */
export function shownSession({ line_items, subscription_data, ...session }: Session): object {
  return session;
}

/** The customer pays with a card that works. A session is paid once; a second time changes nothing. */
export function pay(account: Account, session: Session): void {
  const [line] = session.line_items.data;
  if (session.status !== "open" || line === undefined) return;
  const data = session["subscription_data"] as { readonly metadata?: Record<string, string> };
  const subscription = begin(account, session.customer, line.price, { ...data.metadata });
  session.status = "complete";
  session.subscription = subscription.id;
  session.url = null;
  account.emit("checkout.session.completed", shownSession(session));
}

/** Before its time, by the seller. Of those that are not open none can expire. */
export function expireSession(account: Account, session: Session): Session {
  if (session.status !== "open") {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of "${session.status}".`;
    throw new StripeRefusal(400, message);
  }
  return expire(account, session);
}

export function expire(account: Account, session: Session): Session {
  session.status = "expired";
  session.url = null;
  account.emit("checkout.session.expired", shownSession(session));
  return session;
}

export const PORTAL_SHAPE = { customer: "text!", return_url: "text" } as const;

export function createPortal(
  account: Account,
  parameters: { readonly customer: string; readonly return_url?: string },
): PortalSession {
  customerNamed(account, parameters.customer);
  requireUrl(parameters.return_url, "return_url");
  const id = account.newId("bps");
  const portal: PortalSession = {
    id,
    object: "billing_portal.session",
    created: account.at(),
    customer: parameters.customer,
    livemode: false,
    return_url: parameters.return_url ?? null,
    url: `${account.base}/p/session/${id}`,
  };
  account.portals.set(portal.id, portal);
  return portal;
}

function priceNamed(account: Account, id: string, param: string): Price {
  const price = account.prices.get(id);
  if (price === undefined) throw noSuch("price", id, param);
  if (price["active"] === false)
    throw new StripeRefusal(400, "The price specified is inactive. This field only accepts active prices.", {
      param,
    });
  return price;
}

function requireUrl(url: string | undefined, param: string): void {
  const protocol = URL.parse(url ?? "http://absent")?.protocol;
  if (protocol !== "http:" && protocol !== "https:")
    throw new StripeRefusal(400, "Not a valid URL", { code: "url_invalid", param });
}
