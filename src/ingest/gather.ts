/** Gathers the documents of a daily source: tries its routes in order until one can be read. Every fault is reported. */

import type { Reading, Window } from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DailyAdapter, Route, Upstream } from "#ports/upstream.ts";
import type { Clock, Lake } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import {
  type DocumentRead,
  followRoute,
  type RouteOutcome,
  routeFault,
  sentence,
  voiceOf,
} from "./routes.ts";

/** The dependencies of ingest: stores, upstreams, and how progress is reported. */
export interface IngestDeps {
  readonly lake: Pick<Lake, "read" | "commit">;
  readonly upstream: Upstream;
  readonly adapters: readonly DailyAdapter[];
  readonly clock: Clock;
  readonly emit: Emit;
  /** Called after a commit that changed the dataset, with its new version; the collection waits for it. */
  readonly onCommitted: (version: string) => Promise<void> | void;
}

/** Receives how many documents of a collection were read. */
export type Progress = (done: number, total: number) => void;

export type ReadDocument = DocumentRead<Reading>;

export interface Gathered {
  readonly outcome: "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why there is nothing, or what could not be read; null when there is nothing to report. */
  readonly detail: string | null;
  /** The route that was read, and the voice that its statements count for. */
  readonly route: string;
  readonly voice: string;
  /** The readings; judging removes them from the list. */
  readonly read: ReadDocument[];
  /** Every document of a route was read: the window lacks only what never existed. */
  readonly complete: boolean;
  /** Routes that were asked and gave nothing. */
  readonly silent: readonly string[];
}

/**
 * Upstream trouble becomes the outcome. A route that ends half-way keeps what it read, and the next one is tried. Routes with the name
 * `refused` are left out.
 */
export async function gather(
  { upstream, emit }: Pick<IngestDeps, "upstream" | "emit">,
  adapter: DailyAdapter,
  window: Window,
  progress: Progress,
  refused: string | null = null,
): Promise<Gathered> {
  const read: ReadDocument[] = [];
  const failed: RouteOutcome<Reading>[] = [];
  const silent: string[] = [];
  for (const route of adapter.routes(window)) {
    if (route.name === refused) continue;
    const outcome = await followRoute(upstream, route, window, { progress });
    read.push(...outcome.read);
    if (outcome.faults.length > 0) {
      failed.push(outcome);
      emit({ kind: "route_failed", source: adapter.id, ...routeFault(outcome) });
    }
    if (!outcome.abandoned && outcome.read.length + outcome.unchanged > 0) {
      const lost = outcome.faults.filter(({ kind }) => kind !== "not_found");
      const faults = outcome.faults.length > 0 ? sentence(outcome) : null;
      return { ...conclude(read, route, faults, lost.length === 0, window), silent };
    }
    if (outcome.read.length === 0) silent.push(voiceOf(route));
  }
  const detail = failed.map(sentence).join("; ");
  const begun = failed.find((outcome) => outcome.read.length > 0);
  if (begun !== undefined) return { ...conclude(read, { name: begun.route }, detail, false, window), silent };
  const text = detail === "" ? "no route" : detail;
  return { outcome: "failed", detail: text, route: "", voice: "", read, complete: false, silent };
}

function conclude(
  read: ReadDocument[],
  { name: route, voice = route }: Pick<Route, "name" | "voice">,
  faults: string | null,
  complete: boolean,
  window: Window,
): Omit<Gathered, "silent"> {
  const readings = read.map(({ content }) => content);
  const gathered = { route, voice, read, complete };
  if (readings.length === 0) return { ...gathered, outcome: "unchanged", detail: faults };
  const withFigures = readings.filter((reading) => reading.outcome === "figures");
  if (withFigures.length > 0) {
    const texts = [faults, ...withFigures.map(({ note }) => note)].filter((text) => text);
    return { ...gathered, outcome: "figures", detail: texts.join("; ") || null };
  }
  const empty = readings.find((reading) => reading.outcome === "empty");
  const text =
    empty?.reason ?? `the authority was closed from ${formatDay(window.from)} to ${formatDay(window.to)}`;
  const detail = faults === null ? text : `${text}; ${faults}`;
  return { ...gathered, outcome: empty === undefined ? "holiday" : "empty", detail };
}
