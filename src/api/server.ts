/**
 * The application: plugins for all routes, then the resources. Its front answers URLs with a ready body, passes HEAD on
 * as GET, and counts answers. `app.routes` is the only table of routes.
 */

import { type AnyElysia, Elysia } from "elysia";
import type { Instant } from "#domain/time/day.ts";
import type { StatusLog } from "#ports/ledger.ts";
import { type McpRouteDeps, mcp } from "./mcp/mcp.ts";
import { type EnvelopeDeps, envelope } from "./plugins/envelope.ts";
import { host, isTooLong } from "./plugins/host.ts";
import { type House, openHouse } from "./plugins/house.ts";
import { openRoutes, type RouteTable, routed } from "./plugins/wire.ts";
import { LARGEST_RECEIVED_BYTES } from "./request/body.ts";
import { countAnswer, sizeOf } from "./request/count-request.ts";
import { asRouted } from "./request/inner-request.ts";
import { query } from "./request/query.ts";
import { type ResourceDeps, resources } from "./resources.ts";
import { type ComputeTurns, inCrowdedTurns, type Later, newComputeTurns } from "./response/compute-turns.ts";
import { newRangedReads, type RangedReads } from "./response/conditions.ts";
import { type FailureDeps, pathOf, renderFailure } from "./response/failures.ts";
import { closeToPages } from "./response/headers.ts";
import { type LargeBodies, openLargeBodies } from "./response/large-bodies.ts";
import { createReply, type ReplyDeps } from "./response/ready.ts";
import { probes } from "./status/status.ts";

export interface Site extends Pick<EnvelopeDeps, "refusalPage"> {
  readonly pages: AnyElysia;
}

interface Parts {
  readonly turns: ComputeTurns;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly house: House;
  readonly table: () => AnyElysia["routes"];
  readonly isTaken: RouteTable["isTaken"];
  readonly answer: (request: Request) => Response | Promise<Response>;
}

type Routed = ResourceDeps & McpRouteDeps & FailureDeps & Omit<ReplyDeps, "large">;

export interface HttpDeps extends Omit<Routed, keyof Parts> {
  /** Calls back in a later turn of the event loop, for long work in steps; setImmediate by default. */
  readonly nextTurn?: Later;
  /** Serves only /health and /status. */
  readonly probesOnly?: boolean;
  readonly allowedHosts: readonly string[];
  /** Incidents, and how often each part was at fault. */
  readonly statusLog: StatusLog;
  readonly startedAt: Instant;
  /** The delay of live rates on pages, in minutes. */
  readonly pageDelayMinutes: number;
  /** The most large answers that one address may have open. */
  readonly answersPerAddress: number;
  /** Returns true once the answer was sent to its end, or its client left. */
  readonly isDone: (request: Request) => boolean;
  /** Opens the pages. They are a layer above this one, and get its parts. */
  readonly openSite: (parts: Omit<HttpDeps, "openSite"> & Omit<Parts, "isTaken" | "answer">) => Site;
}

const UNMATCHED = "unmatched";

export function createApp(opened: HttpDeps) {
  const { answersPerAddress: most, callerOf: addressOf, isDone } = opened;
  const computeTurns = newComputeTurns(addressOf, opened.nextTurn);
  const large = openLargeBodies({ most, addressOf, isDone });
  const reads = newRangedReads(opened);
  const table = () => app.routes;
  const deps = { ...opened, turns: computeTurns, large, reads, table };
  const routes = openRoutes(table);
  const patternOf = (request: Request) =>
    routed(request)?.route ?? routes.at(pathOf(request.url))[0]?.path ?? UNMATCHED;
  const reply = createReply(deps, patternOf);
  const house = openHouse({ ...deps, ready: reply });
  const site = opened.openSite({ ...deps, house });
  const parts = { ...deps, house, isTaken: routes.isTaken, answer: (request: Request) => answer(request) };
  const app: AnyElysia = new Elysia({
    // Bodies and queries stay as sent.
    normalize: false,
    // True would skip 11 characters of a URL to find its path: a Host may be shorter.
    handler: { standardHostname: false },
  })
    .use(envelope({ ...parts, routes, refusalPage: site.refusalPage }))
    .use(host(deps.allowedHosts))
    .use(routes.plugin)
    .use(query);
  if (deps.probesOnly === true) app.use(probes(parts));
  else app.use(resources(parts)).use(mcp(parts)).use(site.pages);

  /** Counts an answer and notes it as open; endless streams have a bound of their own. */
  const answered = (request: Request, began: number, made: Response): Response => {
    const wire = routed(request)?.wire;
    if (wire !== undefined && wire.isEndless !== true) large.note(request, sizeOf(made, request));
    if (wire?.isCrossOrigin === false) closeToPages(made.headers);
    return countAnswer(deps.countRequest, patternOf(request), request, began, made);
  };
  const refused = (request: Request, began: number, thrown: unknown): Response =>
    answered(request, began, renderFailure(deps, request, thrown));
  const dispatched = (request: Request, began: number): Response | Promise<Response> => {
    const made: Response | Promise<Response> = app.fetch(request);
    if (made instanceof Response) return answered(request, began, made);
    return made.then(
      (answer) => answered(request, began, answer),
      (thrown) => refused(request, began, thrown),
    );
  };
  /** Answers a request. A ready URL was admitted and parsed when its body was made: it needs no routing. */
  const answer = (request: Request): Response | Promise<Response> => {
    // Only a counter of answers needs their time.
    const began = deps.countRequest === undefined ? Number.NaN : performance.now();
    try {
      const ready = reply.ready(request, began);
      if (ready === null) return dispatched(asRouted(request), began);
      return ready instanceof Response ? ready : ready.catch((thrown) => refused(request, began, thrown));
    } catch (thrown) {
      return refused(request, began, thrown);
    }
  };
  return {
    routes: app.routes,
    answer,
    /** In bytes; a server refuses larger ones before they arrive. */
    largestBody: LARGEST_RECEIVED_BYTES,
    inTurns: (of: typeof answer) =>
      inCrowdedTurns(of, {
        turns: computeTurns,
        isDone,
        isUrgent: ({ url }) => isTooLong(url) || pathOf(url) === "/health",
      }),
  };
}
