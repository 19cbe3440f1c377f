/** The listening server: many connections at once, and bodies that are larger than any call takes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { rawExchange } from "#test/http/request/raw-exchange.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { type Process, startServe } from "./process.ts";

let server: Process;
beforeAll(async () => {
  server = await startServe({ DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: "http://127.0.0.1:9" });
});
afterAll(async () => {
  await server.end("SIGKILL");
});

const port = () => Number(new URL(server.url).port);

/** Connections that the system has made and the server has not accepted: column rx_queue of proc_net_tcp(5) for a listening socket. */
function unaccepted(): number {
  const address = `:${port().toString(16).toUpperCase().padStart(4, "0")} `;
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8").split("\n"),
  );
  const listening = rows.find((row) => row.includes(address) && / 0A /.test(row));
  return Number.parseInt(/ 0A [0-9A-F]{8}:([0-9A-F]{8}) /.exec(listening ?? "")?.[1] ?? "", 16);
}

test.skipIf(process.platform !== "linux")(
  "700 connections have a place while the server accepts none",
  async () => {
    process.kill(server.pid, "SIGSTOP");
    const socket = { data: () => {}, error: () => {} };
    const connections = Array.from({ length: 700 }, () =>
      Bun.connect({ hostname: "127.0.0.1", port: port(), socket }),
    );
    try {
      await until("all of them are there", () => unaccepted() === 700);
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
    for (const one of await Promise.all(connections)) one.end();
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  },
  40_000,
);

/** Bytes that the system has taken of the server's answers and not delivered: column tx_queue of proc_net_tcp(5). */
function undelivered(): number {
  const local = `:${port().toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readFileSync(table, "utf8").split("\n"),
  );
  const queues = rows.map((row) => row.trim().split(/\s+/)).filter((columns) => columns[1]?.endsWith(local));
  return queues.reduce(
    (sum, [, , , state, sizes = ""]) => sum + (state === "01" ? Number.parseInt(sizes.slice(0, 8), 16) : 0),
    0,
  );
}

test.skipIf(process.platform !== "linux")(
  "of an answer that is not read the system holds a little, not all of it",
  async () => {
    const path = "/docs/assets/scalar-1.72.1.js";
    const plain = { method: "HEAD", headers: { "Accept-Encoding": "identity" } };
    const whole = Number((await fetch(server.url + path, plain)).headers.get("content-length"));
    expect(whole).toBeGreaterThan(4_000_000);
    const client = connect(port(), "127.0.0.1");
    client.on("error", () => {});
    client.pause();
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    try {
      await until("the system holds some of it", () => undelivered() > 0);
      let most = 0;
      for (let look = 0; look < 50; look++) {
        await fetch(`${server.url}/health`);
        most = Math.max(most, undelivered());
      }
      expect(most).toBeLessThan(512 * 1024);
    } finally {
      client.destroy();
    }
  },
);

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
