/** What the reconcile job reads: the events since an instant, so that a notice that never arrived is made up for. */

import type { Stripe } from "stripe";
import { type BillingNotice, RELEVANT_NOTICES, readNotice } from "#domain/billing/notice.ts";
import type { Instant } from "#domain/time/day.ts";
import type { ChangesSince } from "#ports/billing.ts";

const PAGE = 100;
const MOST_PAGES = 50;

/** Oldest first; `complete` false after fifty pages, the newest five thousand events. */
export async function listChanged(stripe: Stripe, since: Instant): Promise<ChangesSince> {
  const newestFirst: BillingNotice[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed: Stripe.ApiList<Stripe.Event> = await stripe.events.list({
      created: { gte: Math.floor(since / 1000) },
      types: [...RELEVANT_NOTICES],
      limit: PAGE,
      ...(after === null ? {} : { starting_after: after }),
    });
    newestFirst.push(...listed.data.map(readNotice));
    after = listed.data.at(-1)?.id ?? null;
    if (!listed.has_more || after === null) return { events: newestFirst.toReversed(), complete: true };
  }
  return { events: newestFirst.toReversed(), complete: false };
}
