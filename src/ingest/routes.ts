/** The first steps of every collection, route → fetch → parse: a route's documents, each read whole or with a named fault. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { Route, Upstream, UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";

export interface DocumentRead<Content> {
  readonly document: UpstreamDocument;
  readonly content: Content;
  /** The voice of the route that delivered it. */
  readonly route: string;
}

interface DocumentFault {
  /** Kind of the upstream's fault, or `broken_document`. */
  readonly kind: string;
  /** One sentence with the document's address. */
  readonly detail: string;
}

export interface RouteOutcome<Content> {
  readonly route: string;
  readonly read: readonly DocumentRead<Content>[];
  /** Documents that a validator matched: their content is stored already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  readonly requests: number;
  /** The upstream itself is in trouble, so the remaining documents were not requested. */
  readonly abandoned: boolean;
  /** Requests for other days would only wait again: the faults are the host's, or the address has moved. */
  readonly isAway: boolean;
}

interface FollowOptions {
  /** Called before each request; a rejection ends the route. */
  readonly before?: (nth: number) => Promise<void>;
  /** Receives how many of the documents are read or known to be unchanged, 0 at the beginning. */
  readonly progress?: (done: number, total: number) => void;
}

/** Faults of the host rather than of one document: the next request would only wait again. */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "connection",
  "timeout",
  "refused_credentials",
  "rate_limited",
  "clock",
]);
/** This many refusals in a row are the host's fault too; a missing or broken document is a separate fault. */
const MOST_REFUSALS_IN_A_ROW = 3;
/** Faults of one document alone: the host may well have others. */
const OWN_FAULTS: ReadonlySet<string> = new Set(["broken_document", "not_found"]);

/** Two routes with one voice cannot confirm each other. */
export function voiceOf({ name, voice = name }: Pick<Route, "name" | "voice">): string {
  return voice;
}

/** Fetches and reads a route. Upstream trouble is part of the outcome; only errors of the program, and of `before`, are thrown. */
export async function followRoute<Content>(
  upstream: Upstream,
  route: Route<Content>,
  window: Window,
  { before, progress }: FollowOptions = {},
): Promise<RouteOutcome<Content>> {
  const { name, requests, mayBeAbsent = false } = route;
  const read: DocumentRead<Content>[] = [];
  const faults: DocumentFault[] = [];
  const absent: DocumentFault[] = [];
  let [unchanged, refusals, abandoned] = [0, 0, false];
  for (const [nth, request] of requests.entries()) {
    await before?.(nth);
    if (nth === 0) progress?.(0, requests.length);
    const answer = await readDocument(upstream, request, (document) => route.parse(document, window));
    if (answer === "unchanged") unchanged += 1;
    else if ("content" in answer) read.push({ ...answer, route: voiceOf(route) });
    else if (mayBeAbsent && answer.kind === "not_found") absent.push(answer);
    else faults.push(answer);
    // A document that could not be read is not done.
    progress?.(nth + 1 - faults.length, requests.length);
    const kind = answer !== "unchanged" && "kind" in answer ? answer.kind : null;
    refusals = kind === null || OWN_FAULTS.has(kind) ? 0 : refusals + 1;
    abandoned = (kind !== null && HOST_FAULTS.has(kind)) || refusals === MOST_REFUSALS_IN_A_ROW;
    if (abandoned) break;
  }
  // Every document is absent: the address has moved, or the days are not published yet.
  const isAbsent = absent.length > 0 && read.length + unchanged + faults.length === 0;
  const reported = isAbsent ? absent.slice(0, 1) : faults;
  const isAway = isAbsent || faults.some(({ kind }) => !OWN_FAULTS.has(kind));
  return { route: name, read, unchanged, faults: reported, requests: requests.length, abandoned, isAway };
}

/** "unchanged" where a validator matched. */
async function readDocument<Content>(
  upstream: Upstream,
  request: UpstreamRequest,
  parse: (document: UpstreamDocument) => Content,
): Promise<Omit<DocumentRead<Content>, "route"> | DocumentFault | "unchanged"> {
  try {
    const document = await upstream.get(request);
    return document === "unchanged" ? document : { document, content: parse(document) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { kind: error.kind, detail: error.message };
    if (error instanceof BrokenDocument)
      return { kind: "broken_document", detail: `${request.url}: ${error.message}` };
    throw error;
  }
}

const MOST_FAULTS_LISTED = 3;

/** `daily XML: timeout: https://… is not complete after 20 s`; of many faults the first few. */
export function sentence({ route, faults, requests, abandoned }: RouteOutcome<unknown>): string {
  const listed = faults.slice(0, MOST_FAULTS_LISTED).map(({ kind, detail }) => `${kind}: ${detail}`);
  if (faults.length > MOST_FAULTS_LISTED) listed.push(`and ${faults.length - MOST_FAULTS_LISTED} more`);
  const share = requests === 1 ? "" : ` (${faults.length} of ${requests} documents failed)`;
  return `${route}${share}${abandoned && requests > 1 ? ", given up" : ""}: ${listed.join("; ")}`;
}

export function routeFault(outcome: RouteOutcome<unknown>) {
  const fault = [...new Set(outcome.faults.map(({ kind }) => kind))].join(", ");
  return { route: outcome.route, fault, detail: sentence(outcome) };
}
