/** GET /site/provenance/{from}/{to}: where a number on a page comes from, as a fragment of HTML. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { parsePair } from "#domain/currency/pair.ts";
import type { Explanation } from "#domain/explain/explanation.ts";
import type { Day } from "#domain/time/day.ts";
import { type ExplainDeps, explain } from "#rates/explain/explain.ts";
import { dateOf } from "#rates/parameters.ts";
import { provenanceFragment } from "#web/provenance/provenance.tsx";
import type { Frame } from "./frame.ts";

export interface ProvenanceDeps extends ExplainDeps {
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
  /** Minutes that live rates are held back. */
  readonly pageDelayMinutes: number;
}

/** The explanation of one number; files of the lake are read for one caller at a time. */
export function explained(
  deps: ProvenanceDeps,
  request: Request,
  [from, to]: readonly [number, number],
  day: Day | null,
): Promise<Explanation> {
  return deps.turns.slot(deps.callerOf(request), () =>
    explain(deps, { from, to, day, delayMinutes: deps.pageDelayMinutes }),
  );
}

export function provenanceRoutes(deps: ProvenanceDeps, frame: Frame, meter: Meter): Route[] {
  return [
    {
      method: "GET",
      path: "/site/provenance/:from/:to",
      isCrossOrigin: false,
      handle: (request, { from = "", to = "" }) => {
        const pair = parsePair(from, to);
        const date = queryOf(request)("date");
        const day = date === undefined ? null : dateOf(date);
        return meter.run(request, ONE_CALL, async () =>
          frame.page(request, provenanceFragment(await explained(deps, request, pair, day))),
        );
      },
    },
  ];
}
