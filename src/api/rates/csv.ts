/** CSV answers, made for each request, with the limits, cache lifetime and conditions of the JSON at the same URL. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { cacheFor } from "#api/response/headers.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { newTypePreference } from "#api/response/negotiation.ts";
import type { RangedReads } from "#api/response/ranged-reads.ts";
import { respondFile } from "#api/response/respond.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { Day } from "#domain/time/day.ts";
import type { Query } from "#rates/parameters.ts";
import { choiceOf } from "#rates/parameters.ts";

export interface CsvDeps {
  readonly dataset: () => Dataset | null;
  readonly meter: Meter;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly simulated: boolean;
}

/** A question whose syntax is right. */
export interface CsvQuestion {
  /** See Question of reply.ts. */
  readonly earliest: Day | null;
  /** The text and headers of its own; `delayMinutes` as in reply.ts. */
  answer(delayMinutes: number | undefined): {
    readonly csv: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

export type CsvReply = (
  request: Request,
  maxAgeSeconds: number,
  question: CsvQuestion,
) => Response | Promise<Response>;

export function createCsvReply(deps: CsvDeps): CsvReply {
  return (request, maxAgeSeconds, { earliest, answer }) =>
    deps.meter.run(request, earliest === null ? ONE_CALL : { cost: 1, earliest }, ({ delayMinutes }) => {
      const { csv, headers = {} } = answer(delayMinutes);
      // While a source was never collected, the next answer may have more.
      const lifetime = deps.dataset()?.pending === undefined ? maxAgeSeconds : 0;
      const fields = { mime: "text/csv; charset=utf-8", cacheControl: cacheFor(lifetime), headers };
      return respondFile(request, deps, fields, csv);
    });
}

const preference = newTypePreference([
  ["application/json", "json"],
  ["text/csv", "csv"],
]);

/** Whether Accept, with no `format`, gets JSON. */
export function prefersJson(accept: string | null): boolean {
  return preference(accept) !== "csv";
}

/** Whether CSV is wanted: by `format`, or without it by Accept. Failure `invalid_request` for an unknown format. */
export function wantsCsv(request: Request, query: Query): boolean {
  if (query("format") !== undefined) return choiceOf(query, "format", ["json", "csv"]) === "csv";
  return !prefersJson(request.headers.get("accept"));
}
