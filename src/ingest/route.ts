/** One route of a source: its documents one after the other, each read on its own, until the host is in trouble. */

import type { Reading, Window } from "#domain/point-in-time/reading.ts";
import type { Route, Upstream } from "#ports.ts";
import type { StageProgress } from "./deps.ts";
import { type DocumentFault, type DocumentRead, hostTrouble, readDocument } from "./document.ts";

export interface ReadDocument extends DocumentRead<Reading> {
  /** Name of the route whose words it has. */
  readonly route: string;
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
    else if ("said" in answer) read.push({ ...answer, route: voiceOf(route) });
    else faults.push(answer);
    abandoned = isInTrouble(answer);
    if (abandoned) break;
  }
  return { route: route.name, read, unchanged, faults, abandoned, requests: route.requests.length };
}
