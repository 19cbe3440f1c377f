/** `/v1/stream` for as long as it is wanted: connections that end are followed by others, without a gap. */

import { type CallOptions, type Connection, successOf } from "./connection.ts";
import { CrossrateError } from "./error.ts";
import { type Frame, frameParser } from "./events.ts";
import { joined, type Schemas, type StreamQuery } from "./parameters.ts";
import { isPassing } from "./sending.ts";

/**
 * `snapshot` replaces all that came before. `rates` has the currencies that changed. `unavailable` is the refusal that
 * `latest` would get: no requested currency has a rate until the next `snapshot`.
 */
export type StreamEvent =
  | { readonly event: "snapshot" | "rates"; readonly id: string; readonly data: Schemas["LatestResponse"] }
  | { readonly event: "unavailable"; readonly id: string; readonly data: Schemas["ErrorEnvelope"] };

export interface StreamOptions extends CallOptions {
  /** `id` of the last event that an earlier stream of the same query gave: what changed since comes first. */
  readonly lastEventId?: string;
  /** Milliseconds without a byte after which the connection counts as broken; 45,000 by default. */
  readonly silence?: number;
}

const SILENCE_MILLISECONDS = 45_000;
/** Unless the server says otherwise. */
const RETRY_MILLISECONDS = 3000;
const LONGEST_RETRY_MILLISECONDS = 30_000;
const NAMES: readonly string[] = ["snapshot", "rates", "unavailable"] satisfies StreamEvent["event"][];

/**
 * Events until the loop is left or the signal aborted. A refusal that another attempt cannot change ends it with CrossrateError,
 * and so do as many failures in a row as there are retries, before the first event. After that it reconnects, unless a server
 * asks it to wait for longer than `longestWait`.
 */
export async function* streamEvents(
  connection: Connection,
  query: StreamQuery,
  { signal, lastEventId = "", silence = SILENCE_MILLISECONDS }: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { sending } = connection;
  const path = pathOf(query);
  let [id, retry, failures, hasBegun] = [lastEventId, RETRY_MILLISECONDS, 0, false];
  for (;;) {
    const line = lineOf(signal, silence);
    let problem = new CrossrateError("the stream ended", { code: "connection_failed" });
    try {
      const headers = { Accept: "text/event-stream", ...(id === "" ? {} : { "Last-Event-ID": id }) };
      const response = await eventsOf(connection, connection.request(path, headers, line.signal));
      const parser = frameParser();
      for await (const text of line.texts(response)) {
        for (const frame of parser.push(text)) {
          [id, failures, hasBegun] = [frame.id, 0, true];
          if (NAMES.includes(frame.event)) yield eventOf(frame);
        }
        retry = parser.retry() ?? retry;
      }
    } catch (fault) {
      signal?.throwIfAborted();
      if (!(fault instanceof CrossrateError) || !isPassing(fault.status)) throw fault;
      problem = fault;
    } finally {
      line.close();
    }
    signal?.throwIfAborted();
    if (!hasBegun && failures >= sending.retries) throw problem;
    // Half of it at least, so that the readers of a server that stopped do not come back together.
    const spread = Math.min(LONGEST_RETRY_MILLISECONDS, retry * 2 ** failures) * (0.5 + sending.random() / 2);
    const wait = Math.max((problem.retryAfter ?? 0) * 1000, spread);
    if (wait > Math.max(sending.longestWait, LONGEST_RETRY_MILLISECONDS)) throw problem;
    failures += 1;
    await sending.sleep(wait, signal ?? new AbortController().signal);
  }
}

function pathOf(query: StreamQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(joined(query)))
    if (value !== undefined) parameters.set(name, String(value));
  return `/v1/stream?${parameters}`;
}

async function eventsOf(connection: Connection, request: Request): Promise<Response> {
  const response = await successOf(connection, connection.begin(request));
  const type = response.headers.get("Content-Type") ?? "";
  if (type.startsWith("text/event-stream")) return response;
  throw new CrossrateError(`the answer is ${type || "of no type"}, not a stream of events`, {
    code: "unexpected_response",
    status: response.status,
  });
}

function eventOf({ event, id, data }: Frame): StreamEvent {
  return { event, id, data: JSON.parse(data) } as StreamEvent;
}

interface Line {
  readonly signal: AbortSignal;
  /** The text of a body as it comes, until it ends, breaks off or falls silent. */
  texts(response: Response): AsyncGenerator<string, void, undefined>;
  close(): void;
}

/** One connection, which ends with the caller's signal, by silence, or when it is closed. */
function lineOf(outer: AbortSignal | undefined, silence: number): Line {
  const control = new AbortController();
  const end = () => control.abort(outer?.reason);
  if (outer?.aborted === true) end();
  outer?.addEventListener("abort", end);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: control.signal,
    texts: async function* ({ body }) {
      if (body === null) return;
      const reader = body.getReader();
      const decoder = new TextDecoder();
      for (;;) {
        timer = setTimeout(() => control.abort(), silence);
        // However a connection ends, what follows is the next one.
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
        clearTimeout(timer);
        if (done || value === undefined) return;
        yield decoder.decode(value, { stream: true });
      }
    },
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", end);
      control.abort();
    },
  };
}
