/**
 * Gauges that are filled at a scrape. Data: lake, daily sources, official tables, hot book, feeds, stream. Accounts: limits,
 * usage, ledger, webhooks, billing.
 */

import type { Registry } from "prom-client";
import { ACCEPTANCE_RULES } from "#domain/acceptance/printed.ts";
import type { CurrencyChoice, FeedChoice } from "#domain/live/feed-choice.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import { gauges, group, type ReaderGroup, secondsSince, totals } from "./instruments.ts";
import { DAILY_STATUSES, type MetricsReaders, OFFICIAL_STATUSES } from "./readers.ts";

export function storeGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const lake = gauges(registry, {
    readable: "crossrate_lake_readable 1 while the lake can be read, else 0.",
  });
  const clock = gauges(registry, {
    ahead:
      "crossrate_clock_ahead_seconds How far this machine's clock is ahead of the sources' hosts, in seconds, negative when it is behind; 0 while it agrees with them within two minutes.",
  });
  const collector = gauges(registry, {
    collecting: "crossrate_collecting 1 in the collector that collects, 0 in one that stands by.",
  });
  const daily = gauges(registry, {
    age: "crossrate_daily_observation_age_seconds{source} Age of the newest figure of a daily source by its observation time, in seconds.",
    status:
      "crossrate_daily_source_status{source,status} 1 for the status that /status gives the daily source now, 0 for the others.",
    held: "crossrate_daily_figures_held{source,rule} Figures of a daily source that a rule holds back now.",
    contradicted:
      "crossrate_contradicted_figures{source} Figures that routes of a daily source state differently from what is served.",
    behind:
      "crossrate_daily_currency_behind_days{source,currency} Days from the last figure of a currency to the newest day of its source; only of currencies that the newest day lacks.",
    wholeRead:
      "crossrate_daily_whole_read_age_seconds{source} Time since the whole history of a daily source was last read, in seconds.",
  });
  const official = gauges(registry, {
    status:
      "crossrate_official_table_status{table,status} 1 for the status that /status gives the official table now, 0 for the others.",
    age: "crossrate_official_success_age_seconds{table} Time since an official table was last read intact, in seconds.",
    held: "crossrate_official_publications_held{table} Publications of an official table that are held back now.",
  });
  return [
    group("daily", daily, (sources, now) => {
      for (const reading of sources) {
        const { source, newestObservedAt, wholeReadAt, status, heldByRule, contradictions, behind } = reading;
        daily.wholeRead.set({ source }, secondsSince(wholeReadAt, now));
        daily.age.set({ source }, secondsSince(newestObservedAt, now));
        for (const each of DAILY_STATUSES)
          daily.status.set({ source, status: each }, each === status ? 1 : 0);
        for (const rule of new Set([...ACCEPTANCE_RULES, ...heldByRule.keys()]))
          daily.held.set({ source, rule }, heldByRule.get(rule) ?? 0);
        daily.contradicted.set({ source }, contradictions?.count ?? 0);
        for (const { code: currency, days } of behind) daily.behind.set({ source, currency }, days);
      }
    }),
    group("official", official, (tables, now) => {
      for (const { table, status, lastSuccessAt, held } of tables) {
        for (const each of OFFICIAL_STATUSES)
          official.status.set({ table, status: each }, each === status ? 1 : 0);
        official.age.set({ table }, secondsSince(lastSuccessAt, now));
        official.held.set({ table }, held);
      }
    }),
    group("lakeReadable", lake, (isReadable) => lake.readable.set({}, isReadable ? 1 : 0)),
    group("clockAhead", clock, (milliseconds) => clock.ahead.set({}, milliseconds / 1000)),
    group("collecting", collector, (isCollecting) => collector.collecting.set({}, isCollecting ? 1 : 0)),
  ];
}

export function liveGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  return [hotBookGauges(registry), feedGauges(registry), streamGauges(registry)];
}

function hotBookGauges(registry: Registry) {
  const metrics = gauges(registry, {
    ok: "crossrate_hot_book_ok{kind} 1 while the hot book is shared as configured, 0 while it is degraded.",
    quotes: "crossrate_hot_book_quotes{feed} Currencies in the hot book, by feed.",
    stale: "crossrate_hot_book_stale_quotes Currencies with a live quote outside its freshness window.",
    newest: "crossrate_newest_quote_age_seconds Age of the newest live quote by its own time, in seconds.",
    each: "crossrate_quote_age_seconds{currency} Age of each currency's live quote by its own time, in seconds.",
    unconfirmed:
      "crossrate_unconfirmed_quotes{currency} 1 for each currency that is served by one feed alone although it is far from its reference.",
  });
  return group("hotBook", metrics, ({ book, state, kind, staleQuotes, unconfirmed }, now) => {
    for (const currency of unconfirmed) metrics.unconfirmed.set({ currency }, 1);
    metrics.ok.set({ kind }, state.status === "ok" ? 1 : 0);
    metrics.stale.set({}, staleQuotes);
    const perFeed = new Map<string, number>();
    let latest: Instant | null = null;
    for (const [currency, { feed, observedAt }] of book.quotes) {
      perFeed.set(feed, (perFeed.get(feed) ?? 0) + 1);
      latest = Math.max(latest ?? observedAt, observedAt);
      metrics.each.set({ currency }, secondsSince(observedAt, now));
    }
    for (const [feed, count] of perFeed) metrics.quotes.set({ feed }, count);
    metrics.newest.set({}, secondsSince(latest, now));
  });
}

function feedGauges(registry: Registry) {
  const metrics = gauges(registry, {
    age: "crossrate_feed_last_success_age_seconds{feed} Time since a poll of the feed last succeeded, in seconds; absent until one has.",
    active:
      "crossrate_feed_speaks_for{feed,place} Currencies for which the feed is active, as primary or in the place of a better placed one.",
    price:
      "crossrate_refused_quote_per_dollar{feed,currency,rule} Price that is refused now and why, in units of the currency per dollar.",
    reference:
      "crossrate_refused_quote_reference{feed,currency,rule} Daily reference that the refused price was held against, in units of the currency per dollar.",
  });
  return group("feeds", metrics, ({ states, choice, refused }, now) => {
    for (const { feed, currency, rule, perDollar, reference } of refused) {
      metrics.price.set({ feed, currency, rule }, perDollar);
      metrics.reference.set({ feed, currency, rule }, reference?.perDollar ?? null);
    }
    for (const { feed, lastSuccessAt } of states) metrics.age.set({ feed }, secondsSince(lastSuccessAt, now));
    for (const [feed, { primary, fallback }] of activeFeeds(choice)) {
      metrics.active.set({ feed, place: "primary" }, primary);
      metrics.active.set({ feed, place: "fallback" }, fallback);
    }
  });
}

function streamGauges(registry: Registry) {
  const metrics = {
    ...gauges(registry, {
      subscribers:
        "crossrate_stream_subscribers Readers of the stream of live quotes that are connected now.",
    }),
    ...totals(registry, {
      events: "crossrate_stream_events_total Events that readers were sent.",
      coalesced:
        "crossrate_stream_coalesced_events_total Events that readers were not sent because they did not read; they get their content in one later.",
      joins:
        "crossrate_stream_joins_total{start} Readers that connected, by whether they began with everything or went on from where they had been.",
      dropped:
        "crossrate_stream_dropped_total Readers that were let go because they did not read for too long.",
      refused:
        "crossrate_stream_refused_total{reason} Readers that were refused for want of a place, by the bound that was reached.",
    }),
  };
  return group("stream", metrics, (reading) => {
    metrics.subscribers.set({}, reading.subscribers);
    metrics.events.set({}, reading.events);
    metrics.coalesced.set({}, reading.coalesced);
    metrics.joins.set({ start: "snapshot" }, reading.begun);
    metrics.joins.set({ start: "resumed" }, reading.resumed);
    metrics.dropped.set({}, reading.dropped);
    for (const [reason, count] of Object.entries(reading.refused)) metrics.refused.set({ reason }, count);
  });
}

/**
 * Returns every feed of the choice, with its number of active currencies. A feed counts as fallback for a currency when
 * a feed placed before it could be expected to be active: that one has been believed on this currency before, or on no
 * currency at all (it has been down from the start). Else it counts as primary.
 */
export function activeFeeds({
  currencies,
}: FeedChoice): ReadonlyMap<FeedId, Readonly<Record<"primary" | "fallback", number>>> {
  const delivering = new Set<FeedId>();
  const spoken = new Map<FeedId, Readonly<Record<"primary" | "fallback", number>>>();
  for (const { feeds } of currencies) {
    for (const { feed, newest } of feeds) {
      spoken.set(feed, { primary: 0, fallback: 0 });
      if (newest !== null) delivering.add(feed);
    }
  }
  for (const choice of currencies) {
    const count = choice.activeFeed === null ? undefined : spoken.get(choice.activeFeed);
    if (choice.activeFeed === null || count === undefined) continue;
    const place = isInPlaceOfAnother(choice, delivering) ? "fallback" : "primary";
    spoken.set(choice.activeFeed, { ...count, [place]: count[place] + 1 });
  }
  return spoken;
}

function isInPlaceOfAnother({ activeFeed, feeds }: CurrencyChoice, delivering: ReadonlySet<FeedId>): boolean {
  const before = feeds.slice(
    0,
    feeds.findIndex(({ feed }) => feed === activeFeed),
  );
  return before.some(({ feed, newest }) => newest !== null || !delivering.has(feed));
}

export function accountGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const limits = {
    ...gauges(registry, {
      ok: "crossrate_limits_ok{kind} 1 while limits are counted as configured, 0 while each replica grants its share of them.",
      callers: "crossrate_limit_callers Callers with calls that this process remembers.",
    }),
    ...totals(registry, {
      crowded:
        "crossrate_limit_crowded_calls_total Calls of callers who had to share a place in memory with others, because it was full.",
    }),
  };
  const usage = gauges(registry, {
    calls:
      "crossrate_usage_waiting_calls Calls, served or refused by a limit, that are not yet counted in the ledger.",
    age: "crossrate_usage_waiting_seconds Age of the oldest call that is not yet counted in the ledger, in seconds; 0 when there is none.",
  });
  const ledger = gauges(registry, {
    ok: "crossrate_ledger_ok{kind} 1 while the ledger answers, else 0.",
    seconds:
      "crossrate_ledger_answer_seconds Time in which the ledger answered this scrape's question, in seconds; absent when it did not.",
  });
  const webhooks = gauges(registry, {
    due: "crossrate_webhook_due_deliveries Deliveries of events that are due and not claimed, of all replicas; 10000 stands for more.",
    age: "crossrate_webhook_due_seconds Since when the one of them that waits longest is due, in seconds; 0 when there is none.",
  });
  const billing = gauges(registry, {
    waiting:
      "crossrate_billing_notices_waiting Notices of the billing provider that were accepted a minute ago or earlier and not processed; 500 stands for more.",
    reconciled:
      "crossrate_billing_reconciled_age_seconds Time since billing was last reconciled completely, by any replica, in seconds; absent until it was.",
  });
  return [
    group("limits", limits, (state) => {
      limits.ok.set({ kind: state.kind }, state.status === "ok" ? 1 : 0);
      limits.callers.set({}, state.callers);
      limits.crowded.set({}, state.crowded);
    }),
    group("usage", usage, (waiting, now) => {
      usage.calls.set({}, waiting.calls);
      usage.age.set({}, secondsSince(waiting.since, now) ?? 0);
    }),
    group("ledger", ledger, ({ kind, answeredInSeconds }) => {
      ledger.ok.set({ kind }, answeredInSeconds === null ? 0 : 1);
      ledger.seconds.set({}, answeredInSeconds);
    }),
    group("webhooks", webhooks, (backlog, now) => {
      webhooks.due.set({}, backlog.due);
      webhooks.age.set({}, secondsSince(backlog.oldestDueAt, now) ?? 0);
    }),
    group("billing", billing, (notices, now) => {
      billing.waiting.set({}, notices.waiting);
      billing.reconciled.set({}, secondsSince(notices.reconciledAt, now));
    }),
  ];
}
