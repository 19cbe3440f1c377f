/** The listening server: bodies that are larger than any call takes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Process, startServe } from "./process.ts";

let server: Process;
beforeAll(async () => {
  server = await startServe({ DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: "http://127.0.0.1:9" });
});
afterAll(async () => {
  await server.end("SIGKILL");
});

const port = () => Number(new URL(server.url).port);

const post = (framing: string, body = "") =>
  rawExchange(
    port(),
    `POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n${framing}\r\n\r\n${body}`,
  );

test("a body that is announced far above every limit is refused before it arrives", async () => {
  const answer = await post("Content-Length: 300000");
  expect(answer).toStartWith("HTTP/1.1 413");
  // The runtime's own: ours would come after a turn, with the body stored meanwhile.
  expect(answer).not.toContain("payload_too_large");
});

test("one above the limit of the call has the documented refusal", async () => {
  const answer = await post("Content-Length: 280000");
  expect(answer).toStartWith("HTTP/1.1 413");
  expect(answer).toContain('"code":"payload_too_large"');
});

test("one without a length is refused as well, however long it goes on", async () => {
  const answer = await post("Transfer-Encoding: chunked", `10000\r\n${"x".repeat(0x10000)}\r\n`.repeat(8));
  expect(answer).toStartWith("HTTP/1.1 413");
});
