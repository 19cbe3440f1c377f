/** The conformance check of all HTTP tests is itself tested: documented answers pass, any other answer fails. */

import { describe, expect, test } from "bun:test";
import { errorExample } from "#api/errors.ts";
import { LATEST_EXAMPLE } from "#api/rates/latest.ts";
import { assertResponseConforms } from "./conformance.ts";

const EXAMPLE = LATEST_EXAMPLE as Record<string, unknown>;
const HEADERS = {
  "Content-Type": "application/json",
  "X-Request-Id": "a-1",
  "Cache-Control": "public, max-age=60",
  ETag: 'W/"1"',
  Vary: "Accept",
};

function answer(body: unknown, status = 200, headers: Record<string, string | null> = {}): Response {
  const all = new Headers(HEADERS);
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return new Response(body === null ? null : JSON.stringify(body), { status, headers: all });
}

const refusal = { ETag: null, "Cache-Control": "no-store" };
const latest = (response: Response) => assertResponseConforms("GET", "/v1/latest?symbols=EUR", response);

describe("anything else does not", () => {
  const cases: readonly (readonly [string, Response, RegExp])[] = [
    ["an unknown member", answer({ ...EXAMPLE, surprise: 1 }), /surprise/],
    ["a missing member", answer({ ...EXAMPLE, notice: undefined }), /notice/],
    ["a currency outside the catalog", answer({ ...EXAMPLE, rates: { XXX: 1 } }), /rates/],
    ["a rate in quotes", answer({ ...EXAMPLE, rates: { EUR: "1" } }), /EUR/],
    ["a source that does not exist", answer({ ...EXAMPLE, source: "guess" }), /source/],
    ["an offset", answer({ ...EXAMPLE, timestamp: "2026-04-13T16:30:00+02:00" }), /timestamp/],
    ["an undocumented status", answer(EXAMPLE, 202), /status/],
    ["an undocumented media type", answer(EXAMPLE, 200, { "Content-Type": "text/plain" }), /text\/plain/],
    ["a missing X-Request-Id", answer(EXAMPLE, 200, { "X-Request-Id": null }), /X-Request-Id/],
    ["a missing ETag", answer(EXAMPLE, 200, { ETag: null }), /ETag/],
    ["a 503 without Retry-After", answer(errorExample("data_unavailable"), 503, refusal), /Retry-After/],
    ["a code of another status", answer(errorExample("not_found"), 400, refusal), /code/],
    ["a code of another operation", answer(errorExample("invalid_pair"), 400, refusal), /code/],
  ];
  test.each(cases)("%s", (_, response, complaint) => expect(latest(response)).rejects.toThrow(complaint));

  test("a success on a path that is not documented", () =>
    expect(assertResponseConforms("GET", "/metrics", answer(EXAMPLE))).rejects.toThrow());
  test("a 405 without Allow", () =>
    expect(
      assertResponseConforms(
        "DELETE",
        "/v1/latest",
        answer(errorExample("method_not_allowed"), 405, refusal),
      ),
    ).rejects.toThrow(/Allow/));
});
