/** Spans as the body of an OTLP/HTTP request in JSON: the field names of opentelemetry/proto/trace/v1/trace.proto, in camel case. */

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A finished span. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Null of the first span of a trace. */
  readonly parentId: string | null;
  /** The parent is in another process. */
  readonly isParentRemote: boolean;
  readonly kind: SpanKind;
  readonly name: string;
  /** Both by `performance.now()`. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly isFailed: boolean;
}

/** As the protocol numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

const STATUS_ERROR = 2;
/** Bits of `flags` beside those of Trace Context. */
const FLAGS = { sampled: 0x01, remoteIsKnown: 0x100, isRemote: 0x200 } as const;

export interface Resource {
  /** service.name and what else describes the process. */
  readonly attributes: Attributes;
  /** Of the program that makes the spans. */
  readonly scope: { readonly name: string; readonly version: string };
}

/** The request's body. `anchor` is the time of day, in milliseconds since 1970, at which `performance.now()` was 0. */
export function exportBody(spans: readonly Span[], { attributes, scope }: Resource, anchor: number): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(attributes) },
        scopeSpans: [{ scope, spans: spans.map((span) => spanMessage(span, anchor)) }],
      },
    ],
  });
}

function spanMessage(span: Span, anchor: number) {
  const { traceId, spanId, parentId, name, kind, beganAt, endedAt, attributes, isFailed } = span;
  const remote = span.isParentRemote ? FLAGS.isRemote : 0;
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    flags: FLAGS.sampled | FLAGS.remoteIsKnown | remote,
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(anchor + beganAt),
    endTimeUnixNano: nanoseconds(anchor + endedAt),
    attributes: keyValues(attributes),
    status: isFailed ? { code: STATUS_ERROR } : {},
  };
}

/** A 64-bit number is a text in JSON; a double has room for microseconds of today. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`;
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** How many spans of an accepted request the collector did not take; 0 where its answer says nothing of it. */
export function rejectedIn(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: unknown } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}
