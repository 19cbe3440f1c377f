/** The simulator of all upstreams: one local server that serves every real host under `/<host>/<path>`. */

import { gzipSync } from "node:zlib";
import type { Instant } from "#domain/time/day.ts";
import { ecbDaily, ecbSdmx } from "./ecb.ts";
import { fredGraph } from "./fred.ts";
import { coinbase, openExchangeRates } from "./live.ts";
import { banxico, sidof } from "./mexico.ts";
import { type Answer, type DemoRequest, TRUE_FIGURES, type Upstream } from "./request.ts";
import { createWorld, type RealHistory } from "./world.ts";

const HOSTS: Record<string, Upstream> = {
  "www.ecb.europa.eu": ecbDaily,
  "data-api.ecb.europa.eu": ecbSdmx,
  "fred.stlouisfed.org": fredGraph,
  "api.coinbase.com": coinbase,
  "openexchangerates.org": openExchangeRates,
  "www.banxico.org.mx": banxico,
  "sidof.segob.gob.mx": sidof,
};

/** `conditions` are the client's headers for validators and compression, by default those of the request. */
type Respond = (request: DemoRequest, conditions?: Headers) => Response;

export interface SimulatorOptions {
  /** The clock every answer depends on; it may move either way. */
  readonly now: () => Instant;
  readonly hosts?: Readonly<Record<string, Upstream>>;
  /** The ECB publishes these figures, and the simulated market is laid around them. Absent: everything is simulated. */
  readonly real?: RealHistory | null;
  /** Answers instead of `respond`; `gone` resolves when the server stops. */
  readonly answer?: (
    request: DemoRequest,
    respond: Respond,
    gone: Promise<void>,
  ) => Response | Promise<Response>;
}

const SEED = 20_260_413;

export async function startSimulator({
  now,
  hosts = {},
  real = null,
  answer = (request, respond) => respond(request),
}: SimulatorOptions) {
  const world = createWorld(SEED, real);
  const gone = Promise.withResolvers<void>();
  const archives: Archives = new Map();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    reusePort: false,
    // The server ends no hanging or trickling answer: the client must give up.
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const [, host = "", ...path] = pathname.split("/");
      const upstream = HOSTS[host] ?? hosts[host];
      if (upstream === undefined) return new Response("no such host here", { status: 404 });
      const asked: DemoRequest = {
        url: new URL(`https://${host}/${path.join("/")}${search}`),
        headers: request.headers,
        ...{ world, now: now(), printing: TRUE_FIGURES },
      };
      const respond: Respond = (to, conditions = to.headers) =>
        responseTo(to, upstream(to), archives, conditions);
      return await answer(asked, respond, gone.promise);
    },
  });
  return {
    /** `http://127.0.0.1:<port>`: what UPSTREAM_BASE is set to. */
    base: `http://127.0.0.1:${server.port}`,
    world,
    async stop(): Promise<void> {
      gone.resolve();
      await server.stop(true);
    },
  };
}

/** The last zip of each address with its entity tag: the whole history takes 40 MB to make and 0.6 to keep. */
type Archives = Map<string, { readonly tag: string; readonly bytes: Uint8Array<ArrayBuffer> }>;

/** An answer on the wire, with validators and compression. */
function responseTo(request: DemoRequest, answer: Answer, archives: Archives, conditions: Headers): Response {
  const { since, serial } = request.printing;
  const headers = new Headers({ "content-type": answer.contentType, date: httpDate(request.now) });
  if (answer.lastModified !== undefined) {
    const version = `${request.url.href} ${answer.lastModified} ${serial}`;
    const etag = `"${Bun.hash(version).toString(36)}"`;
    // A new way of printing changes every document at the moment when it begins.
    const modified = httpDate(Math.max(answer.lastModified, since));
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

/** If-None-Match, where sent, decides alone. Else If-Modified-Since must be exactly the document's date. */
function matches(headers: Headers, etag: string, modified: string): boolean {
  const tags = headers.get("if-none-match");
  if (tags === null) return headers.get("if-modified-since") === modified;
  return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

function httpDate(instant: Instant): string {
  return new Date(instant).toUTCString();
}
