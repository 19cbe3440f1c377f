/** Ready bodies: cached by URL, and sent with the serving second written into them, compressed for clients that accept it. */

import { sized } from "#api/request/count-request.ts";
import { type Admission, addVaryCaller, setLimitHeaders } from "#api/request/metering.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import type { Instant } from "#domain/time/day.ts";
import { isKnown } from "./conditions.ts";
import { compress, SMALLEST_COMPRESSED } from "./content-coding.ts";
import { servedAtBytes } from "./encode.ts";
import { cacheFor, headersOf, REAL_MODE, requestId } from "./headers.ts";
import { type LargeBodies, SMALLEST_LARGE } from "./large-bodies.ts";
import { type Encoding, preferredEncoding } from "./negotiation.ts";

export interface ReadyBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of the 20 characters of the serving time in `bytes`, or -1. */
  readonly stampAt: number;
  readonly etag: string;
  readonly maxAgeSeconds: number;
  /** In the demo: every rate in it is real. */
  readonly isReal: boolean;
  /** The second that is written in `bytes` now. */
  second: number;
}

export interface ReadyBodySender {
  send(request: Request, ready: ReadyBody, admission: Admission, now: Instant): Response;
}

/** One Headers object, reused for all answers: a Response copies it. */
interface ReusedHeaders {
  readonly headers: Headers;
  etag: string;
  /** The caller's quota status in the headers. */
  limit: number;
  resetAt: number;
}

export function newReadyBodySender(deps: {
  readonly simulated: boolean;
  readonly caches: CacheBudget;
  readonly large: LargeBodies;
}): ReadyBodySender {
  const { simulated, large } = deps;
  const codedBody = newCodedBodies(deps.caches);
  /** By lifetime in caches, that of real rates of the demo as a negative number; with and without limits. */
  const [limited, unlimited] = [new Map<number, ReusedHeaders>(), new Map<number, ReusedHeaders>()];
  let served = { second: Number.NaN, bytes: new Uint8Array(0) };

  const headersFor = (
    request: Request,
    { etag, maxAgeSeconds, isReal }: ReadyBody,
    quota: QuotaStatus | null,
  ) => {
    const byMaxAge = quota === null ? unlimited : limited;
    const place = isReal ? -1 - maxAgeSeconds : maxAgeSeconds;
    let reused = byMaxAge.get(place);
    const id = requestId(request.headers);
    if (reused === undefined) {
      reused = newHeaders(id, simulated, maxAgeSeconds, quota !== null);
      if (isReal) for (const name in REAL_MODE) reused.headers.set(name, REAL_MODE[name] as string);
      byMaxAge.set(place, reused);
    } else reused.headers.set("X-Request-Id", id);
    const { headers } = reused;
    if (reused.etag !== etag) {
      headers.set("ETag", etag);
      reused.etag = etag;
    }
    if (quota === null) return headers;
    if (reused.limit === quota.limit && reused.resetAt === quota.resetAt)
      headers.set("X-RateLimit-Remaining", String(quota.remaining));
    else setLimitHeaders(headers, quota);
    reused.limit = quota.limit;
    reused.resetAt = quota.resetAt;
    return headers;
  };
  /** Writes the serving second into the body: a Response made earlier has its own copy. */
  const stamp = (ready: ReadyBody, second: number): void => {
    ready.second = second;
    if (ready.stampAt < 0) return;
    if (served.second !== second) served = { second, bytes: servedAtBytes(second) };
    ready.bytes.set(served.bytes, ready.stampAt);
  };

  return {
    send: (request, ready, admission, now) => {
      const headers = headersFor(request, ready, admission.quota);
      admission.isQuotaWritten = true;
      const known = request.headers.get("if-none-match");
      if (known !== null && isKnown(known, ready.etag)) return notModified(headers);
      const second = Math.floor(now / 1000);
      if (ready.second !== second) stamp(ready, second);
      const { bytes } = ready;
      const accepted = bytes.byteLength < SMALLEST_COMPRESSED ? null : request.headers.get("accept-encoding");
      const encoding = accepted === null ? null : preferredEncoding(accepted);
      // The server writes the length of a whole body.
      if (encoding === null && bytes.byteLength <= SMALLEST_LARGE)
        return sized(new Response(bytes, { headers }), bytes.byteLength);
      const body = encoding === null ? bytes : codedBody(ready, encoding, second);
      const own = new Headers(headers);
      if (encoding !== null) own.set("Content-Encoding", encoding);
      own.set("Content-Length", String(body.byteLength));
      return new Response(large.own(request, body), { headers: own });
    },
  };
}

function newHeaders(id: string, simulated: boolean, maxAgeSeconds: number, limited: boolean): ReusedHeaders {
  const headers = headersOf(id, simulated, {
    cacheControl: cacheFor(maxAgeSeconds),
    vary: "Accept, Accept-Encoding",
    headers: { "Content-Type": "application/json" },
  });
  if (limited) addVaryCaller(headers);
  return { headers, etag: "", limit: Number.NaN, resetAt: Number.NaN };
}

function notModified(headers: Headers): Response {
  const bare = new Headers(headers);
  bare.delete("Content-Type");
  return new Response(null, { status: 304, headers: bare });
}

interface ReadyBodies<Item> {
  get(key: string): Item | undefined;
  add(key: string, item: Item): void;
}

/** The share of the cache budget: the whole history on one base is about 31 MB. */
const SHARE = 0.7;
/** Address, headers' tag and bookkeeping of one ready body. */
const ENTRY_BYTES = 450;
const LONGEST_KEY = 512;

/** Empties itself for each new dataset. */
export function newReadyBodies<Item extends { readonly bytes: Uint8Array }>(
  caches: CacheBudget,
  newestDataset: () => Dataset | null,
): ReadyBodies<Item> {
  const items = caches.cache<string, Item>("ready_bodies", { share: SHARE });
  let dataset: Dataset | null = null;
  return {
    get: (key) => {
      const newest = newestDataset();
      if (newest !== dataset) {
        items.clear();
        dataset = newest;
      }
      return items.get(key);
    },
    add: (key, item) => {
      if (key.length <= LONGEST_KEY) items.set(key, item, item.bytes.byteLength + ENTRY_BYTES);
    },
  };
}

/** The share of the cache budget. Bodies beyond it are compressed for each request; the cache starts again every second. */
const CODED_SHARE = 0.05;

/** Compresses a body. `etag` identifies its content, apart from `second`, the time of sending. */
type CodedBody = (
  body: { readonly bytes: Uint8Array; readonly etag: string },
  encoding: Encoding,
  second: number,
) => Uint8Array<ArrayBuffer>;

/** Requests within the same second share compressed bodies. */
export function newCodedBodies(caches: CacheBudget): CodedBody {
  const cached = caches.cache<string, Uint8Array<ArrayBuffer>>("coded_bodies", { share: CODED_SHARE });
  let cachedSecond = Number.NaN;
  return ({ bytes, etag }, encoding, second) => {
    if (second !== cachedSecond) {
      cached.clear();
      cachedSecond = second;
    }
    const key = encoding + etag;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const coded = compress(bytes, encoding);
    cached.set(key, coded, coded.byteLength);
    return coded;
  };
}
