/** Collection, first half: tries routes in order until one can be read. Intact documents are kept and every fault is reported. */

import type { Reading, Window } from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DailyAdapter, Route, Upstream } from "#ports/upstream.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import { type DocumentFault, type DocumentRead, hostTrouble, readDocument, sentence } from "./document.ts";

export interface ReadDocument extends DocumentRead<Reading> {
  /** Name of the route that it counts for. */
  readonly route: string;
}

export interface RouteOutcome {
  readonly route: string;
  readonly read: readonly ReadDocument[];
  /** Documents that a validator matched: their content is in the lake already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  /** The upstream itself is in trouble, so the remaining documents were not requested. */
  readonly abandoned: boolean;
  readonly requests: number;
}

/** Two routes with one voice cannot confirm each other. */
export function voiceOf({ name, voice = name }: Route): string {
  return voice;
}

/** Fetches and reads a route. Upstream trouble is part of the outcome; only errors of the program are thrown. */
export async function followRoute(
  upstream: Upstream,
  route: Route,
  window: Window,
  progress: StageProgress,
): Promise<RouteOutcome> {
  const read: ReadDocument[] = [];
  const faults: DocumentFault[] = [];
  const isInTrouble = hostTrouble();
  let [unchanged, abandoned] = [0, false];
  for (const [index, request] of route.requests.entries()) {
    if (index === 0) progress("documents", 0, route.requests.length);
    const answer = await readDocument(upstream, request, (document) => route.parse(document, window));
    progress("documents", index + 1, route.requests.length);
    if (answer === "unchanged") unchanged += 1;
    else if ("content" in answer) read.push({ ...answer, route: voiceOf(route) });
    else faults.push(answer);
    abandoned = isInTrouble(answer);
    if (abandoned) break;
  }
  return { route: route.name, read, unchanged, faults, abandoned, requests: route.requests.length };
}

export interface Gathered {
  readonly outcome: "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why there is nothing, or what could not be read; null when there is nothing to report. */
  readonly detail: string | null;
  /** Name of the route that was read, and of the one that its statements count for. */
  readonly route: string;
  readonly voice: string;
  /** The readings; judging removes them from the list. */
  readonly read: ReadDocument[];
  /** Every document of a route was read: nothing of the window is missing but what never existed. */
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
  progress: StageProgress,
  refused: string | null = null,
): Promise<Gathered> {
  const read: ReadDocument[] = [];
  const failed: RouteOutcome[] = [];
  const silent: string[] = [];
  for (const route of adapter.routes(window)) {
    if (route.name === refused) continue;
    const outcome = await followRoute(upstream, route, window, progress);
    read.push(...outcome.read);
    if (outcome.faults.length > 0) {
      failed.push(outcome);
      emit({
        kind: "route_failed",
        source: adapter.id,
        route: route.name,
        fault: [...new Set(outcome.faults.map(({ kind }) => kind))].join(", "),
        detail: sentence(outcome),
      });
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
  const found = (outcome: string) => readings.some((reading) => reading.outcome === outcome);
  if (readings.length === 0) return { outcome: "unchanged", detail: faults, route, voice, read, complete };
  if (found("figures")) {
    const notes = readings.flatMap((reading) =>
      reading.outcome === "figures" && reading.note ? [reading.note] : [],
    );
    const text = [...(faults === null ? [] : [faults]), ...notes];
    const detail = text.length === 0 ? null : text.join("; ");
    return { outcome: "figures", detail, route, voice, read, complete };
  }
  const empty = readings.find((reading) => reading.outcome === "empty");
  const text =
    empty?.reason ?? `the authority was closed from ${formatDay(window.from)} to ${formatDay(window.to)}`;
  const detail = faults === null ? text : `${text}; ${faults}`;
  return { outcome: empty === undefined ? "holiday" : "empty", detail, route, voice, read, complete };
}
