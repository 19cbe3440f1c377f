/** Questions that an upstream answers by POST alone, and an upstream that has no TLS: the client's bounds hold for both. */

import { describe, expect, test } from "bun:test";
import type { UpstreamRequest } from "#ports/upstream.ts";
import { asked, client, requestFor, serve } from "#test/sources/upstream-server.ts";

const QUESTION = {
  contentType: "text/xml; charset=utf-8",
  headers: { SOAPAction: '"http://upstream.example/Get"' },
  body: "<Envelope>őű</Envelope>",
};
const asking = (more: Partial<UpstreamRequest> = {}) => requestFor("/service", { post: QUESTION, ...more });
const posted = (answer: Parameters<typeof asked>[0], more?: Partial<UpstreamRequest>) =>
  asked(answer, asking(more));
const moved = (status: number, location: string) =>
  new Response(null, { status, headers: { Location: location } });
/** Answers with the request: method, type, action and body. */
const echo = async (request: Request) =>
  new Response(
    [
      request.method,
      request.headers.get("content-type"),
      request.headers.get("soapaction"),
      await request.text(),
    ].join("\n"),
  );
const ECHO = `POST\n${QUESTION.contentType}\n${QUESTION.headers.SOAPAction}\n${QUESTION.body}`;

describe("a POST", () => {
  test("carries its body, its type and its headers", async () => {
    const { text, came } = await posted(echo);
    expect(text).toBe(ECHO);
    expect(came).toMatchObject({ url: "https://upstream.example/service" });
  });

  test("is requested again with the same body after a fault of the host", async () => {
    const { text, seen, pauses } = await posted((request, nth) =>
      nth < 2 ? new Response("", { status: 503 }) : echo(request),
    );
    expect([text, seen.length, pauses.length]).toEqual([ECHO, 3, 2]);
  });

  test("is never conditional: two questions to one address are two documents", async () => {
    const { base, seen } = serve(() => new Response("answer", { headers: { ETag: '"1"' } }));
    const { upstream } = client(base);
    for (let nth = 0; nth < 2; nth++) {
      const document = await upstream.get(asking());
      if (document !== "unchanged") upstream.remember(document);
    }
    expect(seen.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, null]);
    // A GET of the same address does not send what was remembered of a POST either.
    await upstream.get(requestFor("/service"));
    expect(seen[2]?.headers.get("if-none-match")).toBeNull();
  });

  test.each([301, 302, 303])("is not turned into a GET of a login page by a %d", async (status) => {
    const { fault, seen } = await posted((_request, nth) =>
      nth === 0
        ? moved(status, "https://upstream.example/login")
        : new Response("<html>please log in</html>"),
    );
    expect([fault.kind, fault.message]).toEqual([
      "status",
      `https://upstream.example/service answers a POST with a redirect (${status})`,
    ]);
    expect(seen).toHaveLength(1);
  });

  test.each([307, 308])("is repeated where a %d leads", async (status) => {
    const { text } = await posted((request, nth) =>
      nth === 0 ? moved(status, "https://upstream.example/moved") : echo(request),
    );
    expect(text).toBe(ECHO);
  });

  test("is bounded in bytes and in time as a GET is", async () => {
    const large = await posted(() => new Response("x".repeat(2000)), { maxBytes: 1000 });
    const late = () => Bun.sleep(5000).then(() => new Response("late"));
    const slow = await asked(late, asking({ timeoutSeconds: 0.1 }), { attempts: 1 });
    expect([large.fault.kind, slow.fault.kind]).toEqual(["too_large", "timeout"]);
  });
});

describe("an upstream without TLS", () => {
  const plain = { url: "http://upstream.example/service", withoutTls: true } as const;

  test("goes to the address of the request, under the base like any other", async () => {
    const { text, base, seen } = await posted(echo, plain);
    expect(text).toBe(ECHO);
    expect(seen[0]?.url).toBe(`${base}/upstream.example/service`);
  });

  test("is a programming error where the request does not declare it, and with credentials", () => {
    const { upstream } = client("http://127.0.0.1:1");
    expect(upstream.get(asking({ url: plain.url }))).rejects.toThrow(TypeError);
    expect(upstream.get(asking({ ...plain, secretQuery: { key: "k" } }))).rejects.toThrow(TypeError);
    expect(upstream.get(asking({ ...plain, secretHeaders: { Token: "k" } }))).rejects.toThrow(TypeError);
  });

  test("may lead to an https address, never to another plain one", async () => {
    const to = (location: string) =>
      posted((request, nth) => (nth === 0 ? moved(308, location) : echo(request)), plain);
    expect((await to("https://upstream.example/s")).text).toBe(ECHO);
    const { fault } = await to("http://other.example/s");
    expect([fault.kind, fault.message]).toEqual([
      "status",
      "http://upstream.example/service redirects, but not to an https address",
    ]);
  });
});
