/** The built-in upstream simulator: one local server that plays every real host under `/<host>/<path>`. */

import type { Instant } from "#domain/time/day.ts";
import { ecbDaily } from "./ecb/daily.ts";
import { ecbSdmx } from "./ecb/sdmx.ts";
import type { ActiveFault, Misbehaviour } from "./fault.ts";
import { fredApi, fredGraph } from "./fred.ts";
import { coinbase, massive, oanda, openExchangeRates, twelveData } from "./live.ts";
import { type Misprint, misprintOf } from "./misprint.ts";
import { OFFICIAL_HOSTS, OFFICIAL_TABLES } from "./official/hosts.ts";
import { type OfficialMisprint, officialMisprintOf } from "./official/misprints.ts";
import type { DemoRequest, Upstream } from "./request.ts";
import { respond } from "./transport.ts";
import { createWorld, type World } from "./world.ts";

const HOSTS: Record<string, Upstream> = {
  "www.ecb.europa.eu": ecbDaily,
  "data-api.ecb.europa.eu": ecbSdmx,
  "api.stlouisfed.org": fredApi,
  "fred.stlouisfed.org": fredGraph,
  "api.coinbase.com": coinbase,
  "openexchangerates.org": openExchangeRates,
  "api.massive.com": massive,
  "api.polygon.io": massive,
  "api.twelvedata.com": twelveData,
  "api-fxtrade.oanda.com": oanda,
  "api-fxpractice.oanda.com": oanda,
  ...OFFICIAL_HOSTS,
};

/** Hosts that answer questions by POST and nothing else. */
const POST_HOSTS: ReadonlySet<string> = new Set(["www.mnb.hu"]);

interface SeenRequest {
  readonly method: string;
  /** `/<host>/<path>?<query>` as received, credentials included: this server is only ever local. */
  readonly path: string;
  readonly at: Instant;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Simulator {
  /** `http://127.0.0.1:<port>`: what UPSTREAM_BASE is set to. */
  readonly base: string;
  readonly world: World;
  /** The latest requests that were answered, oldest first, at most a thousand. */
  requests(): readonly SeenRequest[];
  /** From now on addresses beginning with `/<host>/…` are answered so; of several prefixes the longest counts. */
  misbehave(pathPrefix: string, behaviour: Misbehaviour): void;
  /** Back to normal, for one prefix or for all. */
  behave(pathPrefix?: string): void;
  /** The reference rate that goes out with swapped digits in a year, and is replaced on the next TARGET day. */
  misprint(year: number): Misprint;
  /** The rate of an official table, by its id, that goes out with swapped digits in a year. */
  officialMisprint(table: string, year: number): OfficialMisprint;
  stop(): Promise<void>;
}

interface SimulatorOptions {
  /** The clock every answer depends on; it may move either way. */
  readonly now: () => Instant;
  /** Another seed is another world. */
  readonly seed?: number;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

const REMEMBERED = 1000;
const DEFAULT_SEED = 20_260_413;

export async function startSimulator({
  now,
  seed = DEFAULT_SEED,
  port = 0,
}: SimulatorOptions): Promise<Simulator> {
  const world = createWorld(seed);
  const faults = new Map<string, ActiveFault>();
  const seen: SeenRequest[] = [];
  const gone = Promise.withResolvers<void>();
  let serial = 0;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    reusePort: false,
    // A hanging or trickling answer is the client's to give up on.
    idleTimeout: 0,
    async fetch(request) {
      const response = await answer(request);
      const { pathname, search } = new URL(request.url);
      seen.push({
        method: request.method,
        path: pathname + search,
        at: now(),
        status: response.status,
        headers: Object.fromEntries(request.headers),
      });
      if (seen.length > REMEMBERED) seen.shift();
      return response;
    },
  });

  return {
    base: `http://127.0.0.1:${server.port}`,
    world,
    requests: () => seen,
    misbehave(pathPrefix, behaviour) {
      serial++;
      faults.set(normal(pathPrefix), { behaviour, since: now(), serial });
    },
    behave(pathPrefix) {
      if (pathPrefix === undefined) faults.clear();
      else faults.delete(normal(pathPrefix));
    },
    misprint: (year) => misprintOf(seed, year),
    officialMisprint(id, year) {
      const table = OFFICIAL_TABLES.get(id);
      if (table === undefined) throw new TypeError(`no official table ${id} here`);
      return officialMisprintOf(seed, table, year);
    },
    async stop() {
      gone.resolve();
      await server.stop(true);
    },
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, host = "", ...path] = pathname.split("/");
    const upstream = HOSTS[host];
    if (upstream === undefined) return new Response("no such host here", { status: 404 });
    const methods = POST_HOSTS.has(host) ? ["POST"] : ["GET", "HEAD"];
    if (!methods.includes(request.method)) {
      return new Response("Method Not Allowed", { status: 405, headers: { allow: methods.join(", ") } });
    }
    const active = faultOn(pathname);
    const demoRequest: DemoRequest = {
      url: new URL(`https://${host}/${path.join("/")}${search}`),
      headers: request.headers,
      question: request.method === "POST" ? await request.text() : null,
      world,
      now: active?.behaviour.kind === "unchanged" ? active.since : now(),
      fault: active?.behaviour ?? null,
      faultSince: active?.since ?? 0,
    };
    return await respond(demoRequest, upstream(demoRequest), active, gone.promise);
  }

  function faultOn(pathname: string): ActiveFault | null {
    let longest: string | null = null;
    for (const prefix of faults.keys()) {
      if (pathname.startsWith(prefix) && prefix.length > (longest?.length ?? -1)) longest = prefix;
    }
    return longest === null ? null : (faults.get(longest) ?? null);
  }
}

function normal(pathPrefix: string): string {
  return pathPrefix.startsWith("/") ? pathPrefix : `/${pathPrefix}`;
}
