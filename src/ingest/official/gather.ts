/** Gathers the publications of an official table: tries its routes in order until one reads whole. Intact documents are kept. */

import type { Window } from "#domain/intake/reading.ts";
import { type CorrectionFault, contradictionOf } from "#domain/official/doubts.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import { followRoute, type RouteOutcome, routeFault, sentence } from "#ingest/routes.ts";
import type { Installation } from "#ports/ledger.ts";
import type { OfficialAdapter, OfficialParsed, Publications } from "#ports/official.ts";
import type { Route, Upstream, UpstreamDocument } from "#ports/upstream.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

/** The dependencies of collecting official tables. */
export interface OfficialIngestDeps {
  readonly tables: readonly OfficialAdapter[];
  /** A client for each reach, each with its own validators: a document without news for a window of days has much for a window of years. */
  readonly upstreamFor: (reach: Window["reach"]) => Upstream;
  /** Replaces the clients: each document is new to the next ones. */
  readonly forget: () => void;
  readonly publications: Publications;
  /** Its publish rejects with CollectionStopped once another process does this work. */
  readonly outbox: Pick<Outbox, "publish">;
  /** Notes of a table's state and its held publications: a restart must not publish a held one early. */
  readonly notes: Pick<Installation, "read" | "write">;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Waits between two documents of a history. There may be thousands, and an authority has others to answer, too. */
  readonly pause: () => Promise<void>;
  /** Aborted with CollectionStopped when this process closes; checked before every document and write. */
  readonly closing: AbortSignal;
}

/** Thrown when this process closes, or another one does the work now: the next collection publishes the rest. */
export class CollectionStopped extends Error {
  override readonly name = "CollectionStopped";
  override readonly message = "the collection was stopped";
}

export interface ReadPublication {
  readonly reading: OfficialReading;
  readonly document: Pick<UpstreamDocument, "url" | "sha256" | "retrievedAt">;
  readonly route: string;
  /** How another route of the same collection contradicts it; null where no route does. */
  readonly contradiction: CorrectionFault | null;
}

type Outcome = RouteOutcome<OfficialParsed>;

export interface OfficialGathered {
  /** unchanged: intact and, according to the server, as it was last time. */
  readonly outcome: "publications" | "empty" | "unchanged" | "failed";
  /** Why there is nothing, or what could not be read; null when there is nothing to report. */
  readonly detail: string | null;
  /** Ordered by validity and name, each once. */
  readonly read: readonly ReadPublication[];
  /** Documents to be remembered once their content is durable. */
  readonly documents: readonly UpstreamDocument[];
  /** Every document of a route was read. */
  readonly complete: boolean;
  /** Every route is away: requests for other windows would only wait again. */
  readonly isAway: boolean;
}

/** Upstream trouble becomes the outcome. Throws CollectionStopped, and errors of the program. */
export async function gatherOfficial(
  deps: Pick<OfficialIngestDeps, "closing" | "pause" | "emit">,
  upstream: Upstream,
  table: OfficialAdapter,
  window: Window,
  onDocument: () => void,
): Promise<OfficialGathered> {
  const routes = table.routes(window);
  if (routes.every(({ requests }) => requests.length === 0)) {
    const detail = `there is nothing to request from ${formatDay(window.from)} to ${formatDay(window.to)}`;
    return { outcome: "empty", detail, read: [], documents: [], complete: true, isAway: false };
  }
  const partial: Outcome[] = [];
  for (const route of routes) {
    const outcome = await follow(deps, upstream, route, window, onDocument);
    if (outcome.faults.length === 0) return conclude([outcome, ...partial], null, true);
    partial.push(outcome);
    deps.emit({ kind: "official_route_failed", table: table.id, ...routeFault(outcome) });
  }
  return conclude(partial, partial.map(sentence).join("; "), false);
}

async function follow(
  { closing, pause }: Pick<OfficialIngestDeps, "closing" | "pause">,
  upstream: Upstream,
  route: Route<OfficialParsed>,
  window: Window,
  onDocument: () => void = () => {},
): Promise<Outcome> {
  return await followRoute(upstream, route, window, {
    before: async (nth) => {
      if (window.reach === "history" && nth > 0) await pause();
      closing.throwIfAborted();
    },
    progress: (done) => {
      if (done > 0) onDocument();
    },
  });
}

/** A publication is taken from the first route that has it; the route that was read whole comes first. */
function conclude(outcomes: readonly Outcome[], faults: string | null, complete: boolean): OfficialGathered {
  const read = inOrder(outcomes.flatMap(publicationsOf));
  const intact = outcomes.flatMap((outcome) => outcome.read);
  const isAway = outcomes.every((outcome) => outcome.isAway);
  const gathered = { read, documents: intact.map(({ document }) => document), complete, isAway };
  if (read.length > 0) {
    const notes = intact.map(({ content }) => (content.outcome === "publications" ? content.note : null));
    const texts = [...new Set([faults, ...notes])].filter((text) => text);
    return { ...gathered, outcome: "publications", detail: texts.join("; ") || null };
  }
  const empty = intact.flatMap(({ content }) => (content.outcome === "empty" ? [content.reason] : []));
  const isUnchanged = outcomes.some(({ unchanged }) => unchanged > 0);
  if (isUnchanged && (complete || empty.length === 0))
    return { ...gathered, outcome: "unchanged", detail: faults };
  // A document that was not read may have publications that the empty ones lack.
  if (faults !== null || empty[0] === undefined)
    return { ...gathered, outcome: "failed", detail: faults ?? "no document" };
  return { ...gathered, outcome: "empty", detail: empty[0] };
}

function publicationsOf({ route, read }: Outcome): readonly ReadPublication[] {
  return read.flatMap(({ document, content }) =>
    content.outcome === "empty"
      ? []
      : content.publications.map((reading) => ({ reading, document, route, contradiction: null })),
  );
}

/**
 * Ascending, because a publication is judged by the one before it, and each once: of duplicates the first counts, and the others may
 * contradict it.
 */
function inOrder(read: readonly ReadPublication[]): readonly ReadPublication[] {
  const once = [...Map.groupBy(read, ({ reading }) => reading.publication).values()].map(
    ([first, ...others]) => {
      const { reading } = first as ReadPublication;
      const contradictions = others.map((other) => contradictionOf(reading, other.reading, other.route));
      const contradiction = contradictions.find((fault) => fault !== null) ?? null;
      return { ...(first as ReadPublication), contradiction };
    },
  );
  return once.sort(
    ({ reading: a }, { reading: b }) => a.validFrom - b.validFrom || (a.publication < b.publication ? -1 : 1),
  );
}

/**
 * Asks the table's other routes about a publication. The first route that has it answers; null if no route has it, or upstreams fail.
 * Throws CollectionStopped, and errors of the program.
 */
export async function readElsewhere(
  deps: Pick<OfficialIngestDeps, "closing" | "pause">,
  upstream: Upstream,
  table: OfficialAdapter,
  { reading: { publication, validFrom: day }, route: own }: ReadPublication,
) {
  const asked = new Set([own]);
  for (const reach of ["recent", "latest"] as const) {
    const window = { reach, from: day, to: day };
    for (const route of table.routes(window)) {
      if (asked.has(route.name)) continue;
      asked.add(route.name);
      const outcome = await follow(deps, upstream, route, window);
      const other = publicationsOf(outcome).find(({ reading }) => reading.publication === publication);
      if (other !== undefined) return other;
    }
  }
  return null;
}
