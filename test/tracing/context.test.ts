/** W3C Trace Context as it is read, identifiers as they are made, and which traces a sampler sends. */

import { describe, expect, test } from "bun:test";
import { newSpanId, newTraceId, readTraceparent, type SamplerName, samplerOf } from "#tracing/context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent", () => {
  test("names the parent, and whether the caller sends its trace", () => {
    const parent = { traceId: TRACE, spanId: SPAN };
    expect(readTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...parent, isSampled: true });
    expect(readTraceparent(`00-${TRACE}-${SPAN}-02`)).toEqual({ ...parent, isSampled: false });
    // A later version may have more at its end.
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-09-more`)).toEqual({ ...parent, isSampled: true });
  });

  test.each([
    ["no header", null],
    ["an empty one", ""],
    ["no trace", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["no parent", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["the version that is none", `ff-${TRACE}-${SPAN}-01`],
    ["capital digits", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["a short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["more than version 00 has", `00-${TRACE}-${SPAN}-01-more`],
    ["one without an end", `cc-${TRACE}-${SPAN}-01-${"x".repeat(1_000)}`],
  ])("is not one: %s", (_, header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});

test("identifiers are random, of their length, and never the same", () => {
  const traces = Array.from({ length: 2_000 }, newTraceId);
  const spans = Array.from({ length: 2_000 }, newSpanId);
  expect(new Set(traces).size).toBe(traces.length);
  expect(new Set(spans).size).toBe(spans.length);
  expect(traces.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(spans.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
});

describe("a sampler", () => {
  const ids = Array.from({ length: 4_000 }, newTraceId);
  const share = (name: SamplerName, ratio: number) =>
    ids.filter((id) => samplerOf(name, ratio)(id, null)).length / ids.length;

  test("by ratio sends its share, and a smaller share is a part of a larger one", () => {
    expect(share("traceidratio", 1)).toBe(1);
    expect(share("traceidratio", 0)).toBe(0);
    expect(Math.abs(share("traceidratio", 0.25) - 0.25)).toBeLessThan(0.05);
    const [few, many] = [samplerOf("traceidratio", 0.1), samplerOf("traceidratio", 0.5)];
    expect(ids.filter((id) => few(id, null) && !many(id, null))).toEqual([]);
  });

  test("by the parent goes by the caller's word, and by its own where there is none", () => {
    const [always, never] = [samplerOf("parentbased_always_on", 1), samplerOf("parentbased_always_off", 1)];
    expect([always(TRACE, null), never(TRACE, null)]).toEqual([true, false]);
    expect([always(TRACE, { isSampled: false }), never(TRACE, { isSampled: true })]).toEqual([false, true]);
    expect(samplerOf("parentbased_traceidratio", 0)(TRACE, { isSampled: true })).toBe(true);
  });

  test("without the parent does not go by it", () => {
    expect(samplerOf("always_off", 1)(TRACE, { isSampled: true })).toBe(false);
    expect(samplerOf("traceidratio", 0)(TRACE, { isSampled: true })).toBe(false);
    expect(samplerOf("always_on", 0)(TRACE, { isSampled: false })).toBe(true);
  });
});
