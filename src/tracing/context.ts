/** Where a span belongs: the identifiers of W3C Trace Context, and the sampler's word on whether it is sent. */

export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** The same of 16 digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version, trace, parent, flags; later versions may have more after another dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_VERSION = "ff";
const LONGEST = 512;

/** The parent that a `traceparent` header names; null where it is absent or not well-formed. */
export function readTraceparent(header: string | null): TraceContext | null {
  if (header === null || header.length > LONGEST) return null;
  const [, version = "", traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (version === "" || version === NO_VERSION || (version === "00" && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const POOL = Buffer.alloc(4_080);
let used = POOL.length;

/** A random identifier in hexadecimal digits. */
function newId(bytes: number): string {
  if (used + bytes > POOL.length) {
    crypto.getRandomValues(POOL);
    used = 0;
  }
  used += bytes;
  return POOL.toString("hex", used - bytes, used);
}

export const newTraceId = (): string => newId(TRACE_BYTES);
export const newSpanId = (): string => newId(SPAN_BYTES);

/** As the specification of OpenTelemetry names them. */
export type SamplerName = Root | `parentbased_${Root}`;
type Root = "always_on" | "always_off" | "traceidratio";

export type Sampler = (traceId: string, parent: Pick<TraceContext, "isSampled"> | null) => boolean;

/** Trace ids are random in their last 56 bits; 52 of these are an exact number. */
const RANDOM_DIGITS = 13;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

/** `ratio` is the share of traces that a sampler by ratio sends, 0 to 1: the same traces in every service that goes by it. */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  if (name.startsWith("parentbased_")) {
    const root = samplerOf(name.slice("parentbased_".length) as SamplerName, ratio);
    return (traceId, parent) => parent?.isSampled ?? root(traceId, null);
  }
  if (name !== "traceidratio") return () => name === "always_on";
  const rejected = (1 - ratio) * RANDOM_VALUES;
  return (traceId) => Number.parseInt(traceId.slice(-14, -14 + RANDOM_DIGITS), 16) >= rejected;
}
