/** The simulator of all upstreams: one local server that serves every real host under `/<host>/<path>`. */

import { gzipSync } from "node:zlib";
import type { Instant } from "#domain/time/day.ts";
import { ecbDaily, ecbSdmx } from "./ecb.ts";
import { fredApi, fredGraph } from "./fred.ts";
import { coinbase, openExchangeRates } from "./live.ts";
import { banxico, sidof } from "./mexico.ts";
import type { ActiveFault, Answer, DemoRequest, Misbehaviour, Upstream } from "./request.ts";
import { createWorld, type RealHistory } from "./world.ts";

const HOSTS: Record<string, Upstream> = {
  "www.ecb.europa.eu": ecbDaily,
  "data-api.ecb.europa.eu": ecbSdmx,
  "api.stlouisfed.org": fredApi,
  "fred.stlouisfed.org": fredGraph,
  "api.coinbase.com": coinbase,
  "openexchangerates.org": openExchangeRates,
  "www.banxico.org.mx": banxico,
  "sidof.segob.gob.mx": sidof,
};

interface SeenRequest {
  readonly method: string;
  /** `/<host>/<path>?<query>` as received, credentials included: this server is only ever local. */
  readonly path: string;
  readonly at: Instant;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

export interface SimulatorOptions {
  /** The clock every answer depends on; it may move either way. */
  readonly now: () => Instant;
  readonly hosts?: Readonly<Record<string, Upstream>>;
  /** The ECB publishes these figures, and the simulated market is laid around them. Absent: everything is simulated. */
  readonly real?: RealHistory | null;
}

const REMEMBERED = 1000;
const SEED = 20_260_413;

export async function startSimulator({ now, hosts = {}, real = null }: SimulatorOptions) {
  const world = createWorld(SEED, real);
  const faults = new Map<string, ActiveFault>();
  const seen: SeenRequest[] = [];
  const gone = Promise.withResolvers<void>();
  const archives: Archives = new Map();
  let serial = 0;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
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
    /** `http://127.0.0.1:<port>`: what UPSTREAM_BASE is set to. */
    base: `http://127.0.0.1:${server.port}`,
    world,
    /** The latest requests that were answered, oldest first, at most a thousand. */
    requests: (): readonly SeenRequest[] => seen,
    /** Answers addresses beginning with `/<host>/…` in this way from now on; the longest of several prefixes counts. */
    misbehave(pathPrefix: string, behaviour: Misbehaviour): void {
      serial++;
      faults.set(normal(pathPrefix), { behaviour, since: now(), serial });
    },
    behave(pathPrefix?: string): void {
      if (pathPrefix === undefined) faults.clear();
      else faults.delete(normal(pathPrefix));
    },
    async stop(): Promise<void> {
      gone.resolve();
      await server.stop(true);
    },
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, host = "", ...path] = pathname.split("/");
    const upstream = HOSTS[host] ?? hosts[host];
    if (upstream === undefined) return new Response("no such host here", { status: 404 });
    const active = faultOn(pathname);
    const behaviour = active?.behaviour ?? null;
    const fault = typeof behaviour === "function" ? null : behaviour;
    const demoRequest: DemoRequest = {
      url: new URL(`https://${host}/${path.join("/")}${search}`),
      headers: request.headers,
      question: request.method === "POST" ? await request.text() : null,
      world,
      now: fault?.kind === "unchanged" ? (active?.since ?? now()) : now(),
      fault,
      faultSince: active?.since ?? 0,
    };
    const answered = upstream(demoRequest);
    if (typeof behaviour === "function")
      return await behaviour(
        () => respond(demoRequest, answered, archives, new Headers(), null),
        gone.promise,
      );
    const wrong = fault?.kind === "unchanged" ? null : active;
    return respond(demoRequest, answered, archives, request.headers, wrong);
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

/** The last zip of each address with its entity tag: the whole history takes 40 MB to make and 0.6 to keep. */
type Archives = Map<string, { readonly tag: string; readonly bytes: Uint8Array<ArrayBuffer> }>;

/** An answer on the wire, with validators and compression. `conditions` are the client's headers, `wrong` the active fault or null. */
function respond(
  request: DemoRequest,
  answer: Answer,
  archives: Archives,
  conditions: Headers,
  wrong: ActiveFault | null,
): Response {
  const headers = new Headers({ "content-type": answer.contentType, date: httpDate(request.now) });
  if (answer.lastModified !== undefined) {
    const version = `${request.url.href} ${answer.lastModified} ${wrong?.serial ?? 0}`;
    const etag = `"${Bun.hash(version).toString(36)}"`;
    // Wrong figures are a change at the moment they were switched on.
    const modified = httpDate(Math.max(answer.lastModified, wrong?.since ?? 0));
    headers.set("etag", etag);
    headers.set("last-modified", modified);
    if (matches(conditions, etag, modified)) return new Response(null, { status: 304, headers });
  }
  const tag = headers.get("etag");
  const made = archives.get(request.url.pathname);
  const text = made !== undefined && made.tag === tag ? made.bytes : answer.body();
  const body = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const status = answer.status ?? 200;
  const zipped = answer.contentType === "application/zip";
  if (zipped && tag !== null) archives.set(request.url.pathname, { tag, bytes: body });
  if (zipped || !/\bgzip\b/.test(conditions.get("accept-encoding") ?? "")) {
    return new Response(body, { status, headers });
  }
  headers.set("content-encoding", "gzip");
  headers.set("vary", "Accept-Encoding");
  return new Response(new Uint8Array(gzipSync(body, { level: 5 })), { status, headers });
}

/** If-None-Match decides where it is sent; a date matches only itself. */
function matches(headers: Headers, etag: string, modified: string): boolean {
  const tags = headers.get("if-none-match");
  if (tags === null) return headers.get("if-modified-since") === modified;
  return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

function httpDate(instant: Instant): string {
  return new Date(instant).toUTCString();
}
