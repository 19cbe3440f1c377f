/** What the TypeScript client does where the way to the server fails: it repeats reads, and only those; it gives up in time. */

import { describe, expect, test } from "bun:test";
import { Crossrate, type CrossrateOptions } from "#clients/typescript/src/crossrate.ts";
import { amountText } from "#clients/typescript/src/parameters.ts";
import { openTestApp } from "#test/api/harness.ts";
import { listen } from "#test/support/listen.ts";

type Answer = (request: Request) => Response | Promise<Response>;
const { answer: real } = openTestApp();

/** The real server behind a way that does something else to the first requests; and a client that notes its waits. */
function behind(faults: readonly Answer[], options: Partial<CrossrateOptions> = {}) {
  const requests: { readonly method: string; readonly body: string }[] = [];
  const { url, stop } = listen(async (request) => {
    const fault = faults[requests.length];
    requests.push({ method: request.method, body: await request.clone().text() });
    return await (fault ?? real)(request);
  });
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  return {
    crossrate: new Crossrate({ url, sleep, random: () => 1, ...options }),
    url,
    requests,
    waits,
    stop,
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response("<html>a proxy's page</html>", { status: code, headers });
/** The connection ends in the middle of the body; the runtime reports it on standard error. */
const cut: Answer = () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"result":"succ')),
    pull: (controller) => controller.error(new Error("cut")),
  });
  return new Response(body, { headers: { "Content-Type": "application/json" } });
};
const never: Answer = () => new Promise(() => {});
/** Headers, and then nothing. */
const stalled: Answer = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));

describe("a read", () => {
  test.each([
    ["a bad gateway", status(502)],
    ["a server error", status(500)],
    ["a server that is restarting", status(503)],
    ["a gateway's timeout", status(504)],
    ["a body that is cut", cut],
  ])("is repeated after %s", async (_, fault) => {
    const { crossrate, requests, waits } = behind([fault, fault]);
    expect((await crossrate.latest({ symbols: "EUR" })).base).toBe("USD");
    expect({ waits, requests: requests.length }).toEqual({ waits: [500, 1000], requests: 3 });
  });

  test.each([
    ["no answer", never],
    ["a body that stops", stalled],
  ])("is repeated after %s in time", async (_, fault) => {
    const { crossrate, requests } = behind([fault], { timeout: 50 });
    expect((await crossrate.latest()).base).toBe("USD");
    expect(requests).toHaveLength(2);
  });

  test("waits as long as a date in Retry-After says", async () => {
    const now = Date.parse("2026-04-13T16:30:00Z");
    const { crossrate, waits } = behind([status(503, { "Retry-After": "Mon, 13 Apr 2026 16:30:20 GMT" })], {
      now: () => now,
    });
    await crossrate.latest();
    expect(waits).toEqual([20_000]);
  });

  test("is spread in time, so that many clients do not return at once", async () => {
    const { crossrate, waits } = behind([status(502)], { random: () => 0 });
    await crossrate.latest();
    expect(waits).toEqual([250]);
  });

  test("fails in the end with the last answer", async () => {
    const { crossrate, requests } = behind([status(502), status(502), status(502), status(502)]);
    expect(await crossrate.latest().catch((fault) => fault)).toMatchObject({
      name: "CrossrateError",
      code: "unexpected_response",
      message: expect.stringContaining("502"),
      status: 502,
      requestId: null,
    });
    expect(requests).toHaveLength(3);
  });

  test("fails with timeout or connection_failed where there is no answer", async () => {
    const { crossrate } = behind([never], { timeout: 20, retries: 0 });
    expect(await crossrate.latest().catch((fault) => fault)).toMatchObject({ code: "timeout", status: 0 });
    const gone = behind([]);
    await gone.stop();
    expect(await gone.crossrate.latest().catch((fault) => fault)).toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("/v1/latest"),
      cause: expect.any(Error),
    });
    expect(gone.waits).toHaveLength(2);
  });

  test.each([
    ["a page in place of JSON", status(200)],
    ["an empty answer", () => new Response(null, { headers: { "Content-Length": "0" } })],
    ["no content", () => new Response(null, { status: 204 })],
  ])("is not repeated after %s: that is not Crossrate", async (_, answer) => {
    for (const call of [
      (crossrate: Crossrate) => crossrate.latest(),
      (crossrate: Crossrate) => crossrate.status(),
    ]) {
      const { crossrate, requests } = behind([answer]);
      expect(await call(crossrate).catch((fault) => fault)).toMatchObject({
        name: "CrossrateError",
        code: "unexpected_response",
      });
      expect(requests).toHaveLength(1);
    }
  });

  test("never goes on by a redirect, which would leave the key behind, and names the new address", async () => {
    const elsewhere = behind([]);
    const moved =
      (code: number): Answer =>
      (request) =>
        Response.redirect(`${elsewhere.url}${new URL(request.url).pathname}`, code);
    for (const call of [
      (crossrate: Crossrate) => crossrate.latest(),
      (crossrate: Crossrate) => crossrate.status(),
      (crossrate: Crossrate) => crossrate.convertBatch("USD", [["EUR", 1]]),
      (crossrate: Crossrate) => crossrate.lake.file("views.sql"),
      (crossrate: Crossrate) => crossrate.stream().next(),
    ]) {
      const { crossrate, requests } = behind([moved(301)], { key: "fxk_key" });
      expect(await call(crossrate).catch((fault) => fault)).toMatchObject({
        code: "unexpected_response",
        status: 301,
        message: expect.stringContaining(`redirects to ${elsewhere.url}/`),
      });
      expect({ here: requests.length, there: elsewhere.requests.length }).toEqual({ here: 1, there: 0 });
    }
    // A browser does not say where to.
    const opaque = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    const hidden = new Crossrate({ url: "http://127.0.0.1:9", fetch: async () => opaque });
    expect(await hidden.latest().catch((fault) => fault)).toMatchObject({
      message: expect.stringContaining("redirects to another address"),
    });
  });

  test("is an error after a page in place of a file, too", async () => {
    const page = { fetch: async () => new Response("<html>", { headers: { "Content-Type": "text/html" } }) };
    const crossrate = new Crossrate({ url: "http://127.0.0.1:9", ...page });
    const year = { symbols: "USD", start_date: "2025-01-01", end_date: "2025-12-31", format: "csv" } as const;
    for (const call of [crossrate.rangeFile(year), crossrate.lake.file("daily/one.parquet")])
      expect(await call.catch((fault) => fault)).toMatchObject({ code: "unexpected_response", status: 200 });
  });

  test("ends with the caller's signal, under way, while it waits, and before", async () => {
    const reason = new Error("enough");
    const signals = [new AbortController(), new AbortController(), new AbortController()] as const;
    const inFlight = behind([
      () => {
        signals[0].abort(reason);
        return never(new Request("http://localhost"));
      },
    ]);
    const sleep = (_: number, signal: AbortSignal) => {
      signals[1].abort(reason);
      return Promise.reject(signal.reason);
    };
    const waiting = behind([status(502)], { sleep });
    const before = behind([]);
    signals[2].abort(reason);
    for (const [nth, { crossrate }] of [inFlight, waiting, before].entries()) {
      const signal = signals[nth]?.signal;
      expect(await crossrate.latest({}, { signal }).catch((fault) => fault)).toBe(reason);
    }
    expect(before.requests).toEqual([]);
  });

  test("of a whole file is repeated until it begins", async () => {
    const window = { start_date: "2026-04-01", end_date: "2026-04-10" };
    const { crossrate, requests } = behind([status(502)]);
    const file = await crossrate.rangeFile({ symbols: ["EUR"], ...window, format: "csv" });
    expect(await file.text()).toStartWith("date,base,symbol,rate");
    expect(requests).toHaveLength(2);
  });
});

describe("a call with a body", () => {
  test("is repeated where it only computes, with the same bytes", async () => {
    const { crossrate, requests } = behind([status(502), cut]);
    expect((await crossrate.convertBatch("USD", [["EUR", "1.50"]])).conversions[0]?.amount).toBe(1.5);
    const request = { method: "POST", body: '{"from":"USD","pairs":[["EUR","1.50"]]}' };
    expect(requests).toEqual([request, request, request]);
  });

  test("is sent once where it changes something", async () => {
    const { crossrate, requests } = behind([status(502)]);
    const { response } = await crossrate.http.POST("/v1/keys/rotate");
    expect({ status: response.status, requests: requests.length }).toEqual({ status: 502, requests: 1 });
  });
});

test("the server's place may have a path, and it must be an address", async () => {
  const server = listen((request) => real(new Request(request.url.replace("/fx/", "/"), request)));
  for (const url of [`${server.url}/fx`, `${server.url}/fx//`, new URL("fx/", server.url)])
    expect((await new Crossrate({ url }).health()).result).toBe("success");
  expect(() => new Crossrate({ url: "localhost" })).toThrow();
});

test.each([
  [100, "100"],
  [0.1, "0.1"],
  [1e-7, "0.0000001"],
  [-1.25e-9, "-0.00000000125"],
  [1.5e21, "1500000000000000000000"],
  [-2e22, "-20000000000000000000000"],
  ["1e5", "1e5"],
  ["12345678901234567890.123", "12345678901234567890.123"],
])("the amount %p is sent as %s", (amount, text) => {
  expect(amountText(amount)).toBe(text);
});

test("an empty list of symbols is not sent, which the server would take for all of them", async () => {
  const { crossrate, requests } = behind([]);
  const message = "the list of symbols is empty";
  await expect(crossrate.latest({ symbols: [] })).rejects.toThrow(message);
  await expect(crossrate.historical("2026-04-01", { symbols: [] })).rejects.toThrow(message);
  expect(requests).toEqual([]);
});
