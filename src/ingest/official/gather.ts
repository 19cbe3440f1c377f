/** Collection, first half: tries a table's routes in order until one reads whole. Intact documents are kept. */

import { type Correction, contradictionOf } from "#domain/official/doubts.ts";
import { formatDay } from "#domain/time/day.ts";
import {
  type DocumentFault,
  type DocumentRead,
  hostTrouble,
  isOwnFault,
  readDocument,
  sentence,
} from "#ingest/document.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { Upstream, UpstreamDocument } from "#ports/upstream.ts";
import { CollectionStopped, type OfficialIngestDeps, type ReadPublication } from "./deps.ts";

interface OfficialRouteOutcome {
  readonly route: string;
  readonly read: readonly DocumentRead<OfficialParsed>[];
  /** Documents that a validator matched: what they say is in the ledger already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  readonly requests: number;
  /** The faults are the host's, or mean that the address has moved: requests for other days would only wait again. */
  readonly isAway: boolean;
}

/** Fetches and reads a route. Upstream trouble is part of the outcome; throws CollectionStopped, and errors of the program. */
async function followOfficialRoute(
  { isClosing, pause }: Pick<OfficialIngestDeps, "isClosing" | "pause">,
  upstream: Upstream,
  route: OfficialRoute,
  window: OfficialWindow,
  onDocument: () => void,
): Promise<OfficialRouteOutcome> {
  const read: DocumentRead<OfficialParsed>[] = [];
  const faults: DocumentFault[] = [];
  const absent: DocumentFault[] = [];
  const isInTrouble = hostTrouble();
  let unchanged = 0;
  for (const [nth, request] of route.requests.entries()) {
    if (window.reach === "history" && nth > 0) await pause();
    if (isClosing()) throw new CollectionStopped();
    const answer = await readDocument(upstream, request, (document) => route.parse(document, window));
    onDocument();
    if (answer === "unchanged") unchanged += 1;
    else if ("content" in answer) read.push(answer);
    else if (route.mayBeAbsent && answer.kind === "not_found") absent.push(answer);
    else faults.push(answer);
    if (isInTrouble(answer)) break;
  }
  // Nothing but absence: the address has moved, or the window is of days that are not published yet.
  const silent = read.length + unchanged + faults.length === 0;
  const reported = silent && absent[0] !== undefined ? [absent[0]] : faults;
  const isAway = (silent && absent.length > 0) || reported.some((fault) => !isOwnFault(fault));
  return { route: route.name, read, unchanged, faults: reported, requests: route.requests.length, isAway };
}

export interface OfficialGathered {
  /** unchanged: intact and, according to the server, as it was last time. */
  readonly outcome: "publications" | "empty" | "unchanged" | "failed";
  /** Why there is nothing, or what could not be read; null when there is nothing to report. */
  readonly detail: string | null;
  /** By validity and name, each once. */
  readonly read: readonly ReadPublication[];
  /** Documents to be remembered once what they say is durable. */
  readonly documents: readonly UpstreamDocument[];
  /** Every document of a route was read. */
  readonly complete: boolean;
  /** Nothing could be read by any route, and not because a single document is missing or broken. */
  readonly isAway: boolean;
}

/** Upstream trouble becomes the outcome. Throws CollectionStopped, and errors of the program. */
export async function gatherOfficial(
  deps: Pick<OfficialIngestDeps, "isClosing" | "pause" | "emit">,
  upstream: Upstream,
  table: OfficialAdapter,
  window: OfficialWindow,
  onDocument: () => void,
): Promise<OfficialGathered> {
  const routes = table.routes(window);
  if (routes.every(({ requests }) => requests.length === 0)) {
    const detail = `there is nothing to request from ${formatDay(window.from)} to ${formatDay(window.to)}`;
    return { outcome: "empty", detail, read: [], documents: [], complete: true, isAway: false };
  }
  const partial: OfficialRouteOutcome[] = [];
  for (const route of routes) {
    const outcome = await followOfficialRoute(deps, upstream, route, window, onDocument);
    if (outcome.faults.length === 0) return conclude([outcome, ...partial], null, true);
    partial.push(outcome);
    const fault = [...new Set(outcome.faults.map(({ kind }) => kind))].join(", ");
    const detail = sentence(outcome);
    deps.emit({ kind: "official_route_failed", table: table.id, route: route.name, fault, detail });
  }
  return conclude(partial, partial.map(sentence).join("; "), false);
}

/** A publication is taken from the first route that has it; the route that was read whole comes first. */
function conclude(
  outcomes: readonly OfficialRouteOutcome[],
  faults: string | null,
  complete: boolean,
): OfficialGathered {
  const read = inOrder(outcomes.flatMap(publicationsOf));
  const intact = outcomes.flatMap((outcome) => outcome.read);
  const isAway = outcomes.every((outcome) => outcome.isAway);
  const documents = intact.map(({ document }) => document);
  const rest = { read, documents, complete, isAway };
  if (read.length > 0) {
    const notes = intact.flatMap(({ content: parsed }) =>
      parsed.outcome === "publications" && parsed.note ? [parsed.note] : [],
    );
    const text = [...(faults === null ? [] : [faults]), ...new Set(notes)].join("; ");
    return { ...rest, outcome: "publications", detail: text === "" ? null : text };
  }
  const empty = intact.flatMap(({ content: parsed }) => (parsed.outcome === "empty" ? [parsed.reason] : []));
  const isUnchanged = outcomes.some(({ unchanged }) => unchanged > 0);
  if (isUnchanged && (complete || empty.length === 0))
    return { ...rest, outcome: "unchanged", detail: faults };
  // A document that was not read may have what those that are empty have not.
  if (faults !== null || empty[0] === undefined) {
    return { ...rest, outcome: "failed", detail: faults ?? "no document" };
  }
  return { ...rest, outcome: "empty", detail: empty[0] };
}

function publicationsOf({ route, read }: OfficialRouteOutcome): readonly ReadPublication[] {
  return read.flatMap(({ document, content: parsed }) =>
    parsed.outcome === "empty"
      ? []
      : parsed.publications.map((reading) => ({ reading, document, route, contradiction: null })),
  );
}

/** Ascending, so that a publication is judged by the one before it; of one that is there twice the first counts, and the other may contradict it. */
function inOrder(read: readonly ReadPublication[]): readonly ReadPublication[] {
  const byName = new Map<string, ReadPublication>();
  for (const one of read) {
    const { publication } = one.reading;
    const first = byName.get(publication);
    if (first === undefined) {
      byName.set(publication, one);
      continue;
    }
    const contradiction = first.contradiction ?? contradictionOf(first.reading, one.reading, one.route);
    byName.set(publication, { ...first, contradiction });
  }
  return [...byName.values()].sort(
    ({ reading: a }, { reading: b }) => a.validFrom - b.validFrom || (a.publication < b.publication ? -1 : 1),
  );
}

/**
 * Asks the table's other routes about a publication; the first that has it answers, null where none does. Upstream trouble is no
 * answer. Throws CollectionStopped, and errors of the program.
 */
export async function readElsewhere(
  deps: Pick<OfficialIngestDeps, "isClosing" | "pause">,
  upstream: Upstream,
  table: OfficialAdapter,
  { reading: { publication, validFrom: day }, route: own }: ReadPublication,
): Promise<Correction["elsewhere"]> {
  const windows = (["recent", "latest"] as const).map((reach) => ({ reach, from: day, to: day }));
  const asked = new Set([own]);
  for (const window of windows) {
    for (const route of table.routes(window)) {
      if (asked.has(route.name)) continue;
      asked.add(route.name);
      const outcome = await followOfficialRoute(deps, upstream, route, window, () => {});
      const found = publicationsOf(outcome).find(({ reading }) => reading.publication === publication);
      if (found !== undefined) return found;
    }
  }
  return null;
}
