/** Every counter that an event moves: names, help and labels. event-counters.ts says which event moves which. */

import type { Registry } from "prom-client";
import { ACCEPTANCE_RULES } from "#domain/acceptance/rules.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { UPSTREAM_FAULTS } from "#domain/faults/upstream.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-plausibility.ts";
import { boundedCounter, gauge } from "./instruments.ts";
import { createOfficialCounters } from "./official-counters.ts";

/** How the collection of a daily source ended; `changed` is the only one after which the lake holds something new. */
const COLLECTION_RESULTS = ["changed", "figures", "unchanged", "holiday", "empty", "failed"] as const;
/** What damage is found in: a file of the lake, the ledger's database, one version of an official publication. */
const DAMAGED_PARTS = ["lake", "ledger", "publication"] as const;
const OBSERVATION_CHANGES = ["added", "revised", "withdrawn"] as const;

export type Counters = ReturnType<typeof createCounters>;

export function createCounters(registry: Registry) {
  const counter = <Label extends string = never>(name: string, help: string, labels?: readonly Label[]) =>
    boundedCounter(registry, `crossrate_${name}_total`, help, labels);
  return {
    events: counter("events", "Events for the operator, by kind; each is a log line at its level.", [
      "event",
    ]),
    collections: counter("collections", "Collections of a daily source, by how they ended.", [
      "source",
      "result",
    ]),
    collectionSeconds: counter(
      "collection_seconds",
      "Time taken by the collections that changed the lake, in seconds.",
      ["source"],
    ),
    observations: counter("observations", "Observations that collections brought into the lake.", [
      "source",
      "change",
    ]),
    routeFailures: counter("route_failures", "Routes of a daily source that failed, by each kind of fault.", [
      "source",
      "route",
      "fault",
    ]),
    figuresHeld: counter("figures_held", "Published figures held back because they were not believed.", [
      "source",
      "rule",
    ]),
    figuresReleased: counter("figures_released", "Held figures that were released, by whose word.", [
      "source",
      "by",
    ]),
    lakeRepairs: counter(
      "lake_repairs",
      "Conversions of an older layout of the lake, and copies of official publications that were made anew.",
    ),
    damage: counter("damage", "Damage found in what is stored, by what it was found in.", ["part"]),
    historyBuilds: counter("history_builds", "Times the history index was built in memory."),
    historyBuildSeconds: counter(
      "history_build_seconds",
      "Time taken to build the history index, in seconds.",
    ),
    feedAnswers: counter("feed_answers", "Polls of a live feed that brought an intact document of quotes.", [
      "feed",
    ]),
    feedFailures: counter("feed_failures", "Polls of a live feed that failed, by kind of fault.", [
      "feed",
      "fault",
    ]),
    quotesShown: counter("quotes_shown", "Live quotes that were accepted, newer and served.", ["feed"]),
    quotesRefused: counter("quotes_refused", "Live quotes refused in intact documents of a feed.", ["feed"]),
    quotesReleased: counter("quotes_released", "Releases of live quotes by operators, as noticed here.", [
      "feed",
    ]),
    quotesHeld: counter("quotes_held", "Doubts that began about a feed on a currency.", ["feed", "rule"]),
    feedSwitches: counter("feed_switches", "Changes of the active feed of a currency.", [
      "from",
      "to",
      "reason",
    ]),
    official: createOfficialCounters(registry),
    requestFailures: counter("request_failures", "Requests answered with 500 internal_error."),
    exportFailures: counter("export_failures", "File exports that broke off."),
    jobFailures: counter("job_failures", "Runs of a background job that failed.", ["job"]),
    /** Not a counter, but set by the same event as a build. */
    datasetObservations: gauge(
      registry,
      "crossrate_dataset_observations",
      "Daily observations in the dataset that is served.",
    ),
  };
}

/** Series that exist from the start, so that the first failure of a process is a rise and not a beginning. */
export function showFromStart(counters: Counters): void {
  for (const part of DAMAGED_PARTS) counters.damage.add({ part }, 0);
  for (const source of DAILY_SOURCES) {
    for (const result of COLLECTION_RESULTS) counters.collections.add({ source, result }, 0);
    for (const change of OBSERVATION_CHANGES) counters.observations.add({ source, change }, 0);
    for (const rule of ACCEPTANCE_RULES) counters.figuresHeld.add({ source, rule }, 0);
    counters.collectionSeconds.add({ source }, 0);
  }
}

/** The same for a feed, once its first event comes: the others are not configured. */
export function showFeed(counters: Counters, feed: FeedId): void {
  for (const fault of [...UPSTREAM_FAULTS, "broken_document"]) counters.feedFailures.add({ feed, fault }, 0);
  for (const rule of QUOTE_DOUBTS) counters.quotesHeld.add({ feed, rule }, 0);
  counters.feedAnswers.add({ feed }, 0);
  counters.quotesShown.add({ feed }, 0);
  counters.quotesRefused.add({ feed }, 0);
}
