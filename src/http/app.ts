/** The HTTP application: host check → route → resource → reply. `HttpDeps` has everything that a route needs. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { QuotaStatus } from "#domain/limits/taken.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfficialDeps } from "#official/deps.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { BarsDeps } from "#rates/range/bars.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import type { Incidents } from "#rates/status/incidents.ts";
import type { StatusDeps } from "#rates/status/status.ts";
import type { Emit } from "#telemetry.ts";
import { accountRoutes } from "./account/account.ts";
import { billingEventsRoutes } from "./account/billing-events.ts";
import { type BillingRouteDeps, checkoutRoutes } from "./account/checkout.ts";
import type { AccountRouteDeps } from "./account/route.ts";
import { authRoutes } from "./auth/auth.ts";
import type { AuthDeps } from "./auth/route.ts";
import { compatUnrouted } from "./compat/dialects.ts";
import { frankfurterV1Routes } from "./compat/frankfurter/v1.ts";
import { frankfurterV2Routes } from "./compat/frankfurter/v2.ts";
import { oxrRoutes } from "./compat/oxr/oxr.ts";
import { type ChainRouteDeps, chainRoutes } from "./lake/chain.ts";
import { type LakeDeps, lakeRoutes } from "./lake/lake.ts";
import { type McpRouteDeps, mcpRoutes } from "./mcp/mcp.ts";
import { officialRoutes } from "./official/official.ts";
import type { ExportDeps } from "./range/export.ts";
import { rangeRoutes } from "./range/range.ts";
import { convertRoutes } from "./rates/convert.ts";
import { createCsvReply } from "./rates/csv.ts";
import { currenciesRoutes } from "./rates/currencies.ts";
import { type ExplainRouteDeps, explainRoutes } from "./rates/explain.ts";
import { historicalRoutes } from "./rates/historical.ts";
import { latestRoutes, quoteRoutes } from "./rates/latest.ts";
import { LARGEST_RECEIVED_BYTES } from "./request/body.ts";
import { type CountRequest, countAnswer, sizeOf } from "./request/count-request.ts";
import { placeNear } from "./request/guesses.ts";
import type { Meter } from "./request/metering.ts";
import type { Route } from "./request/route.ts";
import { admitHost, admitLength, isTooLong, newRouteTable } from "./request/router.ts";
import { type Later, newComputeTurns } from "./response/compute-turns.ts";
import { inCrowdedTurns } from "./response/crowded-turns.ts";
import { answerUnrouted, pathOf, renderFailure } from "./response/failures.ts";
import { openLargeBodies } from "./response/large-bodies.ts";
import { newRangedReads } from "./response/ranged-reads.ts";
import { createReply } from "./response/reply.ts";
import { boundedMeter, openAnswersUnderWay } from "./response/under-way.ts";
import { docsRoutes } from "./site/docs.ts";
import { guidesRoutes } from "./site/guides.ts";
import { probeRoutes } from "./status/probes.ts";
import { type StreamRouteDeps, streamRoutes } from "./stream/stream.ts";
import { openWeb } from "./web/web.ts";
import { type WebhookRouteDeps, webhooksRoutes } from "./webhooks/webhooks.ts";

export interface HttpDeps
  extends RatesDeps,
    RangeDeps,
    BarsDeps,
    StatusDeps,
    Omit<ExportDeps, "large" | "turns" | "reads">,
    Omit<LakeDeps, "underWay" | "large" | "reads">,
    Pick<McpRouteDeps, "mcp" | "mcpOrigins">,
    Pick<ExplainRouteDeps, "documents" | "giver">,
    Pick<ChainRouteDeps, "signedHistory">,
    StreamRouteDeps {
  readonly emit: Emit;
  /** Calls back in a later turn of the event loop, for long work in steps; setImmediate unless given. */
  readonly nextTurn?: Later;
  /** Serves /health and /status alone. */
  readonly probesOnly?: boolean;
  readonly simulated: boolean;
  readonly allowedHosts: readonly string[];
  readonly batchLimit: number;
  readonly version: string;
  /** Origin under which people reach the server. */
  readonly publicUrl: string;
  /** What was wrong since `startedAt`. */
  readonly incidents: Incidents;
  readonly startedAt: Instant;
  /** Minutes that live rates are held back on pages. */
  readonly pageDelayMinutes: number;
  readonly meter: Meter;
  /** Null where the installation is open: without accounts. */
  readonly account: AccountRouteDeps | null;
  /** The same, for buying plans. */
  readonly billing: BillingRouteDeps | null;
  /** The same, for signing in. */
  readonly identity: AuthDeps | null;
  /** Null where the installation is open, for webhook endpoints. */
  readonly webhooks: WebhookRouteDeps | null;
  /** Null where official tables are switched off. */
  readonly official: OfficialDeps | null;
  /** Bounds what is cached. */
  readonly caches: CacheBudget;
  /** Large answers that one address may have under way. */
  readonly answersPerAddress: number;
  /** Whether the answer to a request was sent to its end, or its client left. */
  readonly isDone: (request: Request) => boolean;
  /** Counts every answer: the pattern of its route ("unmatched" where there is none) and the status. */
  readonly countRequest?: CountRequest;
}

const UNMATCHED = "unmatched";

/** Builds the application. */
export function createApp(given: HttpDeps) {
  const { answersPerAddress: most, callerOf: addressOf, isDone } = given;
  const underWay = openAnswersUnderWay({ most, addressOf, isDone });
  const computeTurns = newComputeTurns(given.nextTurn);
  const large = openLargeBodies({ underWay, turns: computeTurns, callerOf: addressOf });
  const reads = newRangedReads(given);
  const deps = { ...given, underWay, turns: computeTurns, large, reads };
  /** For routes whose answers can be large. */
  const bounded = { ...deps, meter: boundedMeter(given.meter, underWay) };
  const patternOf = ({ url }: Request) => table.of(pathOf(url))[0]?.path ?? UNMATCHED;
  const reply = createReply(deps, patternOf);
  const csvReply = createCsvReply(deps);
  const guides = guidesRoutes(deps);
  const web = openWeb(deps, guides.markdown);
  const routes: readonly Route[] = [
    ...latestRoutes(deps, reply, csvReply),
    ...streamRoutes(deps),
    ...convertRoutes(deps, reply),
    ...rangeRoutes(bounded, reply),
    ...currenciesRoutes(deps, reply),
    ...quoteRoutes(deps, reply),
    ...explainRoutes(deps),
    ...mcpRoutes(deps, (request) => answer(request)),
    ...officialRoutes(bounded),
    ...lakeRoutes(bounded),
    ...chainRoutes(bounded),
    ...authRoutes(deps),
    ...accountRoutes(deps),
    ...webhooksRoutes(deps),
    ...checkoutRoutes(deps),
    ...billingEventsRoutes(deps),
    ...probeRoutes(deps),
    ...web.routes,
    ...docsRoutes(deps),
    ...guides.routes,
    ...frankfurterV1Routes(bounded),
    ...frankfurterV2Routes(bounded),
    ...oxrRoutes(bounded),
    ...historicalRoutes(deps, reply, csvReply, (segment) => table.isTaken(segment)),
  ];
  const table = newRouteTable(given.probesOnly === true ? probeRoutes(deps) : routes);

  /** Counts an answer and notes it as under way; streams without an end have a bound of their own. */
  const answered = (request: Request, route: Route, began: number, answer: Response): Response => {
    if (route.isEndless !== true) underWay.note(request, sizeOf(answer, request.method));
    return countAnswer(deps.countRequest, route.path, request, began, answer);
  };
  const counted = (request: Request, began: number, answer: Response): Response =>
    countAnswer(deps.countRequest, patternOf(request), request, began, answer);
  /** The refusal as it is sent: as a page where a person asked. */
  const sent = (request: Request, began: number, plain: Response): Response | Promise<Response> => {
    const page = web.refusalPage(request, plain);
    if (page === null) return counted(request, began, plain);
    return page.then(
      (made) => counted(request, began, made),
      // No page can be made at all: for that there is the plain form alone.
      (thrown) => counted(request, began, renderFailure(deps, request, thrown)),
    );
  };
  /** The answer to a request that was refused, or whose work failed. */
  const refused = (request: Request, began: number, thrown: unknown): Response | Promise<Response> =>
    sent(request, began, renderFailure(deps, request, thrown));
  /** What no route answers: the method is wrong, or nothing has this path. `quota` is the caller's, where it is known already. */
  const unrouted = async (request: Request, began: number, quota: QuotaStatus | null): Promise<Response> => {
    const path = pathOf(request.url);
    const place = placeNear(path, (near) => table.of(near).length > 0);
    const plain = await answerUnrouted(deps, request, table.of(path), { quota, place });
    return sent(request, began, compatUnrouted(request, plain));
  };
  const failed = async (
    request: Request,
    route: Route,
    began: number,
    thrown: unknown,
  ): Promise<Response> => {
    try {
      if (!(thrown instanceof Failure)) return refused(request, began, thrown);
      // A refusal that came before admission is charged to the caller, and says what is left.
      if (route.isMetered === true && thrown.quota === null) await deps.meter.refused(request, thrown);
      if (isPathUnknown(thrown)) return await unrouted(request, began, thrown.quota);
      return await refused(request, began, thrown);
    } catch (other) {
      return await refused(request, began, other);
    }
  };
  const dispatch = (request: Request, began: number): Response | Promise<Response> => {
    admitLength(request);
    const path = pathOf(request.url);
    admitHost(request, path, deps.allowedHosts);
    const found = table.find(request.method, path);
    if (found === null)
      return unrouted(request, began, null).catch((thrown) => refused(request, began, thrown));
    const { route, params } = found;
    try {
      const answer = route.handle(request, params);
      if (answer instanceof Response) return answered(request, route, began, answer);
      return answer.then(
        (made) => answered(request, route, began, made),
        (thrown) => failed(request, route, began, thrown),
      );
    } catch (thrown) {
      return failed(request, route, began, thrown);
    }
  };
  const settled = (request: Request, began: number, answer: Promise<Response>): Promise<Response> =>
    answer.catch((thrown) => refused(request, began, thrown));
  /** Answers a request. A URL that is ready was admitted and parsed when its body was made: it needs no routing. */
  const answer = (request: Request): Response | Promise<Response> => {
    // Only who counts answers asks how long they took.
    const began = deps.countRequest === undefined ? Number.NaN : performance.now();
    try {
      const ready = reply.ready(request, began);
      if (ready === null) return dispatch(request, began);
      return ready instanceof Response ? ready : settled(request, began, ready);
    } catch (thrown) {
      return refused(request, began, thrown);
    }
  };
  return {
    routes,
    answer,
    /** In bytes; a server refuses larger ones before they arrive. */
    largestBody: LARGEST_RECEIVED_BYTES,
    /** `answer`, as a server calls it. */
    inTurns: (of: typeof answer) =>
      inCrowdedTurns(of, {
        turns: computeTurns,
        callerOf: addressOf,
        isDone,
        isUrgent: ({ url }) => isTooLong(url) || pathOf(url) === "/health",
      }),
  };
}

/** Whether the path is unknown. A refusal with its own text keeps that text. */
function isPathUnknown(error: Failure): boolean {
  return error.code === "not_found" && error.details.wording === undefined;
}
