/** Spans of work that an event reports when it is over: which kinds, under which name, and which of their fields are shown. */

import type { TelemetryEvent } from "#telemetry.ts";
import type { Attributes } from "./otlp.ts";

interface EventSpan {
  readonly name: string;
  readonly milliseconds: number;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

/** Null of an event that reports no work. Details and identities are for the log: an upstream's message may contain anything. */
export function spanOf(event: TelemetryEvent): EventSpan | null {
  switch (event.kind) {
    case "collected": {
      const { source, route, accepted, revised, held, withdrawn } = event;
      const counts = {
        "crossrate.accepted": accepted,
        "crossrate.revised": revised,
        "crossrate.held": held,
        "crossrate.withdrawn": withdrawn,
      };
      return round(event, source, "changed", { "crossrate.route": route, ...counts });
    }
    case "nothing_new":
      return round(event, event.source, event.outcome);
    case "source_failed":
      return round(event, event.source, "failed");
    case "official_collected": {
      const { table, published, corrected } = event;
      const counts = { "crossrate.published": published, "crossrate.corrected": corrected };
      return round(event, table, "changed", counts);
    }
    case "official_nothing_new":
      return round(event, event.table, event.outcome);
    case "official_failed":
      return round(event, event.table, "failed");
    case "lake_committed":
      return plain("lake commit", event, { "crossrate.lake.version": event.version });
    case "history_built":
      return plain("history build", event, {
        "crossrate.lake.version": event.version,
        "crossrate.observations": event.observations,
      });
    case "export_made":
      return plain("export", event, {
        "crossrate.export.format": event.format,
        "crossrate.export.bytes": event.bytes,
      });
    default:
      return null;
  }
}

interface Timed {
  readonly milliseconds: number;
}

function plain(name: string, { milliseconds }: Timed, attributes: Attributes): EventSpan {
  return { name, milliseconds, attributes, isFailed: false };
}

function round({ milliseconds }: Timed, source: string, outcome: string, more: Attributes = {}): EventSpan {
  const attributes = { "crossrate.source": source, "crossrate.outcome": outcome, ...more };
  return { name: `collect ${source}`, milliseconds, attributes, isFailed: outcome === "failed" };
}
