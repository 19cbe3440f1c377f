/** Success answers of the compatible routes: the other service's body, and our provenance in headers. */

import type { ComputeTurns } from "#api/response/compute-turns.ts";
import type { RangedReads } from "#api/response/conditions.ts";
import { cacheFor, modeOf } from "#api/response/headers.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { respondText } from "#api/response/respond.ts";
import type { Dataset, Simulated } from "#domain/dataset/dataset.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";

export interface Origin {
  /** The least fresh contributing source. */
  readonly source: string | null;
  /** Time of the oldest contributing observation; null without an observation. */
  readonly dataUpdatedAt: Instant | null;
  /** Which of its rates are simulated; absent where it has no rates. */
  readonly simulated?: Simulated;
}

export const NO_ORIGIN: Origin = { source: null, dataUpdatedAt: null };

export interface Answer {
  readonly text: string;
  /** application/json by default. */
  readonly mime?: string;
  readonly origin: Origin;
  /** With 0 the answer is never stored. */
  readonly maxAgeSeconds: number;
  /** Requested currencies that are not in the catalog, and so not in the body. */
  readonly unavailable?: readonly string[];
  /** A file of lines, which programs read by its URL and in parts. */
  readonly isFile?: boolean;
}

export interface AnswerDeps {
  readonly simulated: boolean;
  readonly dataset: () => Dataset | null;
  readonly turns: ComputeTurns;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly callerOf: (request: Request) => string;
}

const JSON_MIME = "application/json; charset=utf-8";

/** Answers 200 with an ETag over the whole body, or 304 when the caller has it already. */
export async function answer(
  { dataset, reads, ...deps }: AnswerDeps,
  request: Request,
  { text, mime = JSON_MIME, origin, maxAgeSeconds, unavailable = [], isFile = false }: Answer,
): Promise<Response> {
  // Data that was never collected may arrive at any moment.
  const isIncomplete = dataset()?.pending !== undefined;
  const lifetime = maxAgeSeconds === 0 ? "no-store" : cacheFor(maxAgeSeconds);
  const headers = {
    ...(origin.simulated === undefined ? {} : modeOf(origin.simulated)),
    ...(origin.source === null ? {} : { "X-Source": origin.source }),
    ...(origin.dataUpdatedAt === null ? {} : { "X-Data-Updated-At": formatInstant(origin.dataUpdatedAt) }),
    ...(unavailable.length === 0 ? {} : { "X-Unavailable-Symbols": unavailable.join(",") }),
  };
  const fields = { mime, cacheControl: isIncomplete ? "no-cache" : lifetime, headers };
  return await respondText(request, deps, fields, text, isFile ? reads : null);
}

/** Runs a computation of several steps, each in its turn; see ComputeTurns. */
export function runSteps<T>(
  { turns, callerOf }: Pick<AnswerDeps, "turns" | "callerOf">,
  request: Request,
  steps: Iterator<unknown, T>,
): Promise<T> {
  return turns.run(callerOf(request), request.signal, steps);
}
