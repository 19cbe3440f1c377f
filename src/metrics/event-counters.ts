/** Increases the counters of each event. The compiler rejects a kind of event without a case. */

import type { FeedId } from "#domain/live/live-quote.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";
import { type Counters, showFeed, showFromStart } from "./counters.ts";
import { countOfficial } from "./official-counters.ts";

const MILLISECONDS = 1000;

/** Kinds that only crossrate_events_total counts. */
type CountedByKind =
  | "server_started"
  | "server_stopping"
  | "listener_started"
  | "ledger_begun"
  | "ledger_unavailable"
  | "ledger_recovered"
  | "new_ledger_ignored"
  | "redis_unavailable"
  | "redis_recovered"
  | "redis_refused"
  | "archived_quotes_refused"
  | "release_unreadable"
  | "shutdown_cut_off"
  | "leadership_gained"
  | "leadership_lost"
  | "archive_read_only"
  | "archive_flush_failed"
  | "storage_unavailable"
  | "storage_recovered"
  | "change_deferred"
  | "change_dropped"
  | "history_unsigned"
  | "history_signed"
  | "lake_committed"
  | "snapshot_old"
  | "export_made"
  | "trace_collector_unavailable"
  | "trace_collector_recovered"
  | "sign_in_refused"
  | "identity_provider_failed"
  | "api_key_unreadable"
  | "billing_event_refused"
  | "billing_event_deferred"
  | "checkout_failed"
  | "billing_cancellation_failed"
  | "billing_reconciled"
  | "billing_reconcile_failed"
  | "subscription_unassigned"
  | "subscriptions_duplicated";

/**
 * Labels are taken from the event's bounded words only: sources, feeds, routes, rules, jobs. Sentences, paths,
 * identities and errors are for the log.
 */
export function countEvents(counters: Counters): Emit {
  const feeds = new Set<FeedId>();
  const known = (feed: FeedId) => {
    if (!feeds.has(feed)) showFeed(counters, feed);
    feeds.add(feed);
    return feed;
  };
  showFromStart(counters);

  return (event) => {
    counters.events.add({ event: event.kind });
    switch (event.kind) {
      case "history_built":
        counters.historyBuilds.add({});
        counters.historyBuildSeconds.add({}, event.milliseconds / MILLISECONDS);
        counters.datasetObservations.set({}, event.observations);
        return;
      case "collected":
        return countCollected(counters, event);
      case "nothing_new":
        return counters.collections.add({ source: event.source, result: event.outcome });
      case "source_failed":
        return counters.collections.add({ source: event.source, result: "failed" });
      case "route_failed": {
        const { source, route, fault } = event;
        for (const kind of fault.split(", ")) counters.routeFailures.add({ source, route, fault: kind });
        return;
      }
      case "figure_held":
        return counters.figuresHeld.add({ source: event.source, rule: event.rule }, event.count);
      case "figure_released": {
        const by = event.by === "command" ? "command" : "figure";
        return counters.figuresReleased.add({ source: event.source, by }, event.count);
      }
      case "lake_repaired":
        return counters.lakeRepairs.add({});
      case "quotes_collected": {
        const feed = known(event.feed);
        counters.feedAnswers.add({ feed });
        counters.quotesShown.add({ feed }, event.shown);
        counters.quotesRefused.add({ feed }, event.refused);
        return;
      }
      case "feed_failed":
        return counters.feedFailures.add({ feed: known(event.feed), fault: event.fault });
      case "feed_switched": {
        const { from, to, reason } = event;
        return counters.feedSwitches.add({ from: from ?? "none", to, reason });
      }
      case "quote_held":
        return counters.quotesHeld.add({ feed: known(event.feed), rule: event.rule });
      case "quote_released":
        return counters.quotesReleased.add({ feed: known(event.feed) });
      case "official_collected":
      case "official_nothing_new":
      case "official_failed":
      case "official_route_failed":
      case "official_held":
      case "official_doubted":
      case "official_released":
        return countOfficial(counters, event);
      case "lake_damaged":
        return counters.damage.add({ part: "lake" });
      case "ledger_damaged":
        return counters.damage.add({ part: "ledger" });
      case "publication_damaged":
        return counters.damage.add({ part: "publication" });
      case "request_failed":
        return counters.requestFailures.add({});
      case "export_failed":
        return counters.exportFailures.add({});
      case "job_failed":
        return counters.jobFailures.add({ job: event.job });
      default:
        event.kind satisfies CountedByKind;
    }
  };
}

function countCollected(counters: Counters, event: Extract<TelemetryEvent, { kind: "collected" }>): void {
  const { source, accepted, revised, withdrawn, milliseconds } = event;
  counters.collections.add({ source, result: "changed" });
  counters.collectionSeconds.add({ source }, milliseconds / MILLISECONDS);
  // A revision is accepted, too; here each observation counts once.
  counters.observations.add({ source, change: "added" }, accepted - revised);
  counters.observations.add({ source, change: "revised" }, revised);
  counters.observations.add({ source, change: "withdrawn" }, withdrawn);
}
