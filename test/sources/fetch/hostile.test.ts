/** The client against hostile and broken servers: bounded in time and memory, and silent about credentials. */

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { UpstreamFault } from "#domain/faults/upstream.ts";
import type { UpstreamRequest } from "#ports/upstream.ts";
import { fixture } from "#test/sources/documents.ts";
import { client, faultOf, requestFor, serve, serveRaw, textIn } from "#test/sources/upstream-server.ts";
import { deflatedZeros } from "#test/sources/zip-writer.ts";

const MEGABYTE = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n";

async function faultFrom(base: string, more: Partial<UpstreamRequest> = {}): Promise<UpstreamFault> {
  const { upstream } = client(base, { attempts: 2 });
  return await faultOf(upstream.get(requestFor("/x", more)));
}

async function growthOf(run: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await run();
  clearInterval(watch);
  return Math.max(peak, process.memoryUsage().rss) - before;
}

describe("time", () => {
  const brief = { timeoutSeconds: 0.15 };
  test.each<readonly [why: string, base: () => string]>([
    ["a server that never answers", () => serveRaw("", "hang")],
    ["headers that trickle", () => serveRaw("HTTP/1.1 200 OK\r\nX-Slow: ", "trickle")],
    ["a body that stops", () => serveRaw(`${OK}Content-Length: 100\r\n\r\nabc`, "hang")],
    ["a body that trickles for ever", () => serveRaw(`${OK}\r\nabc`, "trickle")],
    [
      "an error body that trickles for ever",
      () => serveRaw("HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\n\r\n", "trickle"),
    ],
  ])("%s ends with the deadline", async (_, base) => {
    const fault = await faultFrom(base(), brief);
    expect(fault.name).toBe("UpstreamFault");
    expect(["timeout", "status"]).toContain(fault.kind);
  });

  test("a timeout is tried again, and a document on the second attempt is a document", async () => {
    const { base } = serve(async (_, nth) => {
      if (nth === 0) await new Promise(() => {});
      return new Response("abc");
    });
    const document = await client(base).upstream.get(requestFor("/x", { timeoutSeconds: 1.5 }));
    expect(textIn(document)).toBe("abc");
  });
});

describe("broken transport", () => {
  test.each<readonly [why: string, base: () => string]>([
    ["a closed port", () => "http://127.0.0.1:1"],
    ["fewer bytes than announced", () => serveRaw(`${OK}Content-Length: 100\r\n\r\nabc`, "close")],
    ["chunks without an end", () => serveRaw(`${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`, "close")],
    ["no HTTP at all", () => serveRaw("SSH-2.0-OpenSSH_9.6\r\n\r\n", "close")],
    ["no answer", () => serveRaw("", "close")],
    ["a gzip body cut off", () => truncatedGzip(0.5)],
    ["a gzip body that is none", () => serve(() => gzipped(Buffer.from("plain text"))).base],
    [
      "an encoding that was not requested",
      () => serve(() => new Response("abc", { headers: { "Content-Encoding": "br" } })).base,
    ],
  ])("%s is a connection fault, and is tried again", async (_, base) => {
    const { kind, message } = await faultFrom(base());
    expect([kind, message]).toEqual(["connection", expect.stringMatching(/ \(attempt 2\)$/)]);
  });

  function gzipped(bytes: Uint8Array): Response {
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "Content-Encoding": "gzip" } });
  }
  function truncatedGzip(share: number): string {
    const whole = gzipSync("figures ".repeat(1000));
    return serve(() => gzipped(whole.subarray(0, whole.length * share))).base;
  }
});

describe("size", () => {
  test("a huge announced length is refused before the body, and not requested again", async () => {
    const base = serveRaw(`${OK}Content-Length: 99999999999\r\n\r\nabc`, "hang");
    const fault = await faultFrom(base);
    expect(fault.kind).toBe("too_large");
    expect(fault.message).toContain("announces 99999999999 bytes");
    expect(fault.message).not.toContain("attempt");
  });

  test("an endless body is cut at the limit with memory bounded", async () => {
    const { base } = serve(
      () =>
        new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
        ),
    );
    const growth = await growthOf(async () => expect((await faultFrom(base)).kind).toBe("too_large"));
    expect(growth).toBeLessThan(64 * MEGABYTE);
  });

  test("a gzip bomb stops at the limit with memory bounded", async () => {
    const bomb = await deflatedZeros(256, "gzip");
    const { base } = serve(
      () => new Response(bomb as Uint8Array<ArrayBuffer>, { headers: { "Content-Encoding": "gzip" } }),
    );
    const growth = await growthOf(async () => {
      const fault = await faultFrom(base, { maxBytes: MEGABYTE });
      expect([fault.kind, fault.message]).toEqual([
        "too_large",
        `https://upstream.example/x unpacks to more than the ${MEGABYTE} bytes allowed`,
      ]);
    });
    expect(growth).toBeLessThan(64 * MEGABYTE);
  });

  test("a body of exactly the limit is a document", async () => {
    const { base } = serve(() => new Response(new Uint8Array(1000)));
    expect(await client(base).upstream.get(requestFor("/x", { maxBytes: 1000 }))).not.toBe("unchanged");
  });
});

describe("credentials", () => {
  const secret = "k3y with/odd&signs";
  const secretQuery = { api_key: secret };
  const marks = [secret, encodeURIComponent(secret), "k3y"];
  const hop = (request: Request) =>
    new Response(null, {
      status: 302,
      headers: { Location: `http://evil.example/?${new URL(request.url).search}` },
    });

  test("are sent, and are in no document", async () => {
    const { base, seen } = serve(() => new Response("abc"));
    const document = await client(base).upstream.get(requestFor("/x?a=1", { secretQuery }));
    expect(new URL(seen[0]?.url ?? "").searchParams.get("api_key")).toBe(secret);
    expect(document).toMatchObject({ url: "https://upstream.example/x?a=1" });
    for (const mark of marks) expect(Bun.inspect(document)).not.toContain(mark);
  });

  test.each<readonly [why: string, base: () => string]>([
    ["a refused connection", () => "http://127.0.0.1:1"],
    ["a broken answer", () => serveRaw("", "close")],
    ["a timeout", () => serveRaw("", "hang")],
    ["a redirect that repeats them", () => serve(hop).base],
    [
      "an error that repeats them",
      () => serve((request) => new Response(`bad: ${request.url} ${secret}`, { status: 400 })).base,
    ],
    [
      "a server error that repeats them",
      () => serve((request) => Response.json({ url: request.url }, { status: 500 })).base,
    ],
  ])("are not revealed by %s", async (_, base) => {
    const fault = await faultFrom(base(), { secretQuery, timeoutSeconds: 0.3 });
    const faultText = `${Bun.inspect(fault)} ${JSON.stringify(fault)} ${fault.stack} ${String(fault.cause)}`;
    for (const mark of marks) expect(faultText).not.toContain(mark);
  });

  test("FRED's 400 about its api_key is a matter of credentials, any other 400 is not", async () => {
    const refuse = (body: string) =>
      serve(() => new Response(body, { status: 400, headers: { "Content-Type": "application/json" } })).base;
    expect((await faultFrom(refuse(fixture("fred-error.json.txt")), { secretQuery })).kind).toBe(
      "refused_credentials",
    );
    const unknown = `{"error_code":400,"error_message":"Bad Request.  The series does not exist."}`;
    expect((await faultFrom(refuse(unknown), { secretQuery })).kind).toBe("status");
  });
});
