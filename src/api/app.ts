/** The application: plugins that cross all routes, then the resources. `app.routes` is the only table of routes. */

import { type AnyElysia, Elysia } from "elysia";
import { type McpRouteDeps, mcp } from "./mcp/mcp.ts";
import { type EnvelopeDeps, envelope } from "./plugins/envelope.ts";
import { host } from "./plugins/host.ts";
import { query } from "./plugins/query.ts";
import type { openRoutes } from "./plugins/wire.ts";
import { type ResourceDeps, resources } from "./resources.ts";
import { probes } from "./status/status.ts";

export interface Site extends Pick<EnvelopeDeps, "refusalPage"> {
  readonly pages: AnyElysia;
}

export interface AppDeps extends Omit<EnvelopeDeps, "noteRoute" | "refusalPage"> {
  readonly allowedHosts: readonly string[];
  /** Serves only /health and /status. */
  readonly probesOnly?: boolean;
  readonly routes: ReturnType<typeof openRoutes>;
  readonly site: Site;
}

export const openApp = ({ routes, site, ...deps }: AppDeps & ResourceDeps & McpRouteDeps) => {
  const app: AnyElysia = new Elysia({
    // A schema that does not compile fails at the start, not at the first request.
    precompile: true,
    // Bodies and queries stay as sent.
    normalize: false,
    // A Host may be short.
    handler: { standardHostname: false },
  })
    .use(envelope({ ...deps, noteRoute: routes.note, refusalPage: site.refusalPage }))
    .use(host(deps.allowedHosts))
    .use(routes.plugin)
    .use(query);
  if (deps.probesOnly === true) return app.use(probes(deps));
  return app.use(resources(deps)).use(mcp(deps)).use(site.pages);
};
