/** The HTTP surface: host check → route → resource → reply. Everything a route needs comes in through `HttpDeps`. */

import { Elysia } from "elysia";
import { standingOf } from "#accounts/limits/admit.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { OfficialDeps } from "#official/official-deps.ts";
import type { BarsDeps } from "#rates/bars.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { RangeDeps } from "#rates/range.ts";
import type { StatusDeps } from "#rates/status.ts";
import type { Tell } from "#telemetry.ts";
import { accountRoutes } from "./account/account.ts";
import { billingEventsRoutes } from "./account/billing-events.ts";
import { type BillingRouteDeps, checkoutRoutes } from "./account/checkout.ts";
import { consentRoutes } from "./account/consent.ts";
import { keysRoutes } from "./account/keys.ts";
import type { AccountRouteDeps } from "./account/route.ts";
import { authRoutes } from "./auth/auth.ts";
import type { AuthDeps } from "./auth/route.ts";
import { compatRoutes, compatUnrouted } from "./compat/routes.ts";
import { type LakeDeps, lakeRoutes } from "./lake/lake.ts";
import { officialRoutes } from "./official/official.ts";
import type { ExportDeps } from "./range/export.ts";
import { rangeRoutes } from "./range/range.ts";
import { convertRoutes } from "./rates/convert.ts";
import { currenciesRoutes } from "./rates/currencies.ts";
import { historicalRoutes } from "./rates/historical.ts";
import { latestRoutes } from "./rates/latest.ts";
import { quoteRoutes } from "./rates/quote.ts";
import { type CountRequest, countAnswer } from "./request/count-request.ts";
import { admitHost } from "./request/host-check.ts";
import type { Meter } from "./request/metering.ts";
import { counted, metered, newLengths, noted, register } from "./request/registering.ts";
import type { Route, Router } from "./request/route.ts";
import { newComputeTurns } from "./response/compute-turns.ts";
import { pathOf, renderFailure } from "./response/failures.ts";
import { openLargeBodies } from "./response/large-bodies.ts";
import { answerUnrouted, isTaken, routeOf } from "./response/methods.ts";
import { createReply } from "./response/reply.ts";
import { boundedMeter, openAnswersUnderWay } from "./response/under-way.ts";
import { docsRoutes } from "./site/docs.ts";
import { pagesRoutes } from "./site/pages.ts";
import { probeRoutes } from "./status/probes.ts";
import { type StreamRouteDeps, streamRoutes } from "./stream/stream.ts";
import type { WebhookRouteDeps } from "./webhooks/route.ts";
import { webhooksRoutes } from "./webhooks/webhooks.ts";

export interface HttpDeps
  extends RatesDeps,
    RangeDeps,
    BarsDeps,
    StatusDeps,
    Omit<ExportDeps, "large">,
    Omit<LakeDeps, "underWay" | "large">,
    StreamRouteDeps {
  readonly tell: Tell;
  readonly simulated: boolean;
  readonly allowedHosts: readonly string[];
  readonly batchLimit: number;
  readonly version: string;
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
  /** Bounds what is kept ready. */
  readonly caches: CacheBudget;
  /** Large answers that one address may have under way. */
  readonly answersPerAddress: number;
  /** Whether the answer to a request was sent to its end, or its client left. */
  readonly isDone: (request: Request) => boolean;
  /** Hears of every answer: the pattern of its route ("unmatched" where there is none) and the status. */
  readonly countRequest?: CountRequest;
}

const UNMATCHED = "unmatched";

/** Builds the application; `answer` is what a server calls with each request. */
export function createApp(given: HttpDeps) {
  const { answersPerAddress: most, callerOf: addressOf, isDone } = given;
  const underWay = openAnswersUnderWay({ most, addressOf, isDone });
  const turns = newComputeTurns();
  const large = openLargeBodies({ underWay, turns, callerOf: addressOf });
  const deps = { ...given, underWay, turns, large };
  /** For routes whose answers can be large. */
  const bounded = { ...deps, meter: boundedMeter(given.meter, underWay) };
  const reply = createReply(deps, ({ url }) => routeOf(pathOf(url), routes) ?? UNMATCHED);
  const routes: readonly Route[] = [
    ...latestRoutes(deps, reply),
    ...streamRoutes(deps),
    ...convertRoutes(deps, reply),
    ...rangeRoutes(bounded, reply),
    ...currenciesRoutes(deps, reply),
    ...quoteRoutes(deps, reply),
    ...officialRoutes(bounded),
    ...lakeRoutes(bounded),
    ...authRoutes(deps),
    ...accountRoutes(deps),
    ...keysRoutes(deps),
    ...consentRoutes(deps),
    ...webhooksRoutes(deps),
    ...checkoutRoutes(deps),
    ...billingEventsRoutes(deps),
    ...probeRoutes(deps),
    ...docsRoutes(deps),
    ...pagesRoutes(deps),
    ...compatRoutes(bounded),
    ...historicalRoutes(deps, reply, (word) => isTaken(word, routes)),
  ];
  /** When requests came in whose refusals are told elsewhere than where they were thrown, by `performance.now()`. */
  const refusedFrom = new WeakMap<Request, number>();
  const countRefused = (request: Request, answer: Response): void => {
    const { countRequest } = deps;
    if (countRequest === undefined) return;
    const route = routeOf(pathOf(request.url), routes) ?? UNMATCHED;
    const began = refusedFrom.get(request) ?? performance.now();
    countAnswer(countRequest, route, request.method, began, answer);
  };
  const app = new Elysia({ normalize: false, serve: { reusePort: false, idleTimeout: 60 } })
    .onRequest(({ request }) => admitHost(request, deps.allowedHosts))
    .onError(async ({ request, error, code }) => {
      const unrouted = code === "NOT_FOUND" || isPathUnknown(error);
      const standing = error instanceof Error ? standingOf(error) : null;
      const answer = unrouted
        ? compatUnrouted(request, await answerUnrouted(deps, request, routes, standing))
        : renderFailure(deps, request, error);
      countRefused(request, answer);
      return answer;
    });
  /** For a URL that was admitted and parsed before: the caller is refused, not the question. */
  const refuse = (request: Request, thrown: unknown): Response => {
    const answer = renderFailure(deps, request, thrown);
    countRefused(request, answer);
    return answer;
  };
  const lengths = newLengths();
  for (const route of routes)
    register(
      app as unknown as Router,
      noted(underWay, counted(deps, metered(deps, route), refusedFrom)),
      lengths,
    );
  return Object.assign(app, {
    /** Answers a request. A URL that is ready was admitted and parsed when its body was made: it needs no routing. */
    answer: (request: Request): Response | Promise<Response> => {
      const began = performance.now();
      const refused = (thrown: unknown): Response => {
        refusedFrom.set(request, began);
        return refuse(request, thrown);
      };
      try {
        const ready = reply.ready(request, began);
        if (ready !== null) return ready instanceof Response ? ready : ready.catch(refused);
      } catch (thrown) {
        return refused(thrown);
      }
      return request.method === "HEAD" ? lengths.restore(request, app.fetch(request)) : app.fetch(request);
    },
  });
}

/** A resource that says itself what is not there keeps its words. */
function isPathUnknown(error: unknown): boolean {
  return error instanceof Failure && error.code === "not_found" && error.details.wording === undefined;
}
