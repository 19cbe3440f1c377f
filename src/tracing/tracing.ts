/** Traces of a process: a span for each request, and for the work that events, deliveries and DuckDB's engine report, under the request that caused it. */

import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import type { AttemptOutcome } from "#domain/webhook/endpoint.ts";
import type { EngineUse } from "#ports/engine.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Emit } from "#telemetry.ts";
import { newSpanId, newTraceId, readTraceparent, type Sampler, type TraceContext } from "./context.ts";
import { spanOf } from "./event-spans.ts";
import type { SpanExporter } from "./exporter.ts";
import type { Attributes, Span, SpanKind } from "./otlp.ts";

export interface TracingOptions {
  readonly exporter: SpanExporter;
  readonly sampler: Sampler;
  /** Under which people reach the server. */
  readonly publicUrl: string;
  /** Channel of the runtime on which DuckDB's engine tells of its uses. */
  readonly engineChannel: string;
}

export type Tracing = ReturnType<typeof createTracing>;

type Answer = (request: Request) => Response | Promise<Response>;

/** What is under way in this chain of calls. */
interface Current extends TraceContext {
  readonly parent: TraceContext | null;
  readonly method: string;
  readonly beganAt: number;
}

interface Work {
  readonly name: string;
  readonly kind: SpanKind;
  readonly milliseconds: number;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

/** Those of RFC 9110, and PATCH: any other word may be a caller's own. */
const METHODS: ReadonlySet<string> = new Set(
  "CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE".split(" "),
);
const UNMATCHED = "unmatched";

/** Nothing is traced that does not pass what this returns, but for DuckDB's engine, which it listens to until `close`. */
export function createTracing({ exporter, sampler, publicUrl, engineChannel }: TracingOptions) {
  const { protocol, hostname } = new URL(publicUrl);
  const shared = { "url.scheme": protocol.slice(0, -1), "server.address": hostname };
  const storage = new AsyncLocalStorage<Current>();

  const begin = (request: Request): Current => {
    const parent = readTraceparent(request.headers.get("traceparent"));
    const traceId = parent?.traceId ?? newTraceId();
    const isSampled = sampler(traceId, parent);
    const { method } = request;
    return { traceId, spanId: newSpanId(), isSampled, parent, method, beganAt: performance.now() };
  };
  /** Work that has just ended, as a part of the request that caused it, else as a trace of its own. */
  const add = ({ name, kind, milliseconds, attributes, isFailed }: Work): void => {
    const parent = storage.getStore();
    const traceId = parent?.traceId ?? newTraceId();
    if (!(parent?.isSampled ?? sampler(traceId, null))) return;
    const endedAt = performance.now();
    exporter.add({
      ...{ traceId, spanId: newSpanId(), parentId: parent?.spanId ?? null, isParentRemote: false },
      ...{ name, kind, beganAt: endedAt - milliseconds, endedAt, attributes, isFailed },
    });
  };
  const engineUsed = (message: unknown): void => {
    // A commit or an export has a span of its own: alone, the engine's would say nothing.
    if (storage.getStore() === undefined) return;
    const { milliseconds, isFailed } = message as EngineUse;
    add({
      name: "duckdb",
      kind: "client",
      milliseconds,
      attributes: { "db.system.name": "duckdb" },
      isFailed,
    });
  };
  const engines = channel(engineChannel);
  engines.subscribe(engineUsed);

  return {
    /** The application's way of a request, under a span. */
    answering:
      (answer: Answer): Answer =>
      (request) =>
        storage.run(begin(request), answer, request),
    /** To be called when the answer exists, which ends the span. */
    countRequest: (route: string, status: number): void => {
      const current = storage.getStore();
      if (current?.isSampled === true) exporter.add(requestSpan(current, route, status, shared));
    },
    /** Gives the event to `emit`, that of a failed request with its trace, and makes a span of it where it reports work. */
    emitting:
      (emit: Emit): Emit =>
      (event) => {
        const work = spanOf(event);
        if (work !== null) add({ ...work, kind: "internal" });
        const current = event.kind === "request_failed" ? storage.getStore() : undefined;
        emit(current === undefined ? event : { ...event, ...traceOf(current) });
      },
    /** A span for every attempt to deliver an event. Nothing of it is sent to the receiver. */
    outbox: (outbox: Outbox): Outbox => ({
      ...outbox,
      complete: async (delivery, outcome, next, at) => {
        add(deliveryWork(outcome));
        return await outbox.complete(delivery, outcome, next, at);
      },
    }),
    counts: exporter.counts,
    close: async (): Promise<void> => {
      engines.unsubscribe(engineUsed);
      await exporter.close();
    },
  };
}

function traceOf({ traceId }: TraceContext) {
  return { traceId };
}

/** By the semantic conventions of HTTP servers; without the path, the query and the address of the caller. */
function requestSpan(current: Current, route: string, status: number, shared: Attributes): Span {
  const { traceId, spanId, parent, beganAt } = current;
  const method = METHODS.has(current.method) ? current.method : "_OTHER";
  const word = method === "_OTHER" ? "HTTP" : method;
  const isFailed = status >= 500;
  return {
    ...{ traceId, spanId, parentId: parent?.spanId ?? null, isParentRemote: parent !== null },
    ...{ kind: "server", beganAt, endedAt: performance.now(), isFailed },
    name: route === UNMATCHED ? word : `${word} ${route}`,
    attributes: {
      ...shared,
      "http.request.method": method,
      ...(route === UNMATCHED ? {} : { "http.route": route }),
      "http.response.status_code": status,
      ...(isFailed ? { "error.type": String(status) } : {}),
    },
  };
}

/** Receivers are customers' own: their addresses are not shown. */
function deliveryWork({ status, fault, milliseconds }: AttemptOutcome): Work {
  const isFailed = status === null || status >= 400;
  return {
    ...{ name: "POST webhook", kind: "client", milliseconds, isFailed },
    attributes: {
      "http.request.method": "POST",
      ...(status === null ? {} : { "http.response.status_code": status }),
      ...(isFailed ? { "error.type": status === null ? (fault ?? "_OTHER") : String(status) } : {}),
    },
  };
}
