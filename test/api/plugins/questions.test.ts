/** Questions that a framework can answer wrongly without a word, asked over a socket: HEAD, methods, escapes, hosts, old HTTP. */

import { expect, test } from "bun:test";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { listen } from "#test/support/listen.ts";

const { port } = listen(sampleApp().answer);

const LAKE = "/v1/lake/current/daily/source=ecb_daily/year=2026/rates.parquet";

/** What the answer must have: its status, a header each, and whether a body follows. */
type Expected = readonly [
  status: number,
  headers: Readonly<Record<string, string | RegExp | null>>,
  body?: "none" | "some",
];

/**
 * HEAD of every route: test/api/head.test.ts; here of each kind whether bytes follow. A question without a version is one of HTTP/1.1 to
 * the host `a`.
 */
const QUESTIONS: readonly (readonly [question: string, expected: Expected])[] = [
  ["GET /health", [200, { "content-type": "application/json" }, "some"]],
  ["HEAD /health", [200, { "content-length": /^\d+$/ }, "none"]],
  ["HEAD /v1/latest", [200, { etag: /^W\//, "content-length": /^\d\d\d/ }, "none"]],
  ["HEAD /v1/stream", [200, { "content-type": /^text\/event-stream/, "content-length": null }, "none"]],
  [`HEAD ${LAKE}`, [200, { etag: /^"/, "accept-ranges": "bytes", "content-length": /^\d+$/ }, "none"]],
  [
    `GET ${LAKE}\r\nRange: bytes=0-3`,
    [206, { "content-range": /^bytes 0-3\/\d+$/, "content-length": "4" }, "some"],
  ],
  ["HEAD /nothing/here", [404, { "content-length": /^\d+$/ }, "none"]],
  ["POST /v1/latest\r\nContent-Length: 0", [405, { allow: "GET, HEAD, OPTIONS" }, "some"]],
  ["PROPFIND /v1/latest", [405, { allow: "GET, HEAD, OPTIONS" }, "some"]],
  [
    "OPTIONS /v1/latest\r\nOrigin: https://b.example",
    [204, { allow: "GET, HEAD, OPTIONS", "access-control-allow-methods": "GET, HEAD, OPTIONS" }, "none"],
  ],
  [
    "OPTIONS /v1/billing/stripe/events",
    [204, { allow: "POST, OPTIONS", "access-control-allow-origin": null }, "none"],
  ],
  ["OPTIONS /nothing/here", [404, {}, "some"]],
  ["GET /v1/%zz", [400, {}, "some"]],
  ["GET /v1/latest/%E0%A4%A", [400, {}, "some"]],
  ["GET /v1/latest/%45UR", [200, {}, "some"]],
  ["GET /v1/latest?symbols=%zz", [400, {}, "some"]],
  ["GET /v1/latest?symbols=EUR&symbols=GBP", [200, {}, "some"]],
  ["GET /v1/latest?symbols=[1]", [400, {}, "some"]],
  ["GET /v1/latest/", [200, {}, "some"]],
  ["GET //v1/latest", [404, {}, "some"]],
  ["GET /v1/latest HTTP/1.1\r\nHost: a:1", [200, {}, "some"]],
  ["GET /v1/latest HTTP/1.1\r\nHost: a b", [421, {}, "some"]],
  ["GET /health HTTP/1.0", [200, {}, "some"]],
  ["HEAD /health HTTP/1.0", [200, { "content-length": /^\d+$/ }, "none"]],
  ["GET /status?strict=1 HTTP/1.0", [503, {}, "some"]],
  ["GET /health/ HTTP/1.0", [200, {}, "some"]],
  ...["/", "/v1/latest", "//health", "/aa/health", "/v1/latest?x=/health"].map(
    (path) => [`GET ${path} HTTP/1.0`, [421, {}, "some"]] as const,
  ),
  ["POST /v1/convert\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}", [415, {}, "some"]],
  ["POST /v1/convert\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{", [400, {}, "some"]],
];

test.each(QUESTIONS)("%j", async (question, [status, headers, body]) => {
  const whole = question.includes(" HTTP/")
    ? question
    : question.replace(/^\S+ \S+/, "$& HTTP/1.1\r\nHost: a");
  const [first = "", rest = ""] = whole.split("\r\n\r\n");
  const answer = await rawExchange(port, `${first}\r\nConnection: close\r\n\r\n${rest}`);
  const [head = "", ...bodies] = answer.split("\r\n\r\n");
  expect(head.split(" ", 2)[1]).toBe(String(status));
  for (const [name, value] of Object.entries(headers)) {
    const sent = new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1] ?? null;
    if (value instanceof RegExp) expect(sent).toMatch(value);
    else expect(sent).toBe(value);
  }
  if (body !== undefined) expect([question, bodies.join("") === ""]).toEqual([question, body === "none"]);
});
