/** The operators' pages as an Elysia application: admission → session → page or form. */

import { Elysia } from "elysia";
import { query } from "#api/plugins/query.ts";
import { readForm } from "#api/request/body.ts";
import type { CollectionReview } from "#ports/collections.ts";
import type { FigureReview } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { accounts, type OperatorTools } from "./accounts.ts";
import { admission } from "./admission.ts";
import { audit } from "./audit.ts";
import { figurePages } from "./figures.ts";
import { overview } from "./overview.ts";
import { assets, refusals, seeOther } from "./respond.ts";
import { type SessionDeps, session } from "./session.ts";

export interface OperatorDeps extends Omit<SessionDeps, "clock"> {
  /** The loopback address of the listener. */
  readonly host: string;
  readonly tools: OperatorTools;
  /** The decisions about figures; null in a process without daily figures. */
  readonly figures: FigureReview | null;
  /** Null in a process without sources. */
  readonly collections: CollectionReview | null;
  readonly emit: Emit;
}

/** Far above any useful size. */
const LARGEST_FORM_BYTES = 4_096;

/** Opens nothing before a request. */
export const operatorApp = (deps: OperatorDeps) =>
  new Elysia({ precompile: true, normalize: false, handler: { standardHostname: false } })
    .use(refusals(deps))
    .use(admission(deps))
    .use(query)
    .onParse(async ({ request }) => await readForm(request, LARGEST_FORM_BYTES))
    .use(session({ ...deps, clock: deps.tools.clock }))
    .get("/", async () => seeOther("/operator/overview"))
    .use(assets())
    .use(overview(deps))
    .use(accounts(deps.tools))
    .use(audit(deps.tools))
    .use(deps.figures === null ? new Elysia() : figurePages({ tools: deps.tools, figures: deps.figures }));
