/** The HTTP surface: host check → route → resource → reply. Everything a route needs comes in through `HttpDeps`. */

import { Elysia } from "elysia";
import { standingOf } from "#accounts/admit.ts";
import { Failure } from "#domain/errors.ts";
import type { OfficialDeps } from "#official/official-deps.ts";
import type { BarsDeps } from "#rates/bars.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { RangeDeps } from "#rates/range.ts";
import type { StatusDeps } from "#rates/status.ts";
import type { Tell } from "#telemetry.ts";
import { accountRoutes } from "./account.ts";
import type { AccountRouteDeps } from "./account-route.ts";
import { admitHost } from "./admission.ts";
import { authRoutes } from "./auth.ts";
import type { AuthDeps } from "./auth-route.ts";
import { billingEventsRoutes } from "./billing-events.ts";
import { type BillingRouteDeps, checkoutRoutes } from "./checkout.ts";
import { compatRoutes, compatUnrouted } from "./compat/routes.ts";
import { consentRoutes } from "./consent.ts";
import { convertRoutes } from "./convert.ts";
import { currenciesRoutes } from "./currencies.ts";
import { docsRoutes } from "./docs.ts";
import type { ExportDeps } from "./export.ts";
import { pathOf, renderFailure } from "./failures.ts";
import { historicalRoutes } from "./historical.ts";
import { keysRoutes } from "./keys.ts";
import { type LakeDeps, lakeRoutes } from "./lake.ts";
import { latestRoutes } from "./latest.ts";
import { type Meter, stamp } from "./metering.ts";
import { answerUnrouted, routeOf } from "./methods.ts";
import { officialRoutes } from "./official.ts";
import { pagesRoutes } from "./pages.ts";
import { probeRoutes } from "./probes.ts";
import { quoteRoutes } from "./quote.ts";
import { rangeRoutes } from "./range.ts";
import { type CountRequest, createReply } from "./reply.ts";
import type { Params, Route, Router } from "./route.ts";
import { type StreamRouteDeps, streamRoutes } from "./stream.ts";
import { webhooksRoutes } from "./webhooks.ts";
import type { WebhookRouteDeps } from "./webhooks-route.ts";

export interface HttpDeps
  extends RatesDeps,
    RangeDeps,
    BarsDeps,
    StatusDeps,
    ExportDeps,
    LakeDeps,
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
  /** Hears of every answer: the pattern of its route ("unmatched" where there is none) and the status. */
  readonly countRequest?: CountRequest;
}

const UNMATCHED = "unmatched";

/** Builds the application; `answer` is what a server calls with each request. */
export function createApp(deps: HttpDeps) {
  const reply = createReply(deps, ({ url }) => routeOf(pathOf(url), routes) ?? UNMATCHED);
  const routes: readonly Route[] = [
    ...latestRoutes(deps, reply),
    ...streamRoutes(deps),
    ...convertRoutes(deps, reply),
    ...rangeRoutes(deps, reply),
    ...currenciesRoutes(deps, reply),
    ...quoteRoutes(deps, reply),
    ...officialRoutes(deps),
    ...lakeRoutes(deps),
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
    ...compatRoutes(deps),
    ...historicalRoutes(deps, reply),
  ];
  const app = new Elysia({ normalize: false, serve: { reusePort: false, idleTimeout: 60 } })
    .onRequest(({ request }) => admitHost(request, deps.allowedHosts))
    .onError(({ request, error, code }) => {
      const unrouted = code === "NOT_FOUND" || isPathUnknown(error);
      const answer = unrouted
        ? compatUnrouted(request, answerUnrouted(deps, request, routes))
        : renderFailure(deps, request, error);
      const standing = error instanceof Error ? standingOf(error) : null;
      if (standing !== null) stamp(answer.headers, standing);
      deps.countRequest?.(routeOf(pathOf(request.url), routes) ?? UNMATCHED, answer.status);
      return answer;
    });
  /** For a URL that was admitted and parsed before: the caller is refused, not the question. */
  const refuse = (request: Request, thrown: unknown): Response => {
    const answer = renderFailure(deps, request, thrown);
    deps.countRequest?.(routeOf(pathOf(request.url), routes) ?? UNMATCHED, answer.status);
    return answer;
  };
  const lengths = newLengths();
  for (const route of routes)
    register(app as unknown as Router, counted(deps, metered(deps, route)), lengths);
  return Object.assign(app, {
    /** Answers a request. A URL that is ready was admitted and parsed when its body was made: it needs no routing. */
    answer: (request: Request): Response | Promise<Response> => {
      try {
        const ready = reply.ready(request);
        if (ready !== null)
          return ready instanceof Response ? ready : ready.catch((thrown) => refuse(request, thrown));
      } catch (thrown) {
        return refuse(request, thrown);
      }
      return request.method === "HEAD" ? lengths.restore(request, app.fetch(request)) : app.fetch(request);
    },
  });
}

/** A resource that says itself what is not there keeps its words. */
function isPathUnknown(error: unknown): boolean {
  return error instanceof Failure && error.code === "not_found" && error.details.wording === undefined;
}

/** On paths with parameters the router measures the body of an answer to HEAD, and says 0 where there is none. */
function newLengths() {
  const told = new WeakMap<Request, string>();
  return {
    note(request: Request, answer: Response | Promise<Response>): Response | Promise<Response> {
      if (request.method !== "HEAD") return answer;
      return Promise.resolve(answer).then((response) => {
        const length = response.headers.get("Content-Length");
        if (length !== null) told.set(request, length);
        return response;
      });
    },
    async restore(request: Request, answer: Response | Promise<Response>): Promise<Response> {
      const response = await answer;
      const length = told.get(request);
      if (length !== undefined) response.headers.set("Content-Length", length);
      return response;
    },
  };
}

/** The same route, whose refusals before admission are noted with the caller. */
function metered({ meter }: HttpDeps, route: Route): Route {
  if (route.isMetered !== true) return route;
  const refused = async (request: Request, thrown: unknown): Promise<never> => {
    if (thrown instanceof Failure && standingOf(thrown) === null) await meter.refused(request, thrown);
    throw thrown;
  };
  return {
    ...route,
    handle: (request, params) => {
      try {
        const answer = route.handle(request, params);
        return answer instanceof Response ? answer : answer.catch((thrown) => refused(request, thrown));
      } catch (thrown) {
        return refused(request, thrown);
      }
    },
  };
}

/** The same route, whose answers are counted; refusals that it throws are counted where they are told. */
function counted({ countRequest }: HttpDeps, route: Route): Route {
  if (countRequest === undefined) return route;
  const count = (answer: Response) => {
    countRequest(route.path, answer.status);
    return answer;
  };
  return {
    ...route,
    handle: (request, params) => {
      const answer = route.handle(request, params);
      return answer instanceof Response ? count(answer) : answer.then(count);
    },
  };
}

function register(
  app: Router,
  { method, path, handle }: Route,
  lengths: ReturnType<typeof newLengths>,
): void {
  // The router reads this text to learn whether it may give a promise: a call after the arrow says so.
  const answer = ({ request, params }: { request: Request; params?: Record<string, string> }) =>
    lengths.note(request, handle(request, intact(params)));
  // The body is read by the handler itself, within its own limits.
  if (method === "POST") app.post(path, answer, { parse: "none" });
  else if (method === "DELETE") app.delete(path, answer, { parse: "none" });
  else {
    app.get(path, answer);
    app.head(path, answer);
  }
}

/** The router gives null for a segment whose % escapes are broken: then it stands for nothing that exists. */
function intact(params: Readonly<Record<string, string | null>> | undefined): Params {
  const whole: Record<string, string> = {};
  for (const name in params) whole[name] = params[name] ?? "\uFFFD";
  return whole;
}
