/** Collection, first half: routes in order until one reads; everything intact is kept, every fault is told. */

import type { Window } from "#domain/point-in-time/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DailyAdapter, Route } from "#ports.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import type { DocumentFault } from "./document.ts";
import { followRoute, type ReadDocument, type RouteOutcome } from "./route.ts";

export interface Gathered {
  readonly outcome: "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why there is nothing, or what could not be read; null when there is nothing to say. */
  readonly detail: string | null;
  /** Name of the route that read, and of the one whose words it has. */
  readonly route: string;
  readonly voice: string;
  /** The readings: who judges them takes them out. */
  readonly read: ReadDocument[];
  /** Every document of a route was read: nothing of the window is missing but what never existed. */
  readonly complete: boolean;
}

const MOST_FAULTS_TOLD = 3;

/** Upstream trouble becomes the outcome. A route that ends half-way keeps what it read, and the next one is tried. */
export async function gather(
  { upstream, tell }: Pick<IngestDeps, "upstream" | "tell">,
  adapter: DailyAdapter,
  window: Window,
  progress: StageProgress,
): Promise<Gathered> {
  const read: ReadDocument[] = [];
  const failed: RouteOutcome[] = [];
  for (const route of adapter.routes(window)) {
    const outcome = await followRoute(upstream, route, window, progress);
    read.push(...outcome.read);
    if (outcome.faults.length > 0) {
      failed.push(outcome);
      tell({
        kind: "route_failed",
        source: adapter.id,
        route: route.name,
        fault: [...new Set(outcome.faults.map(({ kind }) => kind))].join(", "),
        detail: sentence(outcome),
      });
    }
    if (!outcome.abandoned && outcome.read.length + outcome.unchanged > 0) {
      const lost = outcome.faults.filter(({ kind }) => kind !== "not_found");
      return conclude(
        read,
        route,
        outcome.faults.length > 0 ? sentence(outcome) : null,
        lost.length === 0,
        window,
      );
    }
  }
  const detail = failed.map(sentence).join("; ");
  const begun = failed.find((outcome) => outcome.read.length > 0);
  if (begun !== undefined) return conclude(read, { name: begun.route }, detail, false, window);
  const said = detail === "" ? "no route" : detail;
  return { outcome: "failed", detail: said, route: "", voice: "", read, complete: false };
}

function conclude(
  read: ReadDocument[],
  { name: route, voice = route }: Pick<Route, "name" | "voice">,
  faults: string | null,
  complete: boolean,
  window: Window,
): Gathered {
  const readings = read.map(({ said }) => said);
  const found = (outcome: string) => readings.some((reading) => reading.outcome === outcome);
  if (readings.length === 0) return { outcome: "unchanged", detail: faults, route, voice, read, complete };
  if (found("figures")) {
    const notes = readings.flatMap((reading) =>
      reading.outcome === "figures" && reading.note ? [reading.note] : [],
    );
    const said = [...(faults === null ? [] : [faults]), ...notes];
    const detail = said.length === 0 ? null : said.join("; ");
    return { outcome: "figures", detail, route, voice, read, complete };
  }
  const empty = readings.find((reading) => reading.outcome === "empty");
  const said =
    empty?.reason ?? `the authority was closed from ${formatDay(window.from)} to ${formatDay(window.to)}`;
  const detail = faults === null ? said : `${said}; ${faults}`;
  return { outcome: empty === undefined ? "holiday" : "empty", detail, route, voice, read, complete };
}

/** `daily XML: timeout: https://… is not complete after 20 s`; of many faults the first few. */
export function sentence({ route, faults, requests, abandoned }: RouteOutcome): string {
  const told = faults
    .slice(0, MOST_FAULTS_TOLD)
    .map(({ kind, detail }: DocumentFault) => `${kind}: ${detail}`);
  if (faults.length > MOST_FAULTS_TOLD) told.push(`and ${faults.length - MOST_FAULTS_TOLD} more`);
  const share = requests === 1 ? "" : ` (${faults.length} of ${requests} documents failed)`;
  return `${route}${share}${abandoned && requests > 1 ? ", given up" : ""}: ${told.join("; ")}`;
}
