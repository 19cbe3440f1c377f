/** The stream over real sockets: readers that leave, readers that do not read, a server that stops. */

import { describe, expect, test } from "bun:test";
import { listen } from "#test/support/listen.ts";
import { until } from "#test/support/until.ts";
import { newSseParser, readSse, type SseEvent, turn } from "./sse.ts";
import { openLiveFixture, openStreamFixture, type StreamFixture } from "./streaming.ts";

function serve(fixture: StreamFixture) {
  const server = listen(fixture.answer);
  return { server, port: server.port, url: `${server.url}/v1/stream` };
}

/** A client that reads nothing until its socket is resumed. On the base that moves every rate does: its socket is full sooner. */
async function sleepyClient(port: number) {
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      open: (own) => {
        own.write("GET /v1/stream?base=EUR HTTP/1.1\r\nHost: localhost\r\n\r\n");
        own.pause();
      },
      data: (_, chunk) => {
        received += chunk.toString("latin1");
      },
    },
  });
  return {
    socket,
    events: (): readonly SseEvent[] => {
      const [, ...body] = received.split("\r\n\r\n");
      // Chunked coding: a line with the length in front of each chunk, which ends with a line break of its own.
      const text = body.join("\r\n\r\n").replace(/(^|\r\n)[0-9a-fA-F]+\r\n/g, "");
      const parser = newSseParser();
      parser.push(new TextEncoder().encode(text.slice(0, text.lastIndexOf("\n\n") + 2)));
      return parser.events;
    },
  };
}

describe("over HTTP", () => {
  test("a reader that disconnects is removed, whether its connection is closed or reset", async () => {
    const fixture = openStreamFixture();
    const { url, port } = serve(fixture);
    const { stream } = fixture.deps;
    const polite = readSse(await fetch(url));
    const giveUp = new AbortController();
    await fetch(url, { signal: giveUp.signal });
    const abrupt = await sleepyClient(port);
    await until("all three are there", () => stream.subscribers() === 3);
    await polite.leave();
    await until("one has left", () => stream.subscribers() === 2);
    giveUp.abort();
    await until("two have left", () => stream.subscribers() === 1);
    abrupt.socket.terminate();
    await until("all have left", () => stream.subscribers() === 0);
    expect(fixture.ticking()).toBe(false);
  });
  test("the server's stop is not held up once the streams are ended", async () => {
    const fixture = openStreamFixture();
    const { url, server } = serve(fixture);
    const readers = [readSse(await fetch(url)), readSse(await fetch(`${url}?base=EUR`))];
    await until("both are there", () => fixture.deps.stream.subscribers() === 2);
    fixture.deps.stream.close();
    await server.stop(false);
    await until("both have ended", () => readers.every((reader) => reader.ended()));
  });
});

/** Publishes until the socket takes no more; resolves with how many changes that took. */
async function fill(fixture: StreamFixture): Promise<number> {
  for (let change = 1; change < 20_000; change++) {
    fixture.setNow(fixture.now() + 1000);
    await fixture.publish({
      EUR: (0.8 + change / 100_000).toFixed(5),
      JPY: (150 + change / 1000).toFixed(3),
    });
    await turn();
    if (fixture.deps.stream.totals().coalesced > 0) return change;
  }
  throw new Error("the socket took everything");
}

test("a reader that does not read is sent nothing more, whatever happens, and then everything it missed in one event", async () => {
  const fixture = await openLiveFixture();
  const { port } = serve(fixture);
  const { stream } = fixture.deps;
  const client = await sleepyClient(port);
  await until("it is there", () => stream.subscribers() === 1);
  await fill(fixture);
  const written = stream.totals().events;
  for (let change = 0; change < 500; change++) {
    fixture.setNow(fixture.now() + 10);
    await fixture.publish({ EUR: (0.9 + change / 100_000).toFixed(5), CHF: "0.7991" });
    await turn();
  }
  // Nothing waits for it but one chunk: what it costs does not grow.
  expect(stream.totals().events - written).toBeLessThan(3);
  expect(stream.totals().coalesced).toBeGreaterThan(490);
  client.socket.resume();
  const { rates } = await fixture.get("/v1/latest?base=EUR&symbols=USD");
  await until("it has caught up", () => client.events().at(-1)?.data.rates.USD === rates.USD);
  expect(client.events()).toHaveLength(stream.totals().events);
  expect(client.events().at(-1)?.data.rates).toHaveProperty("CHF");
  client.socket.terminate();
});
