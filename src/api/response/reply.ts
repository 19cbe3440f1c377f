/** Success answers: bodies are cached by URL, and made only when none is ready. */

import type { Ask } from "#accounts/limits/admit.ts";
import { type CountRequest, countAnswer } from "#api/request/count-request.ts";
import { type Charge, type Meter, settleThrown } from "#api/request/metering.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import type { Clock } from "#ports.ts";
import type { Spot } from "#rates/spot.ts";
import { etagOf } from "./conditions.ts";
import { assemble, encodePieces, type Pieces, roomFor } from "./encode.ts";
import { isRealBody } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { newReadyBodies, newReadyBodySender, type ReadyBody } from "./ready-body.ts";

/** Larger bodies (pages of a range) are put together anew: they are cut from ready text, and would push out all others. */
const LARGEST_READY = 16 * 1024;

/** A body ready to send, but for the second in which it is served. */
interface Ready extends ReadyBody {
  readonly turnsWith: ReplyOptions["turnsWith"];
  readonly isJson: IsJson | null;
  /** Pattern of the route that answers this URL. */
  readonly route: string;
  readonly ask: Ask;
  /** What the content was made for; see `epochAt`. */
  readonly epoch: unknown;
}

export interface ReplyDeps {
  readonly clock: Clock;
  readonly dataset: () => Dataset | null;
  readonly spot: Spot;
  readonly meter: Meter;
  readonly caches: CacheBudget;
  readonly large: LargeBodies;
  /** Sent with every answer of the demo. */
  readonly simulated: boolean;
  /** Counts an answer that was ready, under the pattern of its route. */
  readonly countRequest?: CountRequest;
}

export interface ReplyOptions {
  /** How long caches may reuse the answer without revalidation; not at all while a source was never collected. */
  readonly maxAgeSeconds: number;
  /**
   * What besides the dataset the content depends on, for how long it may be cached: on the spot table (live quotes,
   * staleness), or only on the market session and the UTC day.
   */
  readonly turnsWith: "spot" | "session";
  /** Where the URL has other forms than JSON, which Accept can ask for: whether it gets JSON. */
  readonly isJson?: IsJson;
}

type IsJson = (accept: string | null) => boolean;

/** What the content of an answer can change with. */
export interface Basis {
  readonly dataset: Dataset | null;
  readonly epoch: unknown;
}

export interface Reply {
  /** What an answer is made of that is begun now. */
  basis(turnsWith: ReplyOptions["turnsWith"], delayMinutes: number | undefined): Basis;
  /** Answers with a body, which is ready from then on for all who ask the same URL while the content holds. */
  send(
    request: Request,
    options: ReplyOptions,
    body: object,
    charge: Pick<Charge, "admission" | "ask">,
    /** Of when the body was begun; without it the body is made for this answer alone. */
    basis: Basis | undefined,
  ): Response;
  /** The answer to a GET or HEAD, begun at `performance.now()`, whose very URL has a ready body that still holds; else null. */
  ready(request: Request, began: number): Response | Promise<Response> | null;
}

/**
 * `routeOf` gives the pattern of a request's route. A body is ready for the current dataset and epoch: everything but `timestamp` that an
 * answer says can change only with the dataset, with the spot table, or at the turn of a session or a day.
 */
export function createReply(deps: ReplyDeps, routeOf: (request: Request) => string): Reply {
  const cached = newReadyBodies<Ready>(deps.caches, deps.dataset);
  const sender = newReadyBodySender(deps);
  const prepare = newPreparation();
  const sessionAt = newSessions();

  /** The same as long as the content cannot have changed without the dataset. */
  const epochAt = (now: Instant, turnsWith: ReplyOptions["turnsWith"], delayMinutes?: number): unknown =>
    turnsWith === "spot" ? deps.spot(delayMinutes) : sessionAt(now);
  /** The ready body of a URL for callers with a delay, while it holds. */
  const find = (key: string, now: Instant, delayMinutes: number | undefined): Ready | null => {
    const ready = cached.get(key);
    if (ready === undefined || ready.epoch !== epochAt(now, ready.turnsWith, delayMinutes)) return null;
    return ready;
  };
  const basis: Reply["basis"] = (turnsWith, delayMinutes) => ({
    dataset: deps.dataset(),
    epoch: epochAt(deps.clock.now(), turnsWith, delayMinutes),
  });
  const send: Reply["send"] = (request, options, body, { admission, ask }, begun) => {
    const now = deps.clock.now();
    const { delayMinutes } = admission;
    const { dataset, epoch } = basis(options.turnsWith, delayMinutes);
    // A handler may have waited while new figures came in: its body is of the older ones.
    const isCurrent = begun?.dataset === dataset && begun.epoch === epoch;
    const lifetime = deps.dataset()?.pending === undefined ? options : { ...options, maxAgeSeconds: 0 };
    const made = prepare(encodePieces(body), lifetime, epoch);
    const isSmall = made.bytes.byteLength <= LARGEST_READY;
    const isReal = isRealBody(deps.simulated, body);
    const ready = { ...made, ask, isReal, route: isSmall ? routeOf(request) : "" };
    if (isSmall && isCurrent) cached.add(keyOf(request.url, delayMinutes), ready);
    return sender.send(request, ready, admission, now);
  };
  return {
    basis,
    send,
    ready: (request, began) => {
      if (request.method !== "GET" && request.method !== "HEAD") return null;
      const caller = deps.meter.known(request);
      if (caller === null) return null;
      const now = deps.clock.now();
      const ready = find(keyOf(request.url, caller.delayMinutes), now, caller.delayMinutes);
      if (ready === null) return null;
      if (ready.isJson !== null && !wantsJson(request.headers.get("accept"), ready.isJson)) return null;
      const answer = (charge: Charge): Response => {
        try {
          charge.reach(ready.ask.earliest, ready.ask.interval);
          const made = sender.send(request, ready, charge.admission, now);
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

/** A URL never begins with a digit, so that bodies of different delays have different keys. */
function keyOf(url: string, delayMinutes: number | undefined): string {
  return delayMinutes === undefined || delayMinutes === 0 ? url : `${delayMinutes} ${url}`;
}

function wantsJson(accept: string | null, isJson: IsJson): boolean {
  return accept === null || accept === "*/*" || accept === "application/json" || isJson(accept);
}

/** Which session and UTC day it is; both turn on whole minutes. */
function newSessions(): (now: Instant) => string {
  let last = { minute: Number.NaN, text: "" };
  return (now) => {
    const minute = Math.floor(now / 60_000);
    if (last.minute !== minute) last = { minute, text: `${marketSession(now)} ${dayAt(now)}` };
    return last.text;
  };
}

type Prepare = (
  pieces: Pieces,
  options: ReplyOptions,
  epoch: Ready["epoch"],
) => Omit<Ready, "route" | "ask" | "isReal">;

/** Bodies that are too large to be cached are put together in one place: a Response copies what it is given. */
function newPreparation(): Prepare {
  let scratch = new Uint8Array(256 * 1024);
  return (pieces, { maxAgeSeconds, turnsWith, isJson = null }, epoch) => {
    const room = roomFor(pieces);
    if (room > scratch.byteLength) scratch = new Uint8Array(room);
    const { length, stampAt } = assemble(pieces, scratch);
    const bytes = length > LARGEST_READY ? scratch.subarray(0, length) : scratch.slice(0, length);
    // The tag is over everything but the serving time, so it changes exactly when the content does.
    const etag = etagOf(bytes);
    return { bytes, stampAt, etag, maxAgeSeconds, turnsWith, isJson, epoch, second: -1 };
  };
}
