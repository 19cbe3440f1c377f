/** A client that disconnects before its answer is ready is not a fault of the program: it is neither logged nor counted as 5xx. */

import { beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import type { Exports } from "#ports.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { openTestApp } from "#test/api/harness.ts";
import { listen } from "#test/support/listen.ts";
import { until } from "#test/support/until.ts";

const emitted: TelemetryEvent[] = [];
const counted: { readonly route: string; readonly status: number; readonly bytes: number }[] = [];
let opened = 0;

/** As an export that waits for its turn: it ends when its caller leaves. */
const waiting = (_: unknown, signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    opened += 1;
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
const exports: Exports = {
  finished: () => null,
  open: waiting,
  finish: waiting,
  workbook: async () => new Uint8Array(),
  officialParquet: (_, __, signal) => waiting(_, signal),
  close: async () => {},
};
const { answer } = openTestApp({
  exports,
  emit: (event) => void emitted.push(event),
  countRequest: (route, status, _, bytes) => void counted.push({ route, status, bytes }),
});
const server = listen(answer);
beforeEach(() => {
  emitted.length = 0;
  counted.length = 0;
  opened = 0;
});

/** Sends these bytes on a connection of its own; resolves with the socket when they are written. */
function sends(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text, () => resolve(socket)));
    socket.on("error", reject);
  });
}

const HALF_BODY =
  "POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
const EXPORT =
  "GET /v1/range?base=USD&symbols=EUR&start_date=2026-04-01&end_date=2026-04-10&format=csv HTTP/1.1\r\nHost: localhost\r\n";

describe.each([
  ["in the middle of its body", HALF_BODY, "/v1/convert"],
  ["while it waits for a file", `${EXPORT}\r\n`, "/v1/range"],
  ["while it waits for a part of a file", `${EXPORT}Range: bytes=0-9\r\n\r\n`, "/v1/range"],
])("that leaves %s", (_, request, route) => {
  test.each(["resets", "closes"] as const)(
    "and %s the connection emits no event and is not counted as 5xx",
    async (how) => {
      const socket = await sends(request);
      await until(
        "the request has come in",
        () => opened > 0 || (request === HALF_BODY && server.pending() > 0),
      );
      if (how === "resets") socket.resetAndDestroy();
      else socket.end();
      await until("it is counted", () => counted.length > 0);
      socket.destroy();
      expect(counted).toEqual([{ route, status: 499, bytes: 0 }]);
      expect(emitted).toEqual([]);
    },
  );
});

const PATH = "/v1/range?base=USD&symbols=EUR&start_date=2026-04-01&end_date=2026-04-10&format=csv";

test.each([
  ["a fault of the program", "has disconnected", new TypeError("a mistake"), AbortSignal.abort()],
  ["an abort by the program itself", "is connected", new DOMException("given up", "AbortError"), null],
])("%s is logged as one, also when its client %s", async (_, __, fault, signal) => {
  const open = () => Promise.reject(fault);
  const { visit } = openTestApp({
    exports: { ...exports, open },
    emit: (event) => void emitted.push(event),
  });
  const response = await visit(PATH, { signal });
  expect(response.status).toBe(500);
  expect(emitted).toMatchObject([{ kind: "request_failed" }]);
});
