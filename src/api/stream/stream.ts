/** GET /v1/stream: latest rates and every change of them as Server-Sent Events. */

import { isHead } from "#api/request/inner-request.ts";
import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { encodePieces } from "#api/response/encode.ts";
import { respond, unknownLength } from "#api/response/respond.ts";
import { eventBody } from "#contract/stream/stream.ts";
import { parseSymbols } from "#domain/currency/pair.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { latestOf } from "#rates/latest.ts";
import { baseOf, parseDp } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { Frames, StreamEvent } from "#rates/stream/event.ts";
import type { Stream, Subscription } from "#rates/stream/stream.ts";
import { newSlots, type StreamBounds } from "./slots.ts";

export interface StreamRouteDeps extends Pick<RatesDeps, "spot"> {
  readonly stream: Stream;
  readonly simulated: boolean;
  readonly meter: Meter;
  readonly streamBounds: StreamBounds;
  /** Who sends a request, as limits count callers without a key. */
  readonly callerOf: (request: Request) => string;
}

const ENCODER = new TextEncoder();
/** How long clients wait before they connect again. */
const RETRY = ENCODER.encode("retry: 3000\n");

/**
 * The events in the form that the HTML standard gives them, section 9.2.5: one line of data, an empty line. Only an event ends with the empty line:
 * many readers take each one for an event, also after a comment or `retry` alone.
 */
export const EVENT_FRAMES: Frames = {
  event: (event: StreamEvent, now: Instant) => {
    const { name, id } = event;
    const served = `"${secondOf(now)}"`;
    const body = eventBody("refusal" in event ? event.refusal : event.rates);
    const json = encodePieces(body).map((piece) => (typeof piece === "string" ? piece : served));
    return ENCODER.encode(`event: ${name}\nid: ${id}\ndata: ${json.join("")}\n\n`);
  },
  heartbeat: (now: Instant) => ENCODER.encode(`: ${secondOf(now)}\n`),
};

const EVENT_STREAM = {
  mime: "text/event-stream; charset=utf-8",
  cacheControl: "no-store",
  // nginx would otherwise hold events back until its buffer is full.
  headers: { "X-Accel-Buffering": "no" },
};

export function streamRoutes(deps: StreamRouteDeps): Route[] {
  const slots = newSlots(deps.streamBounds, deps.stream.refused);
  const handle = (request: Request) => {
    const query = queryOf(request);
    const wantedRates = {
      base: baseOf(query, undefined),
      symbols: parseSymbols(query("symbols")),
      dp: parseDp(query("dp")),
    };
    // The header is what a client that has been connected sends; the query's is of the time before. An empty one is of no event.
    const lastEventId = request.headers.get("last-event-id") ?? (query("last_event_id") || null);
    return deps.meter.run(request, ONE_CALL, ({ delayMinutes, caller }) => {
      if (isHead(request)) {
        latestOf(deps.spot(delayMinutes), wantedRates);
        return respond(request, deps, EVENT_STREAM, unknownLength);
      }
      const wanted = { ...wantedRates, delayMinutes };
      const holds = () => deps.meter.stillHolds(request, delayMinutes);
      const body = bodyOf(request.signal, holds, (outlet) =>
        slots.held(
          caller,
          () => deps.callerOf(request),
          () => deps.stream.subscribe(wanted, lastEventId, outlet),
        ),
      );
      return respond(request, deps, EVENT_STREAM, () => ({ body, bytes: Number.NaN }));
    });
  };
  return [{ method: "GET", path: "/v1/stream", handle, isMetered: true, isEndless: true }];
}

/**
 * One reader's bytes. The queue holds one chunk at most, because nothing is written while it is not ready; the server
 * takes the next only when the socket has taken the one before, and says so by pulling. With every event, and with every
 * heartbeat between them, the caller is checked again: the stream ends when it no longer `holds`.
 */
function bodyOf(
  signal: AbortSignal,
  holds: () => boolean | Promise<boolean>,
  subscribe: (outlet: Parameters<Stream["subscribe"]>[2]) => Subscription,
): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let subscription: Subscription | undefined;
  let prefix: Uint8Array | null = RETRY;
  let isOver = false;
  const leave = () => {
    isOver = true;
    subscription?.leave();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    pull: () => subscription?.drained(),
    cancel: leave,
  });
  const own = controller as unknown as ReadableStreamDefaultController<Uint8Array>;
  const end = () => {
    if (isOver) return;
    leave();
    own.close();
  };
  subscription = subscribe({
    ready: () => (own.desiredSize ?? 0) > 0,
    write: (bytes) => {
      own.enqueue(prefix === null ? bytes : Buffer.concat([prefix, bytes]));
      prefix = null;
      const verdict = holds();
      if (verdict === true) return;
      // After the event: the list of readers is being iterated.
      void Promise.resolve(verdict).then((still) => still || end(), end);
    },
    end,
  });
  // Whichever comes first; both happen where the reader is gone before the body was looked at, or after.
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  return body;
}

function secondOf(now: Instant): string {
  return formatInstant(Math.floor(now / 1000) * 1000);
}
