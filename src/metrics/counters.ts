/** All counters that events increase: names, help and labels. event-counters.ts maps events to counters. */

import type { Registry } from "prom-client";
import { ACCEPTANCE_RULES } from "#domain/acceptance/rules.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { UPSTREAM_FAULTS } from "#domain/faults/upstream.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-plausibility.ts";
import { counters, gauges } from "./instruments.ts";
import { createOfficialCounters } from "./official-counters.ts";

/** How the collection of a daily source ended; `changed` is the only one after which the lake holds something new. */
const COLLECTION_RESULTS = ["changed", "figures", "unchanged", "holiday", "empty", "failed"] as const;
/** What damage is found in: a file of the lake, the ledger's database, one version of an official publication. */
const DAMAGED_PARTS = ["lake", "ledger", "publication"] as const;
const OBSERVATION_CHANGES = ["added", "revised", "withdrawn"] as const;

export type Counters = ReturnType<typeof createCounters>;

export function createCounters(registry: Registry) {
  return {
    ...counters(registry, {
      events:
        "crossrate_events_total{event} Events for the operator, by kind; each is a log line at its level.",
      collections:
        "crossrate_collections_total{source,result} Collections of a daily source, by how they ended.",
      collectionSeconds:
        "crossrate_collection_seconds_total{source} Time taken by the collections that changed the lake, in seconds.",
      observations:
        "crossrate_observations_total{source,change} Observations that collections brought into the lake.",
      routeFailures:
        "crossrate_route_failures_total{source,route,fault} Routes of a daily source that failed, by each kind of fault.",
      figuresHeld:
        "crossrate_figures_held_total{source,rule} Published figures held back because they were not believed.",
      figuresReleased:
        "crossrate_figures_released_total{source,by} Held figures that were released, by whose word.",
      lakeRepairs:
        "crossrate_lake_repairs_total Copies of official publications from which versions were taken out, because the ledger does not have them.",
      damage: "crossrate_damage_total{part} Damage found in what is stored, by what it was found in.",
      historyBuilds: "crossrate_history_builds_total Times the history index was built in memory.",
      historyBuildSeconds:
        "crossrate_history_build_seconds_total Time taken to build the history index, in seconds.",
      feedAnswers:
        "crossrate_feed_answers_total{feed} Polls of a live feed that brought an intact document of quotes.",
      feedFailures:
        "crossrate_feed_failures_total{feed,fault} Polls of a live feed that failed, by kind of fault.",
      quotesShown: "crossrate_quotes_shown_total{feed} Live quotes that were accepted, newer and served.",
      quotesRefused:
        "crossrate_quotes_refused_total{feed} Live quotes refused in intact documents of a feed.",
      quotesReleased:
        "crossrate_quotes_released_total{feed} Releases of live quotes by operators, as noticed here.",
      quotesHeld: "crossrate_quotes_held_total{feed,rule} Doubts that began about a feed on a currency.",
      feedSwitches: "crossrate_feed_switches_total{from,to,reason} Changes of the active feed of a currency.",
    }),
    official: createOfficialCounters(registry),
    ...counters(registry, {
      requestFailures: "crossrate_request_failures_total Requests answered with 500 internal_error.",
      exportFailures: "crossrate_export_failures_total File exports that broke off.",
      jobFailures: "crossrate_job_failures_total{job} Runs of a background job that failed.",
    }),
    /** Not a counter, but set by the same event as a build. */
    ...gauges(registry, {
      datasetObservations: "crossrate_dataset_observations Daily observations in the dataset that is served.",
    }),
  };
}

/** Series that exist from the start, so that the first failure of a process is a rise and not a beginning. */
export function showFromStart(metrics: Counters): void {
  for (const part of DAMAGED_PARTS) metrics.damage.add({ part }, 0);
  for (const source of DAILY_SOURCES) {
    for (const result of COLLECTION_RESULTS) metrics.collections.add({ source, result }, 0);
    for (const change of OBSERVATION_CHANGES) metrics.observations.add({ source, change }, 0);
    for (const rule of ACCEPTANCE_RULES) metrics.figuresHeld.add({ source, rule }, 0);
    metrics.collectionSeconds.add({ source }, 0);
  }
}

/** The same for a feed, once its first event comes: the others are not configured. */
export function showFeed(metrics: Counters, feed: FeedId): void {
  for (const fault of [...UPSTREAM_FAULTS, "broken_document"]) metrics.feedFailures.add({ feed, fault }, 0);
  for (const rule of QUOTE_DOUBTS) metrics.quotesHeld.add({ feed, rule }, 0);
  metrics.feedAnswers.add({ feed }, 0);
  metrics.quotesShown.add({ feed }, 0);
  metrics.quotesRefused.add({ feed }, 0);
}
