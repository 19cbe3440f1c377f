/** One route of a table: its documents one after the other, each read on its own, until the host is in trouble. */

import {
  type DocumentFault,
  type DocumentRead,
  hostTrouble,
  isOwnFault,
  readDocument,
} from "#ingest/document.ts";
import type { OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { Upstream } from "#ports.ts";
import { CollectionStopped, type OfficialIngestDeps } from "./deps.ts";

export interface OfficialRouteOutcome {
  readonly route: string;
  readonly read: readonly DocumentRead<OfficialParsed>[];
  /** Documents that a validator matched: what they say is in the ledger already. */
  readonly unchanged: number;
  readonly faults: readonly DocumentFault[];
  readonly requests: number;
  /** The faults are the host's, or say that the address has moved: asking about other days would only wait again. */
  readonly isAway: boolean;
}

/** Fetches and reads a route. Upstream trouble is part of the outcome; throws CollectionStopped, and errors of the program. */
export async function followOfficialRoute(
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
    else if ("said" in answer) read.push(answer);
    else if (route.mayBeAbsent && answer.kind === "not_found") absent.push(answer);
    else faults.push(answer);
    if (isInTrouble(answer)) break;
  }
  // Nothing but absence: the address has moved, or the window is of days that are not published yet.
  const silent = read.length + unchanged + faults.length === 0;
  const told = silent && absent[0] !== undefined ? [absent[0]] : faults;
  const isAway = (silent && absent.length > 0) || told.some((fault) => !isOwnFault(fault));
  return { route: route.name, read, unchanged, faults: told, requests: route.requests.length, isAway };
}
