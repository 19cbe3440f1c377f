/** GET /v1/stream: latest rates and every change of them as Server-Sent Events. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { errorBody } from "#api/errors.ts";
import { base, dp, type Parameter, query, queryPathBase, type Read, symbols } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { LATEST_EXAMPLE, latestBody } from "#api/rates/latest.ts";
import { isHead } from "#api/request/inner-request.ts";
import type { CallerDeps, Meter } from "#api/request/metering.ts";
import { respond, unknownLength } from "#api/response/respond.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import type { Caller } from "#domain/limits/counts.ts";
import { SERVED_AT } from "#domain/net/message.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { latestOf } from "#rates/latest.ts";
import type { RatesDeps } from "#rates/query.ts";
import { newSlots, type StreamBounds } from "#rates/stream/slots.ts";
import type { Frames, Stream, StreamEvent, Subscription } from "#rates/stream/stream.ts";

const ENCODER = new TextEncoder();
/** The delay before clients connect again. */
const RETRY = ENCODER.encode("retry: 3000\n");

/**
 * Frames of the HTML standard, section 9.2.5: one line of data, then an empty line. Only events have the empty line: many readers
 * take any empty line for the end of an event, also after a comment or `retry`.
 */
export const EVENT_FRAMES: Frames = {
  event: (event: StreamEvent, now: Instant) => {
    const { name, id } = event;
    const body = "refusal" in event ? errorBody(event.refusal) : latestBody(event.rates);
    const json = JSON.stringify(body).replace(SERVED_AT, secondOf(now));
    return ENCODER.encode(`event: ${name}\nid: ${id}\ndata: ${json}\n\n`);
  },
  heartbeat: (now: Instant) => ENCODER.encode(`: ${secondOf(now)}\n`),
};

const EVENT_STREAM = {
  mime: "text/event-stream; charset=utf-8",
  cacheControl: "no-store",
  // nginx would otherwise keep events back until its buffer is full.
  headers: { "X-Accel-Buffering": "no" },
};

const ID_EXAMPLE = "79a4a7ed278dad43f259a2-43783ed8";
/** Ids are opaque, and an unknown one only means a snapshot: nothing is refused. */
const ID = Type.String({ maxLength: 200 });

const lastEventId = { schema: ID, example: ID_EXAMPLE, inSampleCall: false } as const;

const parameters = {
  base,
  path_base: queryPathBase,
  symbols,
  dp,
  /** Events never have an empty id. */
  last_event_id: {
    ...lastEventId,
    description: "`Last-Event-ID` for clients that cannot set headers; the header wins.",
    parse: (text) => text || null,
  } satisfies Parameter<string | null>,
};
export const streamQuery = query(parameters);

export const STREAM_EXAMPLE = [
  "retry: 3000",
  "event: snapshot",
  `id: ${ID_EXAMPLE}`,
  `data: ${JSON.stringify(LATEST_EXAMPLE)}`,
  "",
  "",
].join("\n");

export interface StreamDeps extends Pick<RatesDeps, "spot">, CallerDeps {
  readonly stream: Stream;
  readonly simulated: boolean;
  readonly streamBounds: StreamBounds;
}

export interface Reader {
  /** Null when only addresses distinguish callers. */
  readonly caller: Caller | null;
  readonly delayMinutes: number | undefined;
  /** Returns whether the stream may continue. */
  holds(): boolean | Promise<boolean>;
}

/** Answers with streams, each within the bounds of its reader. */
export function openStreams(deps: StreamDeps) {
  const slots = newSlots(deps.streamBounds, (reason) => deps.stream.refused(reason));
  return (
    request: Request,
    { base, symbols, dp, last_event_id }: Read<typeof parameters>,
    { caller, delayMinutes, holds }: Reader,
  ): Response => {
    if (isHead(request)) {
      latestOf(deps.spot(delayMinutes), { base, symbols, dp });
      return respond(request, deps, EVENT_STREAM, unknownLength);
    }
    // A client that was connected sends the header; the query's id is older.
    const lastEvent = request.headers.get("last-event-id") ?? last_event_id;
    const body = bodyOf(request.signal, holds, (outlet) =>
      slots.held(
        caller,
        () => deps.callerOf(request),
        () => deps.stream.subscribe({ base, symbols, dp, delayMinutes }, lastEvent, outlet),
      ),
    );
    return respond(request, deps, EVENT_STREAM, () => ({ body, bytes: Number.NaN }));
  };
}

type RouteDeps = StreamDeps & { readonly house: House; readonly meter: Pick<Meter, "stillHolds"> };

export const stream = ({ house, ...deps }: RouteDeps) => {
  const answer = openStreams(deps);
  return new Elysia({ name: "stream" }).use(house).get(
    "/v1/stream",
    async ({ request, query, caller: { caller, delayMinutes } }) => {
      const holds = () => deps.meter.stillHolds(request, delayMinutes);
      return answer(request, query, { caller, delayMinutes, holds });
    },
    operation({
      metered: true,
      wire: { isEndless: true },
      query: streamQuery,
      id: "getStream",
      tag: "Stream",
      summary: "Latest rates as they change",
      description: [
        "Server-Sent Events. The query is that of `/v1/latest`.",
        "- `snapshot` comes first: the `LatestResponse` of this query. It replaces everything received before.",
        "- `rates` follows with every change: a `LatestResponse` of the currencies with a change of rate, source, `effective_at`, `stale` or place in `derived_symbols`, or of all when `market_session` changed. `rates`, `sources`, `effective_at` and `stale` replace what was there member by member; `source`, `data_updated_at` and `notice` are of the currencies in the event. `simulated`, only in the demo, is of the currencies in the event too: one that it does not name is real. `missing_symbols` comes with snapshots only: a currency in `rates` is missing no longer.",
        "- `unavailable` carries an error envelope when no rate is left to serve; a `snapshot` follows once there is one.",
        "",
        "Every event has an `id`; a comment with the serving time comes after 15 seconds without one. A reader that is slow gets all it has missed in one event; one that takes nothing for a minute is disconnected. Example of what follows a snapshot:",
        "",
        "```",
        "event: rates",
        `id: ${ID_EXAMPLE}`,
        'data: {"result":"success","base":"USD","source":"live","sources":{"EUR":"live"},"market_session":"open",…}',
        "",
        ": 2026-04-13T16:30:15Z",
        "```",
      ].join("\n"),
      headers: {
        "Last-Event-ID": {
          ...lastEventId,
          description:
            "`id` of the last event received, as `EventSource` sends it by itself: where the server knows that state, the stream begins with what has changed since, else with a snapshot.",
        },
      },
      ok: {
        description: "The stream; it does not end by itself.",
        mime: "text/event-stream",
        schema: Type.String({
          description: "Events by the HTML standard, section 9.2; `data` is one line of JSON.",
          contentMediaType: "text/event-stream",
        }),
        example: STREAM_EXAMPLE,
        headers: {
          "X-Accel-Buffering": ["Makes nginx pass events on at once.", "no"],
        },
      },
      errors: [...NO_LATEST_RATE, "service_unavailable"],
    }),
  );
};

/**
 * Makes one reader's bytes. The queue has one chunk at most, because writes wait for the reader; the server pulls the
 * next chunk when the socket has taken the one before. Every few seconds the caller is checked again: the stream ends
 * when it no longer `holds`.
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
    },
    admit: () => {
      const verdict = holds();
      if (verdict === true) return;
      // Later: the list of readers is being iterated.
      void Promise.resolve(verdict).then((still) => still || end(), end);
    },
    end,
  });
  // A reader that leaves aborts the signal, cancels the body, or both.
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  return body;
}

function secondOf(now: Instant): string {
  return formatInstant(Math.floor(now / 1000) * 1000);
}
