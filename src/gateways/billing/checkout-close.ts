/** Ends pages on which something can still be bought: a customer who is about to go must not pay for nothing. */

import type { Stripe } from "stripe";
import { isMissing } from "./faults.ts";

const PAGE = 100;

/** How many were open. One that is paid or has expired meanwhile is not; a customer whom Stripe does not know has none. */
export async function closeCheckouts(stripe: Stripe, customer: string): Promise<number> {
  let closed = 0;
  try {
    // What is closed is not listed any more: always the first page.
    for (;;) {
      const open = await stripe.checkout.sessions.list({ customer, status: "open", limit: PAGE });
      for (const { id } of open.data) if (await expire(stripe, id)) closed += 1;
      if (!open.has_more) return closed;
    }
  } catch (error) {
    if (isMissing(error)) return closed;
    throw error;
  }
}

/** False when it was not open any more. */
async function expire(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    // The first attempt may have been carried out and its answer lost: what counts is how things stand.
    if ((await stripe.checkout.sessions.retrieve(id)).status === "open") throw error;
    return false;
  }
}
