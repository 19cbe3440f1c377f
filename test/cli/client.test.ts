/** What the client does when a server is busy: it waits where that is short and the request can be repeated, and nowhere else. */

import { describe, expect, test } from "bun:test";
import { exitCodeOf, linesOf, newClient, Refusal, Unreachable } from "#cli/client.ts";
import { captured } from "#test/commands/captured.ts";
import { listen } from "#test/support/listen.ts";

/** Refuses as often as a test wants, in the documented form, then answers. */
let refusals: { status: number; retryAfter: string | null }[] = [];
const asked: string[] = [];
const server = listen((request) => {
  asked.push(`${request.method} ${new URL(request.url).pathname}`);
  const refusal = refusals.shift();
  if (refusal === undefined)
    return new Response('{"result":"success","rate":1.10}', {
      headers: { "content-type": "application/json" },
    });
  const headers = new Headers({ "x-request-id": "r-1" });
  if (refusal.retryAfter !== null) headers.set("retry-after", refusal.retryAfter);
  const code = refusal.status === 429 ? "rate_limited" : "service_unavailable";
  return Response.json({ result: "error", code, message: "busy" }, { status: refusal.status, headers });
});

function clientAt(url: string, key: string | null = null) {
  const waits: number[] = [];
  const { terminal, signal } = captured().context();
  const clock = { now: Date.now, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
  const place = { url, chosenBy: "--url", key, keyFrom: null, login: null } as const;
  asked.length = 0;
  return { waits, client: newClient(place, { version: "test", clock, signal, terminal }) };
}

const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((fault: unknown) => fault);

describe("a refusal that passes", () => {
  test.each([429, 503])("%d is waited for as long as Retry-After says", async (status) => {
    refusals = [
      { status, retryAfter: "3" },
      { status, retryAfter: "10" },
    ];
    const { client, waits } = clientAt(server.url);
    expect((await client.ask("/v1/latest")).text).toBe('{"result":"success","rate":1.10}');
    expect(waits).toEqual([3000, 10_000]);
  });

  test.each([
    ["a wait over ten seconds", [{ status: 429, retryAfter: "11" }], "GET"],
    ["a wait that is not stated", [{ status: 503, retryAfter: null }], "GET"],
    ["a third time", Array.from({ length: 3 }, () => ({ status: 503, retryAfter: "1" })), "GET"],
    ["a request that changes something", [{ status: 503, retryAfter: "1" }], "POST"],
    ["another fault", [{ status: 500, retryAfter: "1" }], "GET"],
  ] as const)("%s is reported instead", async (_, wanted, method) => {
    refusals = [...wanted];
    const { client } = clientAt(server.url);
    const fault = await faultOf(client.ask("/v1/latest", { method }));
    expect(fault).toBeInstanceOf(Refusal);
    expect(fault).toMatchObject({ status: wanted[0].status, requestId: "r-1" });
    expect(asked).toHaveLength(wanted.length);
    expect(refusals).toEqual([]);
  });
});

test.each([
  [429, 5, ["  the server takes it again in 1 min, at 1970-01-01 00:01:00 UTC"], "60"],
  [503, 4, [], "99999999999999"],
  [500, 4, [], "soon"],
  [404, 3, [], "-1"],
])(
  "a refusal with %d ends the command with %d, and says when to try again only where that is known",
  async (status, code, again, retryAfter) => {
    refusals = [{ status, retryAfter }];
    const fault = await faultOf(clientAt(server.url).client.ask("/v1/latest"));
    expect(exitCodeOf(fault)).toBe(code);
    expect(linesOf(fault, 0).slice(1)).toEqual([...again, "  request r-1"]);
  },
);

test("a key goes with calls that are for a key alone: a stale one does not stop a login", async () => {
  const sent: (string | null)[] = [];
  const other = listen(({ headers }) => {
    sent.push(headers.get("authorization"));
    return Response.json({ result: "success" });
  });
  const { client } = clientAt(other.url, "fxk_stale");
  await client.ask("/v1/latest");
  await client.ask("/v1/auth/sign-in", { method: "POST", as: "anonymous" });
  expect(sent).toEqual(["Bearer fxk_stale", null]);
});

test("a page, an answer of something else, and a redirect, are named for what they are", async () => {
  const other = listen((request) =>
    request.url.endsWith("/moved")
      ? Response.redirect("https://rates.example.org/", 301)
      : request.url.endsWith("/another")
        ? Response.json({ amount: 1, base: "EUR" })
        : new Response("<html>", { headers: { "content-type": "text/html" } }),
  );
  const { client } = clientAt(other.url);
  expect(await faultOf(client.ask("/page"))).toBeInstanceOf(Unreachable);
  for (const accept of ["*/*", "text/csv", "text/event-stream"])
    expect(await faultOf(client.read("/page", { headers: { accept } }))).toBeInstanceOf(Unreachable);
  expect(await faultOf(client.ask("/another"))).toBeInstanceOf(Unreachable);
  expect(await faultOf(client.ask("/moved"))).toMatchObject({
    code: "redirected",
    message: expect.stringContaining("https://rates.example.org/"),
  });
});

test("no command gets a character from a server that a terminal would obey", async () => {
  const text = "open\x1b]0;title\x07\x9b2J";
  const error = { code: text, message: text, errors: [{ path: "/a", message: text }] };
  const other = listen((request) =>
    request.url.endsWith("/refused")
      ? Response.json(error, { status: 422 })
      : Response.json({
          result: "success",
          market_session: text,
          rates: { EUR: 1.5 },
          missing_symbols: [text],
        }),
  );
  const { client } = clientAt(other.url);
  const shown = "open?]0;title??2J";
  expect((await client.ask<object>("/v1/latest")).content).toEqual({
    result: "success",
    market_session: shown,
    rates: { EUR: { rawJSON: "1.5" } },
    missing_symbols: [shown],
  });
  expect(await faultOf(client.ask("/refused"))).toMatchObject({
    code: shown,
    message: shown,
    issues: [`/a: ${shown}`],
  });
});
