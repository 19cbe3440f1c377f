/**
 * What counting costs an answer: nanoseconds a call of `countRequest`, clock and size included, the median of some rounds.
 * `bun bench/count-request.ts`
 */

import { countAnswer } from "#api/request/count-request.ts";
import { createMetrics } from "#metrics/metrics.ts";

const ROUNDS = 9;
const CALLS = 1_000_000;

const metrics = createMetrics({ now: Date.now }, "bench");
const request = new Request("http://localhost/v1/latest");
const answer = new Response("x", { headers: { "Content-Length": "700" } });

function round(): number {
  const began = performance.now();
  for (let nth = 0; nth < CALLS; nth++) {
    const came = performance.now();
    countAnswer(metrics.countRequest, "/v1/latest", request, came, answer);
  }
  return ((performance.now() - began) * 1e6) / CALLS;
}

const rounds = Array.from({ length: ROUNDS }, round).sort((a, b) => a - b);
console.log(`${rounds[ROUNDS >> 1]?.toFixed(0)} ns an answer`);
