/** The HTTP surface: host check → route → resource → reply. Everything a route needs comes in through `HttpDeps`. */

import { Elysia } from "elysia";
import { Failure } from "#domain/errors.ts";
import type { BarsDeps } from "#rates/bars.ts";
import type { RangeDeps } from "#rates/range.ts";
import type { StatusDeps } from "#rates/status.ts";
import type { Tell } from "#telemetry.ts";
import { admitHost } from "./admission.ts";
import { convertRoutes } from "./convert.ts";
import { currenciesRoutes } from "./currencies.ts";
import { docsRoutes } from "./docs.ts";
import type { ExportDeps } from "./export.ts";
import { renderFailure } from "./failures.ts";
import { historicalRoutes } from "./historical.ts";
import { type LakeDeps, lakeRoutes } from "./lake.ts";
import { latestRoutes } from "./latest.ts";
import { answerUnrouted } from "./methods.ts";
import { probeRoutes } from "./probes.ts";
import { quoteRoutes } from "./quote.ts";
import { rangeRoutes } from "./range.ts";
import { createReply } from "./reply.ts";
import type { Params, Route, Router } from "./route.ts";

export interface HttpDeps extends RangeDeps, BarsDeps, StatusDeps, ExportDeps, LakeDeps {
  readonly tell: Tell;
  readonly simulated: boolean;
  readonly allowedHosts: readonly string[];
  readonly batchLimit: number;
  readonly version: string;
}

/** Builds the application; `answer` is what a server calls with each request. */
export function createApp(deps: HttpDeps) {
  const reply = createReply(deps);
  const routes: readonly Route[] = [
    ...latestRoutes(deps, reply),
    ...convertRoutes(deps, reply),
    ...rangeRoutes(deps, reply),
    ...currenciesRoutes(deps, reply),
    ...quoteRoutes(deps, reply),
    ...lakeRoutes(deps),
    ...probeRoutes(deps),
    ...docsRoutes(deps),
    ...historicalRoutes(deps, reply),
  ];
  const app = new Elysia({ normalize: false, serve: { reusePort: false, idleTimeout: 60 } })
    .onRequest(({ request }) => admitHost(request, deps.allowedHosts))
    .onError(({ request, error, code }) => {
      const unrouted = code === "NOT_FOUND" || (error instanceof Failure && error.code === "not_found");
      return unrouted ? answerUnrouted(deps, request, routes) : renderFailure(deps, request, error);
    });
  for (const route of routes) register(app as unknown as Router, route);
  return Object.assign(app, {
    /** Answers a request. A URL that is ready was admitted and parsed when its body was made: it needs no routing. */
    answer: (request: Request): Response | Promise<Response> => reply.ready(request) ?? app.fetch(request),
  });
}

function register(app: Router, { method, path, handle }: Route): void {
  const answer = ({ request, params }: { request: Request; params?: Record<string, string> }) =>
    handle(request, intact(params));
  // The body is read by the handler itself, within its own limits.
  if (method === "POST") app.post(path, answer, { parse: "none" });
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
