/** Stripe's events: verifies an incoming one against every signing secret, and lists those since an instant, to find missed ones. */

import type { Stripe } from "stripe";
import { BillingFault } from "#domain/billing/fault.ts";
import { type BillingNotice, RELEVANT_NOTICES, readNotice } from "#domain/billing/notice.ts";
import type { Instant } from "#domain/time/day.ts";
import type { ChangesSince } from "#ports/billing.ts";

const TOLERANCE_SECONDS = 300;

/**
 * BillingFault `bad_signature` unless one of the secrets signed these very bytes within the tolerance, either way;
 * `wrong_mode` for a live notice under a test key or the other way round; `unreadable` when it is not an event.
 */
export async function verifiedNotice(
  stripe: Stripe,
  { webhookSecrets, live }: { readonly webhookSecrets: readonly string[]; readonly live: boolean },
  rawBody: string | Uint8Array,
  signatureHeader: string | null,
  now: Instant,
): Promise<BillingNotice> {
  if (webhookSecrets.length === 0)
    throw new BillingFault("not_configured", "STRIPE_WEBHOOK_SECRETS is not set: no event can be verified");
  const header = signatureHeader ?? "";
  // The SDK refuses what is too old and takes what is dated ahead.
  if (timeOf(header) * 1000 > now + TOLERANCE_SECONDS * 1000) throw refused();
  for (const secret of webhookSecrets) {
    const event = await verifiedBy(stripe, secret, rawBody, header, now);
    if (event === null) continue;
    const notice = readNotice(event);
    if (notice.live !== live)
      throw new BillingFault("wrong_mode", `the event ${notice.id} is of the other mode`);
    return notice;
  }
  throw refused();
}

/** The parsed body, or null when this secret did not sign it. */
async function verifiedBy(
  stripe: Stripe,
  secret: string,
  rawBody: string | Uint8Array,
  header: string,
  now: Instant,
): Promise<unknown> {
  try {
    // Only the asynchronous form works here: the runtime gives the SDK WebCrypto.
    return await stripe.webhooks.constructEventAsync(
      rawBody as string,
      header,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now,
    );
  } catch (error) {
    if ((error as Partial<Stripe.errors.StripeError>).type === "StripeSignatureVerificationError")
      return null;
    throw new BillingFault("unreadable", "the signed body is not a Stripe event");
  }
}

function timeOf(header: string): number {
  return Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? 0);
}

function refused(): BillingFault {
  return new BillingFault("bad_signature", "no signing secret fits the event, or its time is too far off");
}

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
