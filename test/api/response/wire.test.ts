/** What can be tested on the wire only: raw bytes to a listening server. */

import { describe, expect, test } from "bun:test";
import { createApp } from "#api/server.ts";
import { openTestApp } from "#test/api/harness.ts";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { listen } from "#test/support/listen.ts";

const { deps, answer } = openTestApp({ emit: () => {} });
const { port } = listen(answer);

const exchange = (request: string) => rawExchange(port, request);

const get = (path: string, host = "localhost") =>
  exchange(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

describe("on the wire", () => {
  test("an answer that is sent as it is has its length, when it is made and when it is ready", async () => {
    const paths = [
      "/v1/latest",
      "/v1/2026-04-10",
      "/v1/convert/100/EUR/USD",
      "/v2/currencies",
      "/v1/latest/XXX",
    ];
    for (const path of [...paths, ...paths]) {
      const [head, body] = (await get(path)).split("\r\n\r\n") as [string, string];
      const lengths = [...head.matchAll(/^content-length: (\d+)$/gim)].map(([, length]) => Number(length));
      expect([path, lengths]).toEqual([path, [Buffer.byteLength(body, "latin1")]]);
    }
  });
  test("a static body is whole, whatever range is requested", async () => {
    const path = "/openapi.json";
    const whole = await (await fetch(`http://127.0.0.1:${port}${path}`)).bytes();
    for (const coding of ["identity", "gzip", "br", "zstd"]) {
      const headers = { Range: "bytes=5-9", "Accept-Encoding": coding };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      expect([coding, answer.status, answer.headers.get("content-range")]).toEqual([coding, 200, null]);
      expect(Buffer.compare(await answer.bytes(), whole)).toBe(0);
    }
  });
  test.each(["x", "fx:80", "[::1]", "rates.example."])(
    "the Host %s, however short, shifts no path",
    async (host) => {
      expect(await get("/v1/latest", host)).toStartWith("HTTP/1.1 200");
      expect(await get("/status", host)).toStartWith("HTTP/1.1 200");
      for (const path of ["/aa/health", "/a/v1/latest", "/health/v1/latest"])
        expect(await get(path, host)).toStartWith("HTTP/1.1 404");
    },
  );
  test("the check of a balancer is answered where hosts are listed, and a foreign Host is not", async () => {
    const strict = listen(createApp({ ...deps, allowedHosts: ["rates.example"] }).answer);
    const raw = (text: string) => rawExchange(strict.port, text);
    expect(await raw("GET /health HTTP/1.0\r\n\r\n")).toStartWith("HTTP/1.1 200");
    expect(await raw("GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n")).toStartWith("HTTP/1.1 421");
  });
  test("a URL that is ready is still refused to a foreign Host, in the target as in the header", async () => {
    const guarded = listen(createApp({ ...deps, allowedHosts: ["localhost"] }).answer);
    const ask = (target: string, host: string) =>
      rawExchange(guarded.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const own = `localhost:${guarded.port}`;
    expect(await ask("/v1/latest", own)).toStartWith("HTTP/1.1 200");
    expect(await ask("/v1/latest", own)).toStartWith("HTTP/1.1 200");
    for (const target of ["/v1/latest", `http://${own}/v1/latest`]) {
      expect(await ask(target, "evil.example")).toStartWith("HTTP/1.1 421");
    }
  });
  test("a body without a length that never seems to end is cut off with 413", async () => {
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const answer = await exchange(
      `POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(6)}0\r\n\r\n`,
    );
    expect(answer).toStartWith("HTTP/1.1 413");
    expect(answer).toContain("payload_too_large");
  });
  test("a declared length above the limit is refused before the body arrives", async () => {
    const answer = await exchange(
      "POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 70000\r\n\r\n",
    );
    expect(answer).toStartWith("HTTP/1.1 413");
  });
});
