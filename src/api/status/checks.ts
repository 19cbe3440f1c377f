/** The parts of /status about collection: daily sources, official tables, live quotes; and their held or refused figures. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { type Printable, print, printedBy } from "#api/print.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-evidence.ts";
import type { DailyStatus, ServiceStatus } from "#rates/status.ts";

const HeldFigure = form.named("HeldFigure", "A figure that is not served until it is settled.", {
  date: form.day("Day that the figure is for.", "2026-04-13"),
  base: form.meaning(field.CurrencyCodeModel, "Currency that the figure is for 1 unit of.", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "Currency that the figure is in units of.", "NOK"),
  value: form.text("The figure as printed, in units of `quote` per 1 unit of `base`.", "118.529"),
  rule: form.text("Name of the rule that holds it.", "implausible_jump"),
  reason: form.text("Why, with the numbers.", "118.529 is 10 times the 11.8301 of 2026-04-10"),
  retrieved_at: form.instant("When the figure was read, UTC.", "2026-04-13T14:05:00Z"),
});

const Contradictions = form.named(
  "Contradictions",
  "Figures that routes of a source state differently from what is served, or no longer have, and that nothing has settled yet.",
  {
    count: form.count("How many figures of how many routes.", 2),
    since: form.instant("When the oldest of them was first read, UTC.", "2026-04-13T14:05:00Z"),
    example: form.text(
      "The newest of them.",
      "ecb_csv states EUR/NOK 11.8529 for 2026-04-13; 11.8301 is served",
    ),
  },
);

const CurrencyBehind = form.named("CurrencyBehind", "A currency that the newest figures of a source lack.", {
  currency: field.CurrencyCodeModel,
  last_date: form.day("Day of its last figure of the source.", "2026-04-10"),
});

export const DailyCheck = form.named("DailyCheck", "Collection of one daily source.", {
  status: form.oneOf(
    ["ok", "contradicted", "stale", "failing", "missing"],
    "The first that applies: `missing`: nothing was ever collected. `stale`: a newer publication was due. `failing`: the last attempt to collect failed. `contradicted`: a route states something else than what is served; see `contradictions`.",
  ),
  newest_date: form.dayOrNull("Newest day with a figure.", "2026-04-13"),
  covered_through: form.dayOrNull("Last day that the source's documents cover.", "2026-04-13"),
  last_attempt_at: form.instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
  last_success_at: form.instantOrNull("Last one that read an intact document, UTC.", "2026-04-13T16:05:00Z"),
  whole_read_at: form.instantOrNull("Last read of the whole history, where known.", "2026-04-12T03:26:00Z"),
  whole_read_due_at: form.instantOrNull("From when on it is read again, UTC.", "2026-04-19T08:11:00Z"),
  outcome: form.oneOf(
    ["never", "figures", "unchanged", "holiday", "empty", "failed"],
    "How the last attempt went; `never` before the first one of this process.",
    "unchanged",
  ),
  detail: form.textOrNull("Why the last attempt failed or was empty.", null),
  held_count: form.count("Number of figures held back.", 0),
  held: Type.Array(HeldFigure, {
    maxItems: 50,
    description: "The 50 of the newest days, the newest first.",
    examples: [[]],
  }),
  contradictions: form.orNull(
    Contradictions,
    "What the routes of the source state against each other; null where they agree.",
    null,
  ),
  missing_currencies: form.list(
    CurrencyBehind,
    "Currencies with no figure of `newest_date`, and a last one of up to 14 days before. A holiday of one series is the usual reason; the status does not change.",
    [],
  ),
  suspended_currencies: form.list(
    CurrencyBehind,
    "Currencies with no figure of the source for more than 14 days before `newest_date`: no latest rate is made of it.",
    [],
  ),
});

export function dailyFacts(source: DailyStatus): Printable<typeof DailyCheck> {
  const behind = source.behind.map((one) => ({ ...one, currency: one.code }));
  return {
    ...source,
    newestDate: source.newestDay,
    held: source.held.map((figure) => ({ ...figure, value: figure.printed })),
    missingCurrencies: behind.filter(({ isSuspended }) => !isSuspended),
    suspendedCurrencies: behind.filter(({ isSuspended }) => isSuspended),
  };
}

const MOST_PUBLICATIONS_LISTED = 20;

const OfficialCheck = form.named("OfficialCheck", "Collection of one official table.", {
  status: form.oneOf(
    ["ok", "failing", "missing"],
    "`failing`: the last attempt to collect failed; what was collected before is served. `missing`: nothing was collected yet.",
  ),
  newest_publication: form.textOrNull("Name of the newest publication, by validity.", "2026-04-13"),
  newest_valid_from: form.dayOrNull("First day of its validity.", "2026-04-13"),
  last_attempt_at: form.instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
  last_success_at: form.instantOrNull("Last one that read an intact document, UTC.", "2026-04-13T16:05:00Z"),
  outcome: form.oneOf(
    ["never", "publications", "empty", "failed"],
    "How the last attempt went; `empty`: nothing was published in the time requested.",
    "publications",
  ),
  detail: form.textOrNull("Why the last attempt failed or was empty, or what of it could not be read.", null),
  held_count: form.count("Number of publications held back.", 0),
  held: Type.Array(Type.String(), {
    maxItems: 20,
    description: "The first 20. They wait for a second reading, the authority, or the operator.",
    examples: [[]],
  }),
});

export const OfficialChecks = printedBy(
  form.keyedBy({ pattern: "^[a-z0-9_]+$" })(
    OfficialCheck,
    "Official tables by id; empty where they are switched off. They do not change the overall `status`: a caller that needs one watches its entry.",
    { mex_fix: form.exampleOf(OfficialCheck, "answer") },
  ),
  (tables: ServiceStatus["official"]) =>
    Object.fromEntries(
      tables.map(({ table, newest, held, ...check }) => {
        const newestNames = {
          newestPublication: newest?.publication ?? null,
          newestValidFrom: newest?.validFrom ?? null,
        };
        const listed = { heldCount: held.length, held: held.slice(0, MOST_PUBLICATIONS_LISTED) };
        return [table, print(OfficialCheck, { ...check, ...newestNames, ...listed })];
      }),
    ),
);

// ── Live quotes ──────────────────────────────────────────────────────────────────────────────────

const RefusedQuoteModel = form.named("RefusedQuote", "A live quote that is not served, and why.", {
  feed: form.oneOf(FEEDS, "Name of the feed."),
  currency: field.CurrencyCodeModel,
  pair: form.text("The pair as the feed quotes it.", "USD/JPY"),
  price: form.text("The mid as the feed printed it.", "0.00628141"),
  per_dollar: Type.Number({
    description: "The same in units of the currency per dollar, to six digits.",
    examples: [0.00628141],
  }),
  reference: form.nullable<number>("number", {
    description: "The newest daily reference per dollar, to six digits; null without one.",
    examples: [159.19],
  }),
  reference_at: form.instantOrNull("When the reference was observed, UTC.", "2026-04-13T12:15:00Z"),
  rule: form.oneOf(
    [...QUOTE_DOUBTS, "contradicts"],
    "`beyond_reference`: more than 1.3 times the reference either way; `decimal_slip`: that, and close to a power of ten; `no_reference`: there is none; `moved_together`: half of its answer's prices are more than 1.05 times their references; `exchanged`: it and another price of the answer are each near the other's reference, or it is near the inverse of its own. These are never released by repetition. `off_reference`: more than 1.1 times; `jump`: more than 5 % within an hour. `contradicts`: believed, and more than 2 % away from the served quote of another feed.",
  ),
  reason: form.text(
    "Why, with the numbers.",
    "0.00628141 per dollar is 0.00003946 times the reference 159.190: beyond 1.3 either way",
  ),
  observed_at: form.instant("Time of the price, UTC.", "2026-04-13T16:29:02Z"),
  since: form.instant("Since when the feed is doubted on this currency, UTC.", "2026-04-13T16:20:02Z"),
});

const FeedCheck = form.named("FeedCheck", "One live feed.", {
  feed: form.oneOf(FEEDS, "Name of the feed."),
  role: form.oneOf(["primary", "fallback"], "The first feed of the configuration is the primary one."),
  speaks_for: form.count("Number of currencies with the newest quote from this feed.", 19),
  outcome: form.oneOfOrNull(
    "FeedOutcome",
    ["never", "quotes", "unchanged", "failed"],
    "How the last poll went; null on a server that leaves polling to another.",
    "quotes",
  ),
  last_attempt_at: form.instantOrNull("Last poll, UTC.", "2026-04-13T16:29:02Z"),
  last_success_at: form.instantOrNull("Last poll that read an intact document, UTC.", "2026-04-13T16:29:02Z"),
  paused_until: form.instantOrNull("Until when the feed is not polled because it requested that, UTC.", null),
  detail: form.textOrNull(
    "Why the last poll failed, or how many of its prices cannot be used and why.",
    null,
  ),
});

export const LiveData = form.closed("Live quotes.", {
  status: form.oneOf(
    ["ok", "unconfirmed", "refused", "stale", "missing", "waiting", "off"],
    "`stale`: a currency that was live is older than its window, or a daily figure replaces it. `refused`: quotes of a currency are refused, and no other feed is active for it. `unconfirmed`: a currency is served on one feed's quote alone although it is far from its reference, or another feed contradicts it. `missing`: no quote has come in although the market is open; `waiting`: it is closed. `off`: no feed is configured.",
  ),
  age_seconds: form.numberOrNull("Seconds since the newest quote was observed; null without one.", 12),
  source: form.textOrNull("Feed that is active for most currencies; null without a quote.", "coinbase"),
  market_session: field.marketSession,
  live_currencies: form.count("Number of currencies served live now.", 19),
  configured_currencies: form.count("Number of currencies that are to be live.", 19),
  stale: form.list(field.CurrencyCodeModel, "Currencies that were live and are stale now.", []),
  unconfirmed: form.list(
    field.CurrencyCodeModel,
    "Currencies with a live quote of more than 1.05 times their daily reference, either way, on the quote of one feed only; and those whose quote another feed contradicts.",
    [],
  ),
  refused: form.list(
    RefusedQuoteModel,
    "Quotes that are refused now or contradict the served one, with the evidence; empty on a server that leaves polling the feeds to another.",
    [],
  ),
  feeds: form.list(FeedCheck, "The configured feeds, in order of preference."),
});

export function liveFacts(live: ServiceStatus["live"]): Printable<typeof LiveData> {
  return {
    ...live,
    marketSession: live.session,
    refused: live.refused.map(({ perDollar, reference, ...quote }) => ({
      ...quote,
      perDollar: sixDigits(perDollar),
      reference: reference === null ? null : sixDigits(reference.perDollar),
      referenceAt: reference?.observedAt ?? null,
    })),
    feeds: live.feeds.map(({ feed, role, currencies: speaksFor, state }) => ({
      ...(state ?? NEVER_POLLED),
      ...{ feed, role, speaksFor },
    })),
  };
}

const NEVER_POLLED = {
  outcome: null,
  lastAttemptAt: null,
  lastSuccessAt: null,
  pausedUntil: null,
  detail: null,
};

function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
