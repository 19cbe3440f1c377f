/** The sink of telemetry: which counter each happening moves. Complete by its type: a new kind without a case does not compile. */

import type { FeedId } from "#domain/live/live-quote.ts";
import type { Happening, Tell } from "#telemetry.ts";
import { type Counters, showFeed, showFromStart } from "./counters.ts";
import { countOfficial } from "./official-counters.ts";

const MILLISECONDS = 1000;

/**
 * Labels are taken from the happening's bounded words only: sources, feeds, routes, rules, jobs. Sentences, paths,
 * identities and errors are for the log.
 */
export function countHappenings(counters: Counters): Tell {
  const feeds = new Set<FeedId>();
  const heard = (feed: FeedId) => {
    if (!feeds.has(feed)) showFeed(counters, feed);
    feeds.add(feed);
    return feed;
  };
  showFromStart(counters);

  return (happening) => {
    counters.events.add({ event: happening.kind });
    switch (happening.kind) {
      case "history_built":
        counters.historyBuilds.add({});
        counters.historyBuildSeconds.add({}, happening.milliseconds / MILLISECONDS);
        counters.datasetObservations.set({}, happening.observations);
        return;
      case "collected":
        return countCollected(counters, happening);
      case "nothing_new":
        return counters.collections.add({ source: happening.source, result: happening.outcome });
      case "source_failed":
        return counters.collections.add({ source: happening.source, result: "failed" });
      case "route_failed": {
        const { source, route, fault } = happening;
        for (const kind of fault.split(", ")) counters.routeFailures.add({ source, route, fault: kind });
        return;
      }
      case "figure_held":
        return counters.figuresHeld.add({ source: happening.source, rule: happening.rule });
      case "figure_released": {
        const by = happening.by === "command" ? "command" : "figure";
        return counters.figuresReleased.add({ source: happening.source, by });
      }
      case "lake_repaired":
        return counters.lakeRepairs.add({});
      case "quotes_collected": {
        const feed = heard(happening.feed);
        counters.feedAnswers.add({ feed });
        counters.quotesShown.add({ feed }, happening.shown);
        counters.quotesRefused.add({ feed }, happening.refused);
        return;
      }
      case "feed_failed":
        return counters.feedFailures.add({ feed: heard(happening.feed), fault: happening.fault });
      case "feed_switched": {
        const { from, to, reason } = happening;
        return counters.feedSwitches.add({ from: from ?? "none", to, reason });
      }
      case "quote_held":
        return counters.quotesHeld.add({ feed: heard(happening.feed), rule: happening.rule });
      case "quote_released":
        return counters.quotesReleased.add({ feed: heard(happening.feed) });
      case "official_collected":
      case "official_nothing_new":
      case "official_failed":
      case "official_route_failed":
      case "official_held":
      case "official_doubted":
      case "official_released":
        return countOfficial(counters, happening);
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
        return counters.jobFailures.add({ job: happening.job });
      case "server_started":
      case "server_stopping":
      case "ledger_begun":
      case "notice":
        return;
      default:
        return happening satisfies never;
    }
  };
}

function countCollected(counters: Counters, happening: Extract<Happening, { kind: "collected" }>): void {
  const { source, accepted, revised, withdrawn, milliseconds } = happening;
  counters.collections.add({ source, result: "changed" });
  counters.collectionSeconds.add({ source }, milliseconds / MILLISECONDS);
  // A revision is accepted, too; here each observation counts once.
  counters.observations.add({ source, change: "added" }, accepted - revised);
  counters.observations.add({ source, change: "revised" }, revised);
  counters.observations.add({ source, change: "withdrawn" }, withdrawn);
}
