/**
 * Ready answers: a body is cached by URL and made only when missing. It is sent with the serving second written into it,
 * compressed for clients that accept it.
 */

import type { Ask } from "#accounts/limits/admit.ts";
import { type CountRequest, countAnswer, sized } from "#api/request/count-request.ts";
import {
  type Charge,
  keepForCaller,
  type Meter,
  setLimitHeaders,
  settleThrown,
} from "#api/request/metering.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import { RawJson } from "#domain/net/message.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Spot } from "#rates/spot.ts";
import { amountIn, type MembersFor, printerOf } from "./amounts.ts";
import { etagOf, isKnown } from "./conditions.ts";
import { cacheFor, headersOf, isRealBody, REAL_MODE, requestId } from "./headers.ts";
import { encodeBody, join, type Parts, partsOf, stamp } from "./json.ts";
import { type LargeBodies, SMALLEST_LARGE } from "./large-bodies.ts";
import { compress, type Encoding, preferredEncoding, SMALLEST_COMPRESSED } from "./negotiation.ts";

/** A body ready to send, but for the serving second. */
interface Ready {
  /** Its bytes; or its parts in order: text, and functions that look up parts which several bodies share. */
  readonly content: Uint8Array<ArrayBuffer> | readonly (Uint8Array | RawJson["again"])[];
  /** Position of the 20 characters of the serving time, or -1. */
  readonly stampAt: number;
  /** The second that a whole body has now. */
  second: number;
  /** Covers everything but the serving time: it changes exactly when the content does. */
  readonly etag: string;
  readonly headers: SharedHeaders;
  readonly turnsWith: ReplyOptions["turnsWith"];
  readonly isJson: IsJson | null;
  /** Pattern of the route that answers this URL. */
  readonly route: string;
  readonly ask: Ask;
  /** The state that the content was made for; see `epochAt`. */
  readonly epoch: unknown;
  /** Of a conversion: prints the body for another amount. */
  readonly printFor?: ReturnType<typeof printerOf>;
}

/** Headers shared by all answers with one lifetime and mode, without and with limits. */
interface SharedHeaders {
  readonly open: ReusedHeaders;
  readonly limited: ReusedHeaders;
}

/** Headers of one answer after the other: a Response copies them. A value that the next answer repeats is not written again. */
interface ReusedHeaders {
  readonly headers: Headers;
  etag: string;
  limit: number;
  resetAt: number;
}

function reused(headers: Headers): ReusedHeaders {
  return { headers, etag: "", limit: Number.NaN, resetAt: Number.NaN };
}

function newSharedHeaders(simulated: boolean) {
  const alike = new Map<string, SharedHeaders>();
  return (maxAgeSeconds: number, isReal: boolean): SharedHeaders => {
    const key = `${maxAgeSeconds} ${isReal}`;
    const cached = alike.get(key);
    if (cached !== undefined) return cached;
    const fields = {
      cacheControl: cacheFor(maxAgeSeconds),
      vary: "Accept, Accept-Encoding",
      headers: { "Content-Type": "application/json", ...(isReal ? REAL_MODE : {}) },
    };
    const limited = headersOf("", simulated, fields);
    keepForCaller(limited);
    const made = { open: reused(headersOf("", simulated, fields)), limited: reused(limited) };
    alike.set(key, made);
    return made;
  };
}

function newSender({ caches, large }: Pick<ReplyDeps, "caches" | "large">) {
  const codedBody = newCodedBodies(caches);
  const headersFor = (request: Request, ready: Ready, quota: QuotaStatus | null) => {
    const last = quota === null ? ready.headers.open : ready.headers.limited;
    const { headers } = last;
    headers.set("X-Request-Id", requestId(request.headers));
    if (last.etag !== ready.etag) headers.set("ETag", ready.etag);
    last.etag = ready.etag;
    if (quota === null) return headers;
    if (last.limit === quota.limit && last.resetAt === quota.resetAt)
      headers.set("X-RateLimit-Remaining", String(quota.remaining));
    else setLimitHeaders(headers, quota);
    last.limit = quota.limit;
    last.resetAt = quota.resetAt;
    return headers;
  };

  return (
    request: Request,
    ready: Ready,
    bytes: Uint8Array<ArrayBuffer>,
    charge: Charge,
    now: Instant,
  ): Response => {
    const headers = headersFor(request, ready, charge.quota);
    charge.isQuotaWritten = true;
    const tags = request.headers.get("if-none-match");
    if (tags !== null && isKnown(tags, ready.etag)) {
      const bare = new Headers(headers);
      bare.delete("Content-Type");
      return new Response(null, { status: 304, headers: bare });
    }
    const second = Math.floor(now / 1000);
    // Overwrites the second in place: a Response made earlier has its own copy.
    if (bytes !== ready.content || second !== ready.second) stamp({ bytes, stampAt: ready.stampAt }, now);
    ready.second = second;
    const accepted = bytes.byteLength < SMALLEST_COMPRESSED ? null : request.headers.get("accept-encoding");
    const encoding = accepted === null ? null : preferredEncoding(accepted);
    // The server writes the length of a whole body.
    if (encoding === null && bytes.byteLength <= SMALLEST_LARGE)
      return sized(new Response(bytes, { headers }), bytes.byteLength);
    const body = encoding === null ? bytes : codedBody({ bytes, etag: ready.etag }, encoding, second);
    const own = new Headers(headers);
    if (encoding !== null) own.set("Content-Encoding", encoding);
    own.set("Content-Length", String(body.byteLength));
    return new Response(large.own(request, body), { headers: own });
  };
}

/** The share of the cache budget: the whole history on one base is about 31 MB. */
const SHARE = 0.7;
/** Address, headers' tag and bookkeeping of one ready body. */
const ENTRY_BYTES = 450;
const LONGEST_KEY = 512;

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
    const cachedBytes = cached.get(key);
    if (cachedBytes !== undefined) return cachedBytes;
    const coded = compress(bytes, encoding);
    cached.set(key, coded, coded.byteLength);
    return coded;
  };
}

/** Larger bodies (pages of a range) are joined from their parts for each request: whole, they would push out all others. */
const LARGEST_WHOLE = 16 * 1024;
/** The places of the ready parts of one body. */
const PLACES_BYTES = 600;

/** Reused memory for such bodies: a Response copies it at once. New memory takes a fifth of the time of a 366-row page. */
const scratch = new Uint8Array(SMALLEST_LARGE);

function memoryFor(length: number): Uint8Array<ArrayBuffer> {
  if (length <= LARGEST_WHOLE || length > SMALLEST_LARGE) return Buffer.allocUnsafeSlow(length);
  return scratch.subarray(0, length);
}

type InMemory = Uint8Array<ArrayBuffer> | readonly Uint8Array[];

/** Returns the bytes of a ready body, or its parts; null when a shared part is no longer in memory. */
function inMemory({ content }: Ready): InMemory | null {
  if (content instanceof Uint8Array) return content;
  const parts: Uint8Array[] = [];
  for (const part of content) {
    const pieces = part instanceof Uint8Array ? [part] : part();
    if (pieces === null) return null;
    parts.push(...pieces);
  }
  return parts;
}

/** Returns the parts of a body without those that others share; null for a body that needs them all itself. */
function sharedPartsOf({ parts, length }: Parts): Exclude<Ready["content"], Uint8Array> | null {
  const isShared = parts.some((part) => part instanceof RawJson && part.again() !== null);
  if (!isShared || length > SMALLEST_LARGE) return null;
  return parts.map((part) => (part instanceof RawJson ? part.again : part));
}

function bytesOf(content: Ready["content"]): number {
  if (content instanceof Uint8Array) return content.byteLength;
  return content.reduce(
    (sum, part) => sum + (part instanceof Uint8Array ? part.byteLength : PLACES_BYTES),
    0,
  );
}

/** Joins parts in memory that the next call uses again. */
function wholeOf(content: InMemory): Uint8Array<ArrayBuffer> {
  if (content instanceof Uint8Array) return content;
  return join(content, memoryFor(content.reduce((sum, { byteLength }) => sum + byteLength, 0)));
}

export interface ReplyDeps {
  readonly clock: Clock;
  readonly dataset: () => Dataset | null;
  readonly spot: Spot;
  readonly meter: Meter;
  readonly caches: CacheBudget;
  readonly large: LargeBodies;
  readonly simulated: boolean;
  readonly countRequest?: CountRequest;
}

export interface ReplyOptions {
  /** The time that caches may reuse the answer without revalidation; 0 while a source was never collected. */
  readonly maxAgeSeconds: number;
  /**
   * Besides the dataset, the content changes with the spot table (live quotes, staleness), or only with the market
   * session and the UTC day.
   */
  readonly turnsWith: "spot" | "session";
  /** Returns whether Accept gets JSON, for a URL with other forms. */
  readonly isJson?: IsJson;
  /** Of a conversion: one body is then ready for every amount. */
  readonly membersFor?: MembersFor;
}

type IsJson = (accept: string | null) => boolean;

/** The state that an answer's content depends on. */
export interface Basis {
  readonly dataset: Dataset | null;
  readonly epoch: unknown;
}

export type Reply = ReturnType<typeof createReply>;

/**
 * `routeOf` returns the pattern of a request's route. A body is ready for the current dataset and epoch: everything in
 * it but `timestamp` changes only with the dataset, with the spot table, or at the turn of a session or a day.
 */
export function createReply(deps: ReplyDeps, routeOf: (request: Request) => string) {
  const items = deps.caches.cache<string, Ready>("ready_bodies", { share: SHARE });
  const sendReady = newSender(deps);
  const headersFor = newSharedHeaders(deps.simulated);
  const sessionAt = newSessions();
  let cachedFor: Dataset | null = null;
  /** The cache empties itself for each new dataset. */
  const cached = () => {
    const newest = deps.dataset();
    if (newest !== cachedFor) items.clear();
    cachedFor = newest;
    return items;
  };

  /** Returns a value that stays equal while only the dataset can change the content. */
  const epochAt = (now: Instant, turnsWith: ReplyOptions["turnsWith"], delayMinutes?: number): unknown =>
    turnsWith === "spot" ? deps.spot(delayMinutes).identity : sessionAt(now);
  /** Returns the valid ready body of a URL for callers with a delay. */
  const find = (key: string, now: Instant, delayMinutes: number | undefined): Ready | null => {
    const ready = cached().get(key);
    if (ready === undefined || ready.epoch !== epochAt(now, ready.turnsWith, delayMinutes)) return null;
    return ready;
  };
  /** Returns the ready body of a conversion, printed for the amount of a URL; null without either. */
  const findForAmount = (url: string, now: Instant, delayMinutes: number | undefined): Ready | null => {
    const asked = amountIn(url);
    const ready = asked === null ? null : find(keyOf(asked.key, delayMinutes), now, delayMinutes);
    if (asked === null || ready?.printFor === undefined) return null;
    const { bytes, stampAt } = ready.printFor(asked.amount);
    return { ...ready, content: bytes, stampAt, etag: etagOf(bytes), second: Number.NaN };
  };
  const basis = (turnsWith: ReplyOptions["turnsWith"], delayMinutes: number | undefined): Basis => ({
    dataset: deps.dataset(),
    epoch: epochAt(deps.clock.now(), turnsWith, delayMinutes),
  });
  /** Answers with a body. It is then ready for equal URLs while the content holds, unless figures came since `begun`. */
  const send = (
    request: Request,
    options: ReplyOptions,
    body: object,
    charge: Charge,
    begun: Basis | undefined,
  ): Response => {
    const now = deps.clock.now();
    const { delayMinutes, ask } = charge;
    const { dataset, epoch } = basis(options.turnsWith, delayMinutes);
    // New figures may have come in while the handler waited: its body has the older ones.
    const isCurrent = begun?.dataset === dataset && begun.epoch === epoch;
    const lifetime = deps.dataset()?.pending === undefined ? options : { ...options, maxAgeSeconds: 0 };
    const { maxAgeSeconds, turnsWith, isJson = null, membersFor } = lifetime;
    const asked = membersFor === undefined ? null : amountIn(request.url);
    const printed = partsOf(body);
    const { bytes, stampAt } = encodeBody(printed, memoryFor);
    const content = bytes.byteLength <= LARGEST_WHOLE ? bytes : sharedPartsOf(printed);
    const ready: Ready = {
      ...{ content: content ?? bytes, stampAt, etag: etagOf(bytes), turnsWith, isJson, ask, epoch },
      second: Number.NaN,
      headers: headersFor(maxAgeSeconds, isRealBody(deps.simulated, body)),
      route: content === null ? "" : routeOf(request),
      ...(membersFor !== undefined && asked !== null && { printFor: printerOf(body, membersFor) }),
    };
    const key = keyOf(asked?.key ?? request.url, delayMinutes);
    if (content !== null && isCurrent && key.length <= LONGEST_KEY)
      cached().set(key, ready, bytesOf(content) + ENTRY_BYTES);
    return sendReady(request, ready, bytes, charge, now);
  };
  const sendCounted = (
    request: Request,
    began: number,
    ready: Ready,
    content: InMemory,
    charge: Charge,
    now: Instant,
  ): Response => {
    try {
      charge.reach(ready.ask.earliest, ready.ask.interval);
      const made = sendReady(request, ready, wholeOf(content), charge, now);
      charge.settle(made.status);
      return countAnswer(deps.countRequest, ready.route, request, began, made);
    } catch (thrown) {
      throw settleThrown(charge, request, thrown);
    }
  };
  return {
    basis,
    send,
    /** Answers a GET or HEAD, begun at `performance.now()`, when its very URL has a valid ready body; else null. */
    ready: (request: Request, began: number): Response | Promise<Response> | null => {
      if (request.method !== "GET" && request.method !== "HEAD") return null;
      const caller = deps.meter.cachedCaller(request);
      if (caller === null) return null;
      const now = deps.clock.now();
      const { delayMinutes } = caller;
      const ready =
        find(keyOf(request.url, delayMinutes), now, delayMinutes) ??
        findForAmount(request.url, now, delayMinutes);
      const content = ready === null ? null : inMemory(ready);
      if (ready === null || content === null) return null;
      if (ready.isJson !== null && !wantsJson(request.headers.get("accept"), ready.isJson)) return null;
      const charge = caller.charge(ready.ask.cost);
      return charge instanceof Promise
        ? charge.then((later) => sendCounted(request, began, ready, content, later, now))
        : sendCounted(request, began, ready, content, charge, now);
    },
  };
}

/** A URL never begins with a digit: bodies of different delays have different keys. */
function keyOf(url: string, delayMinutes: number | undefined): string {
  return delayMinutes === undefined || delayMinutes === 0 ? url : `${delayMinutes} ${url}`;
}

function wantsJson(accept: string | null, isJson: IsJson): boolean {
  return accept === null || accept === "*/*" || accept === "application/json" || isJson(accept);
}

/** Names the session and UTC day; both turn on whole minutes. */
function newSessions(): (now: Instant) => string {
  let last = { minute: Number.NaN, text: "" };
  return (now) => {
    const minute = Math.floor(now / 60_000);
    if (last.minute !== minute) last = { minute, text: `${marketSession(now)} ${dayAt(now)}` };
    return last.text;
  };
}
