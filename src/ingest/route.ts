/** One route of a source: its documents fetched one after the other, each read on its own, each fault named. */

import { BrokenDocument, UpstreamFault } from "#domain/faults.ts";
import type { Reading, Window } from "#domain/reading.ts";
import type { Route, Upstream, UpstreamDocument, UpstreamRequest } from "#ports.ts";
import type { StageProgress } from "./deps.ts";

export interface ReadDocument {
  readonly document: UpstreamDocument;
  readonly reading: Reading;
}

export interface DocumentFault {
  /** Kind of the upstream's fault, or `broken_document`. */
  readonly kind: string;
  /** One sentence with the document's address. */
  readonly detail: string;
}

export interface RouteOutcome {
  readonly route: string;
  readonly read: readonly ReadDocument[];
  /** Documents that a validator matched: what they say is in the lake already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  /** The upstream itself is in trouble, so the rest of the documents was not asked for. */
  readonly abandoned: boolean;
  readonly requests: number;
}

/** Faults of the host rather than of one document: asking it for the next document would only wait again. */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "connection",
  "timeout",
  "refused_credentials",
  "rate_limited",
]);
/** So many refusals in a row are the host's fault too; a document that is missing or broken speaks only for itself. */
const MOST_FAULTS_IN_A_ROW = 3;

const OWN_FAULTS: ReadonlySet<string> = new Set(["broken_document", "not_found"]);

/** Fetches and reads a route. Upstream trouble is part of the outcome; only errors of the program are thrown. */
export async function followRoute(
  upstream: Upstream,
  route: Route,
  window: Window,
  progress: StageProgress,
): Promise<RouteOutcome> {
  const read: ReadDocument[] = [];
  const faults: DocumentFault[] = [];
  let [unchanged, inARow, abandoned] = [0, 0, false];
  for (const [index, request] of route.requests.entries()) {
    if (index === 0) progress("documents", 0, route.requests.length);
    const answer = await readOne(upstream, route, request, window);
    progress("documents", index + 1, route.requests.length);
    if (answer === "unchanged") unchanged += 1;
    else if ("reading" in answer) read.push(answer);
    else faults.push(answer);
    inARow = answer !== "unchanged" && "kind" in answer && !OWN_FAULTS.has(answer.kind) ? inARow + 1 : 0;
    if (inARow > 0 && (HOST_FAULTS.has(faults.at(-1)?.kind ?? "") || inARow === MOST_FAULTS_IN_A_ROW)) {
      abandoned = true;
      break;
    }
  }
  return { route: route.name, read, unchanged, faults, abandoned, requests: route.requests.length };
}

async function readOne(
  upstream: Upstream,
  route: Route,
  request: UpstreamRequest,
  window: Window,
): Promise<ReadDocument | DocumentFault | "unchanged"> {
  try {
    const document = await upstream.get(request);
    if (document === "unchanged") return "unchanged";
    return { document, reading: route.parse(document, window) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { kind: error.kind, detail: error.message };
    if (error instanceof BrokenDocument) {
      return { kind: "broken_document", detail: `${request.url}: ${error.message}` };
    }
    throw error;
  }
}
