/** One route of a table: its documents one after the other, each read on its own, each fault named. */

import { BrokenDocument, UpstreamFault } from "#domain/faults.ts";
import type { OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { Upstream, UpstreamDocument, UpstreamRequest } from "#ports.ts";
import { CollectionStopped, type OfficialIngestDeps } from "./deps.ts";

interface ReadDocument {
  readonly document: UpstreamDocument;
  readonly parsed: OfficialParsed;
}

interface DocumentFault {
  /** Kind of the upstream's fault, or `broken_document`. */
  readonly kind: string;
  /** One sentence with the document's address. */
  readonly detail: string;
}

export interface OfficialRouteOutcome {
  readonly route: string;
  readonly read: readonly ReadDocument[];
  /** Documents that a validator matched: what they say is in the ledger already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  readonly requests: number;
}

/** Faults of the host rather than of one document: asking it for the next document would only wait again. */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "connection",
  "timeout",
  "refused_credentials",
  "rate_limited",
]);
/** So many refusals in a row are the host's fault too. */
const MOST_REFUSALS_IN_A_ROW = 3;
const OWN_FAULTS: ReadonlySet<string> = new Set(["broken_document", "not_found"]);

/** Fetches and reads a route. Upstream trouble is part of the outcome; throws CollectionStopped, and errors of the program. */
export async function followOfficialRoute(
  { isClosing, pause }: Pick<OfficialIngestDeps, "isClosing" | "pause">,
  upstream: Upstream,
  route: OfficialRoute,
  window: OfficialWindow,
  onDocument: () => void,
): Promise<OfficialRouteOutcome> {
  const read: ReadDocument[] = [];
  const faults: DocumentFault[] = [];
  const absent: DocumentFault[] = [];
  let [unchanged, refusals] = [0, 0];
  for (const [nth, request] of route.requests.entries()) {
    if (window.reach === "history" && nth > 0) await pause();
    if (isClosing()) throw new CollectionStopped();
    const answer = await readOne(upstream, route, request, window);
    onDocument();
    if (answer === "unchanged") unchanged += 1;
    else if ("parsed" in answer) read.push(answer);
    else if (route.mayBeAbsent && answer.kind === "not_found") absent.push(answer);
    else faults.push(answer);
    const refused = answer !== "unchanged" && "kind" in answer && !OWN_FAULTS.has(answer.kind);
    refusals = refused ? refusals + 1 : 0;
    if (refused && (HOST_FAULTS.has(answer.kind) || refusals === MOST_REFUSALS_IN_A_ROW)) break;
  }
  // Nothing but absence: the address has moved, or the window is of days that are not published yet.
  const silent = read.length + unchanged + faults.length === 0;
  const told = silent && absent[0] !== undefined ? [absent[0]] : faults;
  return { route: route.name, read, unchanged, faults: told, requests: route.requests.length };
}

async function readOne(
  upstream: Upstream,
  route: OfficialRoute,
  request: UpstreamRequest,
  window: OfficialWindow,
): Promise<ReadDocument | DocumentFault | "unchanged"> {
  try {
    const document = await upstream.get(request);
    if (document === "unchanged") return "unchanged";
    return { document, parsed: route.parse(document, window) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { kind: error.kind, detail: error.message };
    if (error instanceof BrokenDocument) {
      return { kind: "broken_document", detail: `${request.url}: ${error.message}` };
    }
    throw error;
  }
}
