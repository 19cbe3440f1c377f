/**
 * Counters of events; count, duration and size of requests by route. An event without an entry in COUNTS is only in
 * crossrate_events_total.
 */

import { Histogram, type Registry } from "prom-client";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { UPSTREAM_FAULTS } from "#domain/faults/upstream.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-evidence.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";
import { counters, type LabelsOf, shown } from "./instruments.ts";

const COUNTERS = {
  events: "crossrate_events_total{event} Events for the operator, by kind; each is a log line at its level.",
  collections: "crossrate_collections_total{source,result} Collections of a daily source, by how they ended.",
  observations:
    "crossrate_observations_total{source,change} Observations that collections brought into the lake.",
  routeFailures:
    "crossrate_route_failures_total{source,route,fault} Routes of a daily source that failed, by each kind of fault.",
  damage: "crossrate_damage_total{part} Damage found in stored data, by its part.",
  historyBuilds: "crossrate_history_builds_total Times the history index was built in memory.",
  historyBuildSeconds:
    "crossrate_history_build_seconds_total Time taken to build the history index, in seconds.",
  feedAnswers:
    "crossrate_feed_answers_total{feed} Polls of a live feed that brought an intact document of quotes.",
  feedFailures:
    "crossrate_feed_failures_total{feed,fault} Polls of a live feed that failed, by kind of fault.",
  quotesShown: "crossrate_quotes_shown_total{feed} Live quotes that were accepted, newer and served.",
  quotesRefused: "crossrate_quotes_refused_total{feed} Live quotes refused in intact documents of a feed.",
  quotesHeld: "crossrate_quotes_held_total{feed,rule} Doubts that began about a feed on a currency.",
  feedSwitches: "crossrate_feed_switches_total{from,to,reason} Changes of the active feed of a currency.",
  officialCollections:
    "crossrate_official_collections_total{table,result} Collections of an official table, by how they ended.",
  officialVersions:
    "crossrate_official_versions_total{table,change} Versions of official publications that were stored.",
  requestFailures: "crossrate_request_failures_total Requests answered with 500 internal_error.",
  exportFailures: "crossrate_export_failures_total File exports that broke off.",
  jobFailures: "crossrate_job_failures_total{job} Runs of a background job that failed.",
} as const;

type Name = keyof typeof COUNTERS;
type Count = {
  [N in Name]: readonly [
    name: N,
    labels: Readonly<Record<LabelsOf<(typeof COUNTERS)[N]>, string>>,
    by?: number,
  ];
}[Name];
type Kind = TelemetryEvent["kind"];
type EventOf<K extends Kind> = Extract<TelemetryEvent, { kind: K }>;

/** Labels come from the event's bounded fields only. Sentences, paths, identities and errors are for the log. */
const COUNTS: { readonly [K in Kind]?: (event: EventOf<K>) => readonly Count[] } = {
  collected: ({ source, accepted, revised, withdrawn }) => [
    ["collections", { source, result: "changed" }],
    // A revision is accepted, too; each observation counts once here.
    ["observations", { source, change: "added" }, accepted - revised],
    ["observations", { source, change: "revised" }, revised],
    ["observations", { source, change: "withdrawn" }, withdrawn],
  ],
  nothing_new: ({ source, outcome }) => [["collections", { source, result: outcome }]],
  source_failed: ({ source }) => [["collections", { source, result: "failed" }]],
  route_failed: ({ source, route, fault: faults }) =>
    faults.split(", ").map((fault) => ["routeFailures", { source, route, fault }]),
  history_built: ({ milliseconds }) => [
    ["historyBuilds", {}],
    // A clock that was set back adds nothing.
    ["historyBuildSeconds", {}, Math.max(0, milliseconds / 1000)],
  ],
  lake_damaged: () => [["damage", { part: "lake" }]],
  ledger_damaged: () => [["damage", { part: "ledger" }]],
  publication_damaged: () => [["damage", { part: "publication" }]],
  quotes_collected: ({ feed, shown, refused }) => [
    ["feedAnswers", { feed }],
    ["quotesShown", { feed }, shown],
    ["quotesRefused", { feed }, refused],
  ],
  feed_failed: ({ feed, fault }) => [["feedFailures", { feed, fault }]],
  feed_switched: ({ from, to, reason }) => [["feedSwitches", { from: from ?? "none", to, reason }]],
  quote_held: ({ feed, rule }) => [["quotesHeld", { feed, rule }]],
  official_collected: ({ table, published, corrected }) => [
    ["officialCollections", { table, result: "changed" }],
    ["officialVersions", { table, change: "published" }, published],
    ["officialVersions", { table, change: "corrected" }, corrected],
  ],
  official_nothing_new: ({ table, outcome }) => [["officialCollections", { table, result: outcome }]],
  official_failed: ({ table }) => [["officialCollections", { table, result: "failed" }]],
  request_failed: () => [["requestFailures", {}]],
  export_failed: () => [["exportFailures", {}]],
  job_failed: ({ job }) => [["jobFailures", { job }]],
};

const COLLECTION_RESULTS = ["changed", "figures", "unchanged", "holiday", "empty", "failed"];

/** Series that start at 0: a first failure then shows as a rise. */
function seriesFromStart(): readonly Count[] {
  return [
    ...["lake", "ledger", "publication"].map((part): Count => ["damage", { part }, 0]),
    ...DAILY_SOURCES.flatMap((source): Count[] => [
      ...COLLECTION_RESULTS.map((result): Count => ["collections", { source, result }, 0]),
      ...["added", "revised", "withdrawn"].map((change): Count => ["observations", { source, change }, 0]),
    ]),
  ];
}

/** The series of a feed, from its first event on: a feed without events is not configured. */
function seriesOfFeed(feed: FeedId): readonly Count[] {
  return [
    ...[...UPSTREAM_FAULTS, "broken_document"].map((fault): Count => ["feedFailures", { feed, fault }, 0]),
    ...QUOTE_DOUBTS.map((rule): Count => ["quotesHeld", { feed, rule }, 0]),
    ["feedAnswers", { feed }, 0],
    ["quotesShown", { feed }, 0],
    ["quotesRefused", { feed }, 0],
  ];
}

export function countEvents(registry: Registry): Emit {
  const metrics = counters(registry, COUNTERS);
  const showObservations = shown<number>(registry, {
    "crossrate_dataset_observations Daily observations in the dataset that is served.": (count) => count,
  });
  const add = (counts: readonly Count[]) => {
    for (const [name, labels, by] of counts) metrics[name].inc(labels as never, by);
  };
  const feeds = new Set<FeedId>();
  add(seriesFromStart());

  return (event) => {
    metrics.events.inc({ event: event.kind });
    if ("feed" in event && !feeds.has(event.feed)) {
      add(seriesOfFeed(event.feed));
      feeds.add(event.feed);
    }
    if ("table" in event && event.kind.startsWith("official_")) {
      const { table } = event;
      add(["changed", "failed"].map((result): Count => ["officialCollections", { table, result }, 0]));
    }
    if (event.kind === "history_built") showObservations(event.observations, 0);
    add((COUNTS[event.kind] as ((of: TelemetryEvent) => readonly Count[]) | undefined)?.(event) ?? []);
  };
}

/** Most answers take less than the first; no client waits longer than the last. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BYTES = [256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 8_388_608, 67_108_864];

/** Routes on which each status has its own meaning, such as a wrong password (401). */
const ACCOUNT_ROUTE = /^\/v1\/(account|auth|billing|consent|keys)(\/|$)/;

/**
 * Returns the function that counts an answer: `route` is a pattern such as "/v1/latest/:base", never a path; `milliseconds` last until
 * the answer exists; `bytes` of its body are NaN where unknown.
 */
export function countRequests(registry: Registry) {
  const registers = [registry];
  const { requests, accounts } = counters(registry, {
    requests:
      "crossrate_http_requests_total{route,status} Requests answered by the API, by route and class of status.",
    accounts:
      "crossrate_account_answers_total{route,status} Requests about accounts, sign-in, keys and billing that were answered, by route and status.",
  });
  const durations = new Histogram({
    registers,
    name: "crossrate_http_request_duration_seconds",
    help: "Time from the call of a route's handler until its answer exists, in seconds.",
    labelNames: ["route"],
    buckets: SECONDS,
  });
  const sizes = new Histogram({
    registers,
    name: "crossrate_http_response_size_bytes",
    help: "Size of the bodies of answers with a length known when they begin, as sent, in bytes.",
    labelNames: ["route"],
    buckets: BYTES,
  });
  return (route: string, status: number, milliseconds: number, bytes: number): void => {
    requests.inc({ route, status: `${Math.floor(status / 100)}xx` });
    if (ACCOUNT_ROUTE.test(route)) accounts.inc({ route, status: String(status) });
    durations.observe({ route }, milliseconds / 1000);
    if (bytes >= 0) sizes.observe({ route }, bytes);
  };
}
