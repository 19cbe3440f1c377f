/** The client against real servers: what it sends, what it stores, and when it repeats a request. */

import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import {
  AGENT,
  asked,
  client,
  clock,
  faultOf,
  NOW,
  requestFor,
  serve,
  textIn,
} from "#test/sources/upstream-server.ts";

describe("a request", () => {
  test("goes to the host's folder under the base, with its query as written, and names the client", async () => {
    const { base, seen } = serve(() => new Response("a,b"));
    await client(base).upstream.get(requestFor("/graph/f.csv?id=A,B&cosd=2026-01-01"));
    expect(seen[0]?.url).toBe(`${base}/upstream.example/graph/f.csv?id=A,B&cosd=2026-01-01`);
    expect(seen[0]?.headers.get("user-agent")).toBe(AGENT);
    expect(seen[0]?.headers.get("accept")).toBe("text/csv");
    expect(seen[0]?.headers.get("accept-encoding")).toBe("gzip");
  });

  test("to anything but https is a programming error", async () => {
    const { upstream } = client("http://127.0.0.1:1");
    expect(upstream.get(requestFor("/", { url: "http://upstream.example/" }))).rejects.toThrow(TypeError);
  });

  test("without a base goes to the address itself", async () => {
    const upstream = openUpstream({ clock, base: null, userAgent: AGENT, attempts: 1 });
    const fault = await faultOf(upstream.get(requestFor("/", { url: "https://127.0.0.1:1/x" })));
    expect([fault.kind, fault.message.startsWith("https://127.0.0.1:1/x ")]).toEqual(["connection", true]);
  });
});

describe("a document", () => {
  test("carries its public address, bytes, digest, times and type", async () => {
    const headers = { "Content-Type": "text/csv", Date: "Tue, 17 Mar 2026 16:29:58 GMT" };
    const { came } = await asked(() => new Response("abc", { headers }));
    expect(came).toEqual({
      url: "https://upstream.example/x",
      bytes: Buffer.from("abc") as Uint8Array,
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      retrievedAt: NOW,
      servedAt: NOW - 2000,
    });
  });

  test("is of its Last-Modified, unless that is in the future: each later copy would seem an old one", async () => {
    const modified = async (at: number) => {
      const headers = { "Last-Modified": new Date(at).toUTCString() };
      return (await asked(() => new Response("abc", { headers }))).came;
    };
    expect(await modified(NOW)).toHaveProperty("modifiedAt", NOW);
    expect(await modified(NOW + 1000)).not.toHaveProperty("modifiedAt");
  });

  test("is the same gzipped on the way or not", async () => {
    for (const encoding of ["gzip", "x-gzip", " GZIP"]) {
      const headers = { "Content-Encoding": encoding, ETag: '"1"' };
      expect((await asked(() => new Response(gzipSync("abc"), { headers }))).text).toBe("abc");
    }
  });

  test("in chunks without a length is put together", async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (const part of ["one,", "two,", "three"]) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    expect((await asked(() => new Response(chunks))).text).toBe("one,two,three");
  });
});

describe("conditional requests", () => {
  const conditional = () =>
    serve((request) => {
      const known = request.headers.get("if-none-match") === '"v1"';
      return known
        ? new Response(null, { status: 304 })
        : new Response("abc", {
            headers: { ETag: '"v1"', "Last-Modified": "Mon, 16 Mar 2026 20:19:47 GMT" },
          });
    });

  test("are made only after the document was remembered, then answer unchanged", async () => {
    const { base, seen } = conditional();
    const { upstream } = client(base);
    await upstream.get(requestFor("/x"));
    const document = await upstream.get(requestFor("/x"));
    expect(textIn(document)).toBe("abc");
    expect(seen[1]?.headers.has("if-none-match")).toBe(false);
    upstream.remember(document as UpstreamDocument);
    expect(await upstream.get(requestFor("/x"))).toBe("unchanged");
    expect(seen[2]?.headers.get("if-modified-since")).toBe("Mon, 16 Mar 2026 20:19:47 GMT");
    expect(textIn(await upstream.get(requestFor("/y")))).toBe("abc");
  });

  test("are dropped when a later document has no validators", async () => {
    const { base, seen } = serve((_, nth) =>
      nth === 0 ? new Response("abc", { headers: { ETag: '"v1"' } }) : new Response("abcd"),
    );
    const { upstream } = client(base);
    for (let round = 0; round < 3; round++) {
      upstream.remember((await upstream.get(requestFor("/x"))) as UpstreamDocument);
    }
    expect(seen.map((request) => request.headers.get("if-none-match"))).toEqual([null, '"v1"', null]);
  });

  test("are remembered for a bounded number of addresses, the newest ones", async () => {
    const { base, seen } = serve(() => new Response("abc", { headers: { ETag: '"v1"' } }));
    const { upstream } = client(base);
    for (let number = 0; number < 257; number++) {
      upstream.remember((await upstream.get(requestFor(`/${number}`))) as UpstreamDocument);
    }
    await upstream.get(requestFor("/0"));
    await upstream.get(requestFor("/256"));
    expect(seen.slice(-2).map((request) => request.headers.has("if-none-match"))).toEqual([false, true]);
  });

  test("a 304 that was not requested is a fault", async () => {
    expect((await asked(() => new Response(null, { status: 304 }))).fault.kind).toBe("status");
  });
});

describe("asking again", () => {
  test("a 500 and then a document is a document, after one pause", async () => {
    const { text, seen, pauses } = await asked((_, nth) =>
      nth === 0 ? new Response("no", { status: 500 }) : new Response("abc"),
    );
    expect([text, seen.length, pauses]).toEqual(["abc", 2, [250]]);
  });

  test("three attempts at most, each pause twice the last, spread by chance", async () => {
    const half = { random: () => 0.5 };
    const { fault, seen, pauses } = await asked(() => new Response(null, { status: 503 }), {}, half);
    expect([fault.kind, seen.length, pauses]).toEqual(["status", 3, [375, 750]]);
    expect(fault.message).toBe("https://upstream.example/x answers 503 (attempt 3)");
  });

  test("waits for the time of Retry-After, in seconds or as a date", async () => {
    const { text, pauses } = await asked((_, nth) => {
      if (nth > 1) return new Response("abc");
      const wait = nth === 0 ? "60" : "Tue, 17 Mar 2026 16:30:09 GMT";
      return new Response(null, { status: 429, headers: { "Retry-After": wait } });
    });
    expect([text, pauses]).toEqual(["abc", [60_000, 9000]]);
  });

  test("gives up at once when the upstream wants a longer pause than a minute, and passes it on", async () => {
    const init = { status: 429, headers: { "Retry-After": "3600" } };
    const { fault, seen, pauses } = await asked(() => new Response(null, init));
    expect([fault.kind, fault.retryAfterSeconds, seen.length, pauses]).toEqual(["rate_limited", 3600, 1, []]);
  });

  const finals = [
    [400, "status"],
    [401, "refused_credentials"],
    [403, "refused_credentials"],
    [404, "not_found"],
    [410, "not_found"],
    [418, "status"],
    [204, "status"],
  ] as const;
  test.each(finals)("a %d is final: %s", async (status, kind) => {
    const { fault, seen } = await asked(() => new Response(null, { status }));
    expect([fault.name, fault.kind, seen.length]).toEqual(["UpstreamFault", kind, 1]);
  });

  test("the upstream's own text reach the operator, bounded and on one line", async () => {
    const long = `No results\n\u0007found${"!".repeat(500)}`;
    const { fault } = await asked(() => new Response(long, { status: 404 }));
    expect(fault.message).toStartWith("https://upstream.example/x answers 404: No results found!!!");
    expect(fault.message.length).toBeLessThan(260);
  });
});

describe("redirects", () => {
  const hop = (location: string) => new Response(null, { status: 302, headers: { Location: location } });

  test("are followed to https, which stays under the base, and inside the base", async () => {
    const { base, came, text, seen } = await asked((request, nth) => {
      if (nth === 0) return hop("https://elsewhere.example/new?a=1#part");
      return nth === 1 ? hop("../moved") : new Response(new URL(request.url).pathname);
    });
    expect([text, seen[1]?.url]).toEqual(["/moved", `${base}/elsewhere.example/new?a=1`]);
    expect(came).toMatchObject({ url: "https://upstream.example/x" });
  });

  test("in a loop stop after three, and the loop is not requested again", async () => {
    const { fault, seen } = await asked((request) => hop(request.url));
    expect([fault.kind, seen.length]).toEqual(["status", 4]);
    expect(fault.message).toContain("redirects more than 3 times");
  });

  test.each([
    "http://elsewhere.example/",
    "file:///etc/passwd",
    "https://user@elsewhere.example/",
    "https://:pw@elsewhere.example/",
    "",
  ])("to %p are not followed", async (target) => {
    const { fault, seen } = await asked((_, nth) =>
      nth === 0 && target !== "" ? hop(target) : new Response(null, { status: 302 }),
    );
    expect([fault.kind, seen.length]).toEqual(["status", 1]);
    expect(fault.message).not.toContain("elsewhere");
  });
});
