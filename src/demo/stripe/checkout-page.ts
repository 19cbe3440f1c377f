/** `/c/pay/<session>`: the page on which a plan is bought, declined or left. */

import type { Account } from "./account.ts";
import { emailOf } from "./customers.ts";
import type { Session } from "./objects.ts";
import { button, dollars, escaped, framed, type Page } from "./page.ts";
import { pay } from "./sessions.ts";

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
