/** The part of /status about live quotes: their age, the state of each feed, and the evidence for refused quotes. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-plausibility.ts";
import type { LiveStatus } from "#domain/rates/status.ts";
import { formatInstant } from "#domain/time/day.ts";
import { printedInstant } from "./sources.ts";

const RefusedQuoteModel = form.named(
  "RefusedQuote",
  "A live quote that is not served, however often its feed repeats it.",
  {
    feed: form.oneOf(FEEDS, "Name of the feed."),
    currency: field.CurrencyCodeModel,
    pair: form.text("The pair as the feed quotes it.", "USD/JPY"),
    price: form.text("The mid as the feed printed it.", "0.00628141"),
    per_dollar: Type.Number({
      description: "The same in units of the currency per dollar, to six digits.",
      examples: [0.00628141],
    }),
    reference: form.nullable<number>("number", {
      description:
        "The newest daily reference in units of the currency per dollar, to six digits; null where there is none.",
      examples: [159.19],
    }),
    reference_at: form.instantOrNull("When the reference was observed, UTC.", "2026-04-13T12:15:00Z"),
    rule: form.oneOf(
      QUOTE_DOUBTS,
      "`beyond_reference`: more than 1.3 times the reference either way; `decimal_slip`: that, and close to a power of ten; `no_reference`: there is none. These are never released by repetition. `off_reference`: more than 1.1 times; `jump`: more than 5 % in minutes.",
    ),
    reason: form.text(
      "Why, with the numbers.",
      "0.00628141 per dollar is 0.00003946 times the reference 159.190: beyond 1.3 either way",
    ),
    observed_at: form.instant("Time of the price, UTC.", "2026-04-13T16:29:02Z"),
    since: form.instant(
      "Since when the feed is doubted on this currency without a break, UTC.",
      "2026-04-13T16:20:02Z",
    ),
  },
);

const FeedCheck = form.named("FeedCheck", "One live feed.", {
  feed: form.oneOf(FEEDS, "Name of the feed."),
  role: form.oneOf(["primary", "fallback"], "The first feed of the configuration is the primary one."),
  speaks_for: form.count("Number of currencies whose newest quote is this feed's.", 19),
  outcome: form.oneOfOrNull(
    "FeedOutcome",
    ["never", "quotes", "unchanged", "failed"],
    "How the last poll went; null on a server that leaves polling to another.",
    "quotes",
  ),
  last_attempt_at: form.instantOrNull("Last poll, UTC.", "2026-04-13T16:29:02Z"),
  last_success_at: form.instantOrNull("Last poll that read an intact document, UTC.", "2026-04-13T16:29:02Z"),
  paused_until: form.instantOrNull(
    "Until when the feed is not polled because it requested that, UTC.",
    "2026-04-13T16:45:00Z",
  ),
  detail: form.textOrNull("Why the last poll failed.", "the server answered 503"),
});

export const LiveData = form.closed("Live quotes.", {
  status: form.oneOf(
    ["ok", "unconfirmed", "refused", "stale", "missing", "waiting", "off"],
    "`stale`: a currency that was live is older than its window, or a daily figure replaces it. `refused`: quotes of a currency are refused, and no other feed is active for it. `unconfirmed`: a currency is served on one feed's quote alone although it is far from its reference. `missing`: no quote has come in although the market is open; `waiting`: it is closed. `off`: no feed is configured.",
  ),
  age_seconds: form.nullable<number>("number", {
    minimum: 0,
    description: "Seconds since the newest quote was observed; null without one.",
    examples: [12],
  }),
  source: form.textOrNull("Feed that is active for most currencies; null without a quote.", "coinbase"),
  market_session: field.marketSession,
  live_currencies: form.count("Number of currencies served live now.", 19),
  configured_currencies: form.count("Number of currencies that are to be live.", 19),
  stale: form.list(field.CurrencyCodeModel, "Currencies that were live and are stale now.", []),
  unconfirmed: form.list(
    field.CurrencyCodeModel,
    "Currencies whose live quote is more than 1.1 times their daily reference, either way, on the quote of one feed only.",
    [],
  ),
  refused: form.list(
    RefusedQuoteModel,
    "Quotes that are refused now, with the evidence; empty on a server that leaves polling the feeds to another.",
    [],
  ),
  feeds: form.list(FeedCheck, "The configured feeds, in order of preference.", []),
});

export function liveBody(live: LiveStatus) {
  return {
    status: live.status,
    age_seconds: live.ageSeconds,
    source: live.source,
    market_session: live.session,
    live_currencies: live.liveCurrencies,
    configured_currencies: live.configuredCurrencies,
    stale: live.stale,
    unconfirmed: live.unconfirmed,
    refused: live.refused.map((quote) => ({
      feed: quote.feed,
      currency: quote.currency,
      pair: quote.pair,
      price: quote.price,
      per_dollar: sixDigits(quote.perDollar),
      reference: quote.reference === null ? null : sixDigits(quote.reference.perDollar),
      reference_at: printedInstant(quote.reference?.observedAt),
      rule: quote.rule,
      reason: quote.reason,
      observed_at: formatInstant(quote.observedAt),
      since: formatInstant(quote.since),
    })),
    feeds: live.feeds.map(({ feed, role, currencies, state }) => ({
      feed,
      role,
      speaks_for: currencies,
      outcome: state?.outcome ?? null,
      last_attempt_at: printedInstant(state?.lastAttemptAt),
      last_success_at: printedInstant(state?.lastSuccessAt),
      paused_until: printedInstant(state?.pausedUntil),
      detail: state?.detail ?? null,
    })),
  } satisfies Body<typeof LiveData>;
}

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
