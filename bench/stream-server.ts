/** The server of bench/stream.ts: the stream's route on a hot book in memory, which changes once a second. */

import { textsOf } from "#api/request/query.ts";
import { EVENT_FRAMES, openStreams, streamQuery } from "#api/stream/stream.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { currencyOf, type LiveQuote } from "#domain/live/live-quote.ts";
import { openSpot } from "#rates/spot.ts";
import { openStream } from "#rates/stream/stream.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";

/** What is live by default: nineteen currencies. */
const LIVE = "EUR GBP JPY CHF AUD CAD NZD SEK NOK DKK SGD HKD CNY MXN ZAR TRY PLN CZK HUF".split(
  " ",
) as CurrencyCode[];

const clock = { now: Date.now };
const emit = (event: object) => console.error(JSON.stringify(event));
const every = (milliseconds: number, run: () => void) => {
  const timer = setInterval(run, milliseconds);
  return () => clearInterval(timer);
};
const hotBook = memoryHotBook({ clock, emit });
const policy = { currencies: new Set(LIVE), staleAfterSeconds: () => 300 };
const spot = openSpot({ dataset: () => null, clock, hotBook, policy, simulated: false, delayMinutes: 0 });
const stream = openStream({
  spot,
  clock,
  hotBook,
  emit,
  every,
  streamSubscribers: 20_000,
  frames: EVENT_FRAMES,
});
const answer = openStreams({
  spot,
  stream,
  simulated: false,
  callerOf: () => "a bench",
  streamBounds: { perCaller: 20_000, perNetwork: 20_000, keyless: 20_000 },
});

let published = 0;
let publishing: Timer | undefined;

function quotes(): LiveQuote[] {
  const now = Date.now();
  return LIVE.map((quote, index) => {
    const mid = (1 + index + (published % 10_000) / 10_000).toFixed(5);
    return { feed: "oxr", base: "USD", quote, bid: null, ask: null, mid, observedAt: now, retrievedAt: now };
  });
}

async function publish(): Promise<void> {
  const book = await hotBook.publish(quotes());
  if (book.quotes.size !== new Set(quotes().map(currencyOf)).size) throw new Error("a quote is missing");
  published += 1;
}

await publish();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  development: false,
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/stream") {
      const { value } = streamQuery["~standard"].validate(textsOf(request));
      return answer(request, value, { caller: null, delayMinutes: 0, holds: () => true });
    }
    if (pathname === "/begin") {
      published = 0;
      publishing = setInterval(publish, 1000 / Number(process.env["UPDATES_A_SECOND"] ?? "1"));
    }
    if (pathname === "/end") clearInterval(publishing);
    const { user, system } = process.cpuUsage();
    return Response.json({
      published,
      cpuSeconds: (user + system) / 1e6,
      residentMegabytes: process.memoryUsage.rss() / 1e6,
      subscribers: stream.subscribers(),
      ...stream.totals(),
    });
  },
});
console.log(`http://127.0.0.1:${server.port}`);
