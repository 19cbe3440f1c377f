/** GET /site/provenance/{from}/{to}: where a number on a page comes from, as a fragment of HTML; /site/explain/{from}/{to}: as JSON. */

import { Elysia } from "elysia";
import { dateOf } from "#api/parameters.ts";
import { explainBody } from "#api/rates/explain.ts";
import { LATEST } from "#api/rates/latest.ts";
import { queryOf } from "#api/request/query.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { cacheFor } from "#api/response/headers.ts";
import { parsePair } from "#domain/currency/currency.ts";
import type { Explanation } from "#domain/explain/explanation.ts";
import type { Day } from "#domain/time/day.ts";
import { type ExplainDeps, explain } from "#rates/explain.ts";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { provenanceFragment } from "./provenance.tsx";

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

export const provenance = ({ house, frame, admit, ...deps }: ProvenanceDeps & PageParts) => {
  const asked = async (request: Request, { from, to }: { readonly from: string; readonly to: string }) => {
    const pair = parsePair(from, to);
    const date = queryOf(request)("date");
    const day = date === undefined ? null : dateOf(date);
    admit(request);
    return await explained(deps, request, pair, day);
  };
  return new Elysia({ name: "provenance" })
    .use(house)
    .get(
      "/site/provenance/:from/:to",
      async ({ request, params }) => frame.page(request, provenanceFragment(await asked(request, params))),
      OWN_PAGES,
    )
    .get(
      "/site/explain/:from/:to",
      async ({ request, params }) => explainBody(await asked(request, params)),
      { ...OWN_PAGES, reply: { cacheControl: cacheFor(LATEST.maxAgeSeconds) } },
    );
};
