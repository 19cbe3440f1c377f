/** The stream: its first event, the later ones, and no others. Clock, book and ticks are the test's. */

import { describe, expect, test } from "bun:test";
import { STREAM_EXAMPLE } from "#api/stream/stream.ts";
import { NOW } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { openLiveFixture, openStreamFixture, PRICES } from "./streaming.ts";

describe("the beginning", () => {
  test("is one snapshot, exactly what /v1/latest answers, and the time after which to connect again", async () => {
    const fixture = await openLiveFixture();
    for (const query of ["", "?base=EUR", "?symbols=JPY,EUR", "?base=gbp&symbols=usd,gbp&dp=2"]) {
      const reader = await fixture.connect(`/v1/stream${query}`);
      expect(reader.retry).toBe(3000);
      expect(reader.events.map(({ name }) => name)).toEqual(["snapshot"]);
      expect(reader.events[0]?.data).toEqual(await fixture.get(`/v1/latest${query}`));
      const latest = await (await fixture.ask(`/v1/latest${query}`)).text();
      expect(reader.events[0]?.text).toEndWith(`data: ${latest}\n\n`);
    }
  });
  test("has the headers of an event stream that no cache stores and no proxy buffers", async () => {
    const fixture = openStreamFixture();
    const { headers } = (await fixture.connect("/v1/stream", { "x-request-id": "mine" })).response;
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-request-id")).toBe("mine");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("x-data-mode")).toBeNull();
  });
  test("states in the demo that nothing is real", async () => {
    const reader = await openStreamFixture({ simulated: true }).connect("/v1/stream");
    expect(reader.response.headers.get("x-data-mode")).toBe("simulated");
    expect(reader.events[0]?.data.notice).toStartWith("SIMULATED DATA");
  });
  test("is a refusal as of /v1/latest where the query is wrong or nothing has a value", async () => {
    const fixture = openStreamFixture();
    await fixture.refused("/v1/stream?base=XXX", "unsupported_base");
    await fixture.refused("/v1/stream?symbols=XXX", "invalid_request");
    await fixture.refused("/v1/stream?dp=11", "invalid_request");
    await fixture.refused("/v1/stream?base=USD&path_base=EUR", "base_conflict");
    await fixture.refused("/v1/stream?symbols=CHF", "data_unavailable");
    await fixture.refused("/v1/stream", "method_not_allowed", { method: "POST" });
    await openStreamFixture({ observations: null }).refused("/v1/stream", "data_unavailable");
    expect(fixture.deps.stream.subscribers()).toBe(0);
  });
  test("of the sample world is the documented example, ids and all", async () => {
    const response = await sampleApp().visit("/v1/stream?base=USD&symbols=EUR,GBP,JPY");
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe(STREAM_EXAMPLE);
  });
  test("requested by HEAD is headers only, and takes no slot", async () => {
    const fixture = openStreamFixture();
    const response = await fixture.ask("/v1/stream", { method: "HEAD" });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(fixture.deps.stream.subscribers()).toBe(0);
    expect((await fixture.ask("/v1/stream?symbols=CHF", { method: "HEAD" })).status).toBe(503);
  });
});

describe("a change", () => {
  test("is sent at once, with the currencies that changed and no other", async () => {
    const fixture = await openLiveFixture();
    const reader = await fixture.connect("/v1/stream");
    await fixture.publishAfter(5, { JPY: "157.80", CHF: "0.7990" });
    await reader.settle();
    expect(reader.events.map(({ name }) => name)).toEqual(["snapshot", "rates"]);
    // The price of CHF is the same; its observation is not.
    expect(reader.events[1]?.data).toEqual(await fixture.get("/v1/latest?symbols=CHF,JPY"));
    expect(reader.events[1]?.id).not.toBe(reader.events[0]?.id as string);
  });
  test("of the base's own observation concerns every currency", async () => {
    const fixture = await openLiveFixture();
    const reader = await fixture.connect("/v1/stream?base=JPY");
    await fixture.publishAfter(5, { JPY: PRICES.JPY });
    await reader.settle();
    const { missing_symbols: _, ...latest } = await fixture.get("/v1/latest?base=JPY");
    expect(reader.events[1]?.data).toEqual(latest);
  });
  test("of staleness is sent when it begins and when it ends, for that currency only", async () => {
    const fixture = await openLiveFixture();
    await fixture.publish({ EUR: "0.8561" }, NOW + 60_000);
    const reader = await fixture.connect("/v1/stream?symbols=EUR,JPY");
    await fixture.tick(300);
    await reader.settle();
    expect(reader.events).toHaveLength(1);
    await fixture.tick();
    await reader.settle();
    expect(reader.events.at(-1)?.data.stale).toEqual({ JPY: true });
    await fixture.publish({ JPY: "157.90" });
    await reader.settle();
    expect(reader.events.at(-1)?.data.stale).toEqual({ JPY: false });
    expect(reader.events).toHaveLength(3);
  });
  test("that leaves nothing is announced with the refusal's message, once, and a snapshot follows", async () => {
    const fixture = openStreamFixture();
    await fixture.publish({ CHF: "0.7990" });
    const reader = await fixture.connect("/v1/stream?symbols=CHF");
    fixture.setNow(NOW + 25 * 3_600_000);
    await fixture.tick(70);
    await reader.settle();
    const refused = await (await fixture.ask("/v1/stream?symbols=CHF")).json();
    expect(refused).toMatchObject({ result: "error", code: "live_unavailable" });
    expect(reader.events.map(({ name }) => name)).toEqual(["snapshot", "unavailable"]);
    expect(reader.events[1]?.data).toEqual(refused);
    await fixture.publish({ CHF: "0.8010" });
    await reader.settle();
    expect(reader.events.map(({ name }) => name)).toEqual(["snapshot", "unavailable", "snapshot"]);
  });
});

describe("the line", () => {
  test("is kept alive by a comment every 15 seconds, and minutes without a change bring nothing else", async () => {
    const fixture = await openLiveFixture();
    const reader = await fixture.connect("/v1/stream");
    await fixture.tick(14);
    expect(reader.comments).toEqual([]);
    await fixture.tick(226);
    expect(reader.comments).toHaveLength(16);
    expect(reader.comments.slice(0, 2)).toEqual(["2026-04-13T16:30:15Z", "2026-04-13T16:30:30Z"]);
    expect(reader.events).toHaveLength(1);
  });
  test("needs no comment after an event", async () => {
    const fixture = openStreamFixture();
    const reader = await fixture.connect("/v1/stream");
    await fixture.tick(10);
    await fixture.publish(PRICES);
    await fixture.tick(14);
    await reader.settle();
    expect(reader.comments).toEqual([]);
    await fixture.tick();
    await reader.settle();
    expect(reader.comments).toEqual(["2026-04-13T16:30:25Z"]);
  });
});

describe("the slots", () => {
  test("are so many, the next is refused with when to come again, and one that leaves makes room", async () => {
    const fixture = openStreamFixture({ streamSubscribers: 2 });
    const first = await fixture.connect("/v1/stream");
    await fixture.connect("/v1/stream");
    const refused = await fixture.refused("/v1/stream", "service_unavailable");
    expect(refused.headers.get("retry-after")).toBe("30");
    expect((await refused.json()).message).toContain("all 2 places");
    await first.leave();
    expect((await fixture.connect("/v1/stream")).events).toHaveLength(1);
  });
  test("is not held for a request that was aborted before its answer was read", async () => {
    const fixture = openStreamFixture();
    const giveUp = new AbortController();
    await fixture.visit("/v1/stream", { signal: giveUp.signal });
    expect(fixture.deps.stream.subscribers()).toBe(1);
    giveUp.abort();
    expect(fixture.deps.stream.subscribers()).toBe(0);
  });
});
