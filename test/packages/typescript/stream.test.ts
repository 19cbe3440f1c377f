/** The TypeScript client's stream over real connections: it reconnects after a cut without a gap, and ends when it should. */

import { describe, expect, test } from "bun:test";
import {
  Crossrate,
  CrossrateError,
  type CrossrateOptions,
  type StreamEvent,
  type StreamOptions,
} from "#clients/typescript/src/crossrate.ts";
import { frameParser } from "#clients/typescript/src/events.ts";
import type { StreamQuery } from "#clients/typescript/src/parameters.ts";
import { openLiveServer } from "#test/packages/live-server.ts";
import { listen } from "#test/support/listen.ts";
import { until } from "#test/support/until.ts";

/** Waits of the client, each of which ends when the test says so. */
function heldWaits() {
  const waits: number[] = [];
  const gates: (() => void)[] = [];
  const sleep = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push(milliseconds);
      gates.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { waits, sleep, release: () => gates.shift()?.() };
}

/** Reads a stream until it ends, or until the test leaves it. */
function reading(crossrate: Crossrate, query: StreamQuery = {}, options: StreamOptions = {}) {
  const leaving = new AbortController();
  const events: StreamEvent[] = [];
  const ended = (async () => {
    const stream = crossrate.stream(query, { signal: leaving.signal, ...options });
    for await (const event of stream) events.push(event);
  })().then(
    () => null,
    (fault: unknown) => fault,
  );
  const leave = async () => {
    leaving.abort(new Error("enough"));
    expect(await ended).toEqual(new Error("enough"));
  };
  return { events, ended, leave };
}

const clientOf = (url: string, options: Partial<CrossrateOptions> = {}) =>
  new Crossrate({ url, random: () => 1, ...options });

describe("a stream", () => {
  test("begins with a snapshot, which is the answer of latest, and goes on with changes", async () => {
    const { url, fixture, publish } = await openLiveServer();
    const crossrate = clientOf(url);
    const { events, leave } = reading(crossrate, { symbols: ["EUR", "JPY"], dp: 2 });
    await until("the snapshot is there", () => events.length === 1);
    expect(events[0]).toEqual({
      event: "snapshot",
      id: expect.stringMatching(/^\S{8,}$/),
      data: await crossrate.latest({ symbols: ["EUR", "JPY"], dp: 2 }),
    });
    await publish({ JPY: "158.10" });
    await until("the change is there", () => events.length === 2);
    expect(events[1]).toMatchObject({ event: "rates", data: { rates: { JPY: 158.1 } } });
    await leave();
    await until("the server has no reader", () => fixture.deps.stream.subscribers() === 0);
  });

  test("goes on after a cut where it was: one event has what changed meanwhile", async () => {
    const { url, requests, cut, listenAgain, publish } = await openLiveServer();
    const { waits, sleep, release } = heldWaits();
    const { events, leave } = reading(clientOf(url, { sleep }));
    await until("the snapshot is there", () => events.length === 1);
    await cut();
    await until("the client waits", () => waits.length === 1);
    await publish({ EUR: "0.8571", JPY: "158.20" });
    release();
    await until("the server is found absent", () => waits.length === 2);
    listenAgain();
    release();
    await until("the change is there", () => events.length === 2);
    expect(events[1]).toMatchObject({ event: "rates", data: { rates: { EUR: 0.8571, JPY: 158.2 } } });
    expect(Object.keys(events[1]?.event === "rates" ? events[1].data.rates : {}).sort()).toEqual([
      "EUR",
      "JPY",
    ]);
    expect(requests.map(({ headers }) => headers.get("last-event-id"))).toEqual([null, events[0]?.id ?? ""]);
    // The server's own figure first, and longer with each failure.
    expect(waits).toEqual([3000, 6000]);
    await cut();
    await until("the client waits again", () => waits.length === 3);
    expect(waits[2]).toBe(3000);
    await leave();
  });

  test("can begin where an earlier one ended", async () => {
    const { url, fixture, publish } = await openLiveServer();
    let lastEventId = "";
    for await (const { id } of clientOf(url).stream()) {
      lastEventId = id;
      break;
    }
    await until("leaving the loop ends the connection", () => fixture.deps.stream.subscribers() === 0);
    await publish({ GBP: "0.7470" });
    for await (const event of clientOf(url).stream({}, { lastEventId })) {
      expect(event).toMatchObject({ event: "rates", data: { rates: { GBP: 0.747 } } });
      break;
    }
  });

  test("that is silent for too long is a broken one", async () => {
    const { url, requests } = await openLiveServer();
    const { waits, sleep, release } = heldWaits();
    const { events, leave } = reading(clientOf(url, { sleep }), {}, { silence: 50 });
    await until("the client gives the connection up", () => waits.length === 1);
    expect(events).toHaveLength(1);
    release();
    await until("it has connected again", () => requests.length === 2);
    await leave();
  });

  test("ends with a refusal that no attempt would change", async () => {
    const { url } = await openLiveServer();
    const { ended } = reading(clientOf(url), { dp: 11 });
    expect(await ended).toMatchObject({ name: "CrossrateError", code: "invalid_request", status: 400 });
  });

  test("waits as long as a full server wants, and gives up before the first event after its retries", async () => {
    const { url, requests } = await openLiveServer({ streamSubscribers: 0 });
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const { ended } = reading(clientOf(url, { sleep, retries: 3 }));
    const fault = await ended;
    expect(fault).toBeInstanceOf(CrossrateError);
    expect(fault).toMatchObject({ code: "service_unavailable", status: 503 });
    const { retryAfter } = fault as CrossrateError;
    expect(waits).toEqual([3000, 6000, 12_000].map((wait) => Math.max(wait, 1000 * (retryAfter ?? 0))));
    expect(requests).toHaveLength(4);
  });

  test("is refused where the server is no Crossrate", async () => {
    const { url } = listen(() => new Response("<html>"));
    const { ended } = reading(clientOf(url));
    expect(await ended).toMatchObject({ code: "unexpected_response", status: 200 });
  });

  test("an aborted signal begins none", async () => {
    const { url, requests } = await openLiveServer();
    const { ended } = reading(clientOf(url), {}, { signal: AbortSignal.abort(new Error("before")) });
    expect(await ended).toEqual(new Error("before"));
    expect(requests).toEqual([]);
  });
});

const TEXT = [
  "retry: 3000\nevent: snapshot\nid: a-1\ndata: {}\n\n",
  ": 2026-04-13T16:30:20Z\n\n",
  "event: rates\r\nid: a-2\r\ndata: {\r\ndata: }\r\n\r\n",
  "data\rid: a-3\r\r",
  "event: unfinished\ndata: 1",
].join("");
const FRAMES = [
  { event: "snapshot", id: "a-1", data: "{}" },
  { event: "rates", id: "a-2", data: "{\n}" },
  { event: "message", id: "a-3", data: "" },
];

test("the bytes of a stream give the same events however they are cut", () => {
  for (let size = 1; size <= TEXT.length; size++) {
    const parser = frameParser();
    const frames = [];
    for (let at = 0; at < TEXT.length; at += size) frames.push(...parser.push(TEXT.slice(at, at + size)));
    expect({ size, frames }).toEqual({ size, frames: FRAMES });
    expect(parser.retry()).toBe(3000);
  }
});
