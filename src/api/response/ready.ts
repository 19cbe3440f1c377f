/**
 * Ready answers: a body is cached by URL and made only when missing. It is sent with the serving second written into it,
 * compressed for clients that accept it.
 */

import type { Ask } from "#accounts/limits/admit.ts";
import { type CountRequest, countAnswer, sized } from "#api/request/count-request.ts";
import {
  addVaryCaller,
  type Charge,
  type Meter,
  setLimitHeaders,
  settleThrown,
} from "#api/request/metering.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import { type RawJson, SERVED_AT } from "#domain/net/message.ts";
import { marketSession } from "#domain/time/calendar.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Spot } from "#rates/spot.ts";
import { etagOf, isKnown } from "./conditions.ts";
import { cacheFor, headersOf, isRealBody, REAL_MODE, requestId } from "./headers.ts";
import { encodeBody, type Printed, printBody, stamp, stampText, wholeText } from "./json.ts";
import { type LargeBodies, SMALLEST_LARGE } from "./large-bodies.ts";
import { compress, type Encoding, preferredEncoding, SMALLEST_COMPRESSED } from "./negotiation.ts";

/** A body ready to send, but for the serving second. */
interface Ready {
  /** Of a short body, with the second of its last answer: a Response shares a text, and copies bytes. */
  text: string;
  /** Of a long body: the texts around its ready parts, and functions that look the parts up. */
  readonly shared: { readonly texts: Printed["texts"]; readonly again: readonly RawJson["again"][] } | null;
  /** In bytes. */
  readonly length: number;
  /** Position of the 20 characters of the serving time, or -1. */
  readonly stampAt: number;
  /** The second in the text. */
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
    const known = alike.get(key);
    if (known !== undefined) return known;
    const fields = {
      cacheControl: cacheFor(maxAgeSeconds),
      vary: "Accept, Accept-Encoding",
      headers: { "Content-Type": "application/json", ...(isReal ? REAL_MODE : {}) },
    };
    const limited = headersOf("", simulated, fields);
    addVaryCaller(limited);
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
    joined: Uint8Array<ArrayBuffer> | null,
    charge: Charge,
    now: Instant,
  ): Response => {
    const headers = headersFor(request, ready, charge.quota);
    charge.isQuotaWritten = true;
    const known = request.headers.get("if-none-match");
    if (known !== null && isKnown(known, ready.etag)) {
      const bare = new Headers(headers);
      bare.delete("Content-Type");
      return new Response(null, { status: 304, headers: bare });
    }
    const second = Math.floor(now / 1000);
    const { length, etag, stampAt } = ready;
    // Overwrites the second of bytes: a Response made earlier has its own copy.
    if (joined !== null) stamp({ bytes: joined, stampAt }, now);
    const body = joined ?? stampedText(ready, now, second);
    const accepted = length < SMALLEST_COMPRESSED ? null : request.headers.get("accept-encoding");
    const encoding = accepted === null ? null : preferredEncoding(accepted);
    // The server writes the length of a whole body.
    if (encoding === null && length <= SMALLEST_LARGE) return sized(new Response(body, { headers }), length);
    const bytes = joined ?? ENCODER.encode(ready.text);
    const sent = encoding === null ? bytes : codedBody({ bytes, etag }, encoding, second);
    const own = new Headers(headers);
    if (encoding !== null) own.set("Content-Encoding", encoding);
    own.set("Content-Length", String(sent.byteLength));
    return new Response(large.own(request, sent), { headers: own });
  };
}

/** Returns the text of a whole body with the second of `now`. */
function stampedText(ready: Ready, now: Instant, second: number): string {
  if (ready.second !== second) ready.text = stampText(ready.text, ready.stampAt, now);
  ready.second = second;
  return ready.text;
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
    const known = cached.get(key);
    if (known !== undefined) return known;
    const coded = compress(bytes, encoding);
    cached.set(key, coded, coded.byteLength);
    return coded;
  };
}

/** Larger bodies (pages of a range) are joined from their parts for each request: whole, they would push out all others. */
const LARGEST_WHOLE = 16 * 1024;
const ENCODER = new TextEncoder();
/** The places of the ready parts of one body. */
const PLACES_BYTES = 600;

/** Reused memory for such bodies: a Response copies it at once. New memory takes a fifth of the time of a 366-row page. */
const scratch = new Uint8Array(SMALLEST_LARGE);

function memoryFor(length: number): Uint8Array<ArrayBuffer> {
  if (length <= LARGEST_WHOLE || length > SMALLEST_LARGE) return Buffer.allocUnsafeSlow(length);
  return scratch.subarray(0, length);
}

/** Returns a long body; null when a part that it shares is no longer in memory. */
function lookUp({ texts, again: all }: NonNullable<Ready["shared"]>, length: number): Printed | null {
  const ready: Pick<RawJson, "parts">[] = [];
  for (const again of all) {
    const parts = again();
    if (parts === null) return null;
    ready.push({ parts });
  }
  return { texts, ready, length };
}

/** Prints and tags a body: its text, or, where it is long, its bytes and what it shares with others. */
function contentOf(body: object) {
  const printed = printBody(body);
  const { texts, ready, length } = printed;
  if (length > LARGEST_WHOLE) {
    const { bytes, stampAt } = encodeBody(printed, memoryFor);
    const isShared = ready.some((part) => part.again() !== null) && length <= SMALLEST_LARGE;
    const shared = isShared ? { texts, again: ready.map(({ again }) => again) } : null;
    return { bytes, text: "", shared, length, stampAt, etag: etagOf(bytes) };
  }
  const text = wholeText(printed);
  const stampAt = text.indexOf(SERVED_AT);
  const tagged = stampAt < 0 ? [text] : [text.slice(0, stampAt), text.slice(stampAt + SERVED_AT.length)];
  return { bytes: null, text, shared: null, length, stampAt, etag: etagOf(...tagged) };
}

function bytesOf({ shared, length }: Ready): number {
  if (shared === null) return length;
  return shared.texts.reduce((sum, text) => sum + text.length, shared.again.length * PLACES_BYTES);
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
    const { maxAgeSeconds, turnsWith, isJson = null } = lifetime;
    const { bytes, ...made } = contentOf(body);
    const isKept = bytes === null || made.shared !== null;
    const ready: Ready = {
      ...{ ...made, turnsWith, isJson, ask, epoch },
      second: Number.NaN,
      headers: headersFor(maxAgeSeconds, isRealBody(deps.simulated, body)),
      route: isKept ? routeOf(request) : "",
    };
    const key = keyOf(request.url, delayMinutes);
    if (isKept && isCurrent && key.length <= LONGEST_KEY)
      cached().set(key, ready, bytesOf(ready) + ENTRY_BYTES);
    return sendReady(request, ready, bytes, charge, now);
  };
  return {
    basis,
    send,
    /** Answers a GET or HEAD, begun at `performance.now()`, when its very URL has a valid ready body; else null. */
    ready: (request: Request, began: number): Response | Promise<Response> | null => {
      if (request.method !== "GET" && request.method !== "HEAD") return null;
      const caller = deps.meter.known(request);
      if (caller === null) return null;
      const now = deps.clock.now();
      const ready = find(keyOf(request.url, caller.delayMinutes), now, caller.delayMinutes);
      if (ready === null) return null;
      const long = ready.shared === null ? null : lookUp(ready.shared, ready.length);
      if (ready.shared !== null && long === null) return null;
      if (ready.isJson !== null && !wantsJson(request.headers.get("accept"), ready.isJson)) return null;
      const answer = (charge: Charge): Response => {
        try {
          charge.reach(ready.ask.earliest, ready.ask.interval);
          const joined = long === null ? null : encodeBody(long, memoryFor).bytes;
          const made = sendReady(request, ready, joined, charge, now);
          charge.settle(made.status);
          return countAnswer(deps.countRequest, ready.route, request, began, made);
        } catch (thrown) {
          throw settleThrown(charge, request, thrown);
        }
      };
      const charge = caller.charge(ready.ask.cost);
      return charge instanceof Promise ? charge.then(answer) : answer(charge);
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
