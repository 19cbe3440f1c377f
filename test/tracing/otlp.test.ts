/** The body of a request to a collector, read by the published definitions of OTLP. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { optionalPython } from "#test/support/require-tool.ts";
import { exportBody, type Resource, rejectedIn, type Span } from "#tracing/otlp.ts";

const PYTHON = optionalPython(["opentelemetry.proto", "google.protobuf"], "the format of traces");

const RESOURCE: Resource = {
  attributes: { "service.name": "crossrate", "service.version": "1.2.3" },
  scope: { name: "crossrate", version: "1.2.3" },
};
const SERVER: Span = {
  ...{
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "53995c3f42cd8ad8",
    parentId: "00f067aa0ba902b7",
  },
  ...{
    isParentRemote: true,
    kind: "server",
    name: "GET /v1/latest/:base",
    beganAt: 1_000,
    endedAt: 1_012.345,
  },
  attributes: { "http.request.method": "GET", "http.response.status_code": 500, flag: true, ratio: 0.25 },
  isFailed: true,
};
const CHILD: Span = {
  ...SERVER,
  ...{ spanId: "b7ad6b7169203331", parentId: null, isParentRemote: false, kind: "client", isFailed: false },
  ...{ name: "duckdb", attributes: {} },
};
/** Noon of 13 April 2026, a millisecond and a half later. */
const ANCHOR = Date.parse("2026-04-13T12:00:00Z") + 1.5;

async function read(bodies: readonly string[]) {
  const child = Bun.spawn([PYTHON ?? "python3", join(import.meta.dir, "otlp-reader.py")], {
    stdin: new Blob([bodies.join("\n")]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(err);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test.skipIf(PYTHON === null)(
  "every field is one of the protocol's, of its type, and says what was meant",
  async () => {
    const [server, child] = await read([exportBody([SERVER, CHILD], RESOURCE, ANCHOR)]);
    expect(server).toEqual({
      ...{
        trace: SERVER.traceId,
        span: SERVER.spanId,
        parent: "00f067aa0ba902b7",
        name: "GET /v1/latest/:base",
      },
      ...{
        kind: "SPAN_KIND_SERVER",
        status: 2,
        nanoseconds: 12_345_000,
        start: (ANCHOR + 1_000) * 1_000_000,
      },
      // Sampled; it is known that the parent is in another process.
      ...{ flags: 0x301, attributes: SERVER.attributes, resource: RESOURCE.attributes, scope: "crossrate" },
    });
    expect(child).toMatchObject({ parent: "", kind: "SPAN_KIND_CLIENT", status: 0, flags: 0x101 });
  },
);

test("a 64-bit number is a text of digits", () => {
  const body = exportBody([SERVER], RESOURCE, ANCHOR);
  expect(body).toContain('{"key":"http.response.status_code","value":{"intValue":"500"}}');
  expect(body).toContain(`"startTimeUnixNano":"${(ANCHOR + 1_000) * 1_000}000"`);
});

test.skipIf(PYTHON === null)("the reader refuses a field that the protocol does not have", async () => {
  const body = exportBody([SERVER], RESOURCE, ANCHOR).replace("startTimeUnixNano", "startTimeUnixNanos");
  await expect(read([body])).rejects.toThrow("startTimeUnixNanos");
});

test("spans that an accepted request lost are those that the answer names", () => {
  expect(rejectedIn('{"partialSuccess":{"rejectedSpans":"7"}}')).toBe(7);
  expect(rejectedIn('{"partialSuccess":{"rejectedSpans":7}}')).toBe(7);
  for (const answer of [
    "{}",
    "",
    "<html>",
    '{"partialSuccess":{"rejectedSpans":"-1"}}',
    '{"partialSuccess":{}}',
    "null",
  ])
    expect(rejectedIn(answer)).toBe(0);
});
