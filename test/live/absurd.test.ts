/** An absurd feed against the product as it is wired: nothing of it is served or stored, /status names the reason, an operator may release it. */

import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { runInProcess } from "#test/commands/process.ts";
import { listen } from "#test/support/listen.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { turnOfTheLoop } from "./virtual-time.ts";

const START = "2026-03-05T12:00:00Z";
let now = Date.parse(START);
const simulator = await startSimulator({ now: () => now });
/** What becomes of the yen's digits. */
let yen = (price: number) => price;
const feed = listen(async (request) => {
  const { pathname, search } = new URL(request.url);
  const answer = await fetch(`${simulator.base}${pathname}${search}`, {
    headers: { "accept-encoding": "identity" },
  });
  if (!pathname.startsWith("/api.coinbase.com")) return new Response(answer.body, answer);
  const body = await answer.json();
  const price = yen(Number(body.data.rates["JPY"]));
  body.data.rates["JPY"] = price.toFixed(price < 1 ? 8 : 5);
  return Response.json(body, { headers: { date: new Date(now).toUTCString() } });
});
afterAll(() => simulator.stop());

const settingsOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  UPSTREAM_BASE: feed.url,
  LIVE_FEED: "coinbase",
  LIVE_CURRENCIES: "EUR,JPY",
  ACCESS: "open",
});

async function opened(dataDir: string) {
  const crossrate = await openProduct(settingsOf(dataDir), { now: () => now, simulated: false });
  const { emitted } = crossrate;
  return {
    ...crossrate,
    get: crossrate.json,
    /** Polls the feed once, and resolves when the result has been stored. */
    async poll(): Promise<void> {
      const before = emitted.filter(({ kind }) => kind === "quotes_collected").length;
      const stop = crossrate.startLive();
      while (emitted.filter(({ kind }) => kind === "quotes_collected").length === before)
        await turnOfTheLoop();
      // The event is emitted when the quotes are durable; they are served at once then.
      await turnOfTheLoop();
      stop();
    },
  };
}

async function archived(dataDir: string): Promise<readonly string[]> {
  const archive = await openQuoteArchive({
    directory: join(dataDir, "lake"),
    simulated: false,
    access: "read",
  });
  const quotes = await archive.quotes(Date.parse(START) - 86_400_000, now + 86_400_000);
  await archive.close();
  return quotes.map(({ quote, mid }) => `${quote} ${mid}`);
}

test.each([
  ["inverted", (price: number) => 1 / price, "decimal_slip|beyond_reference"],
  ["40 % devalued", (price: number) => price * 1.667, "beyond_reference"],
])(
  "the yen %s, on the first poll and on every one after it, is neither served nor stored, and /status names the reason",
  async (_, wrong, rules) => {
    now = Date.parse(START);
    const dataDir = temporaryDirectory();
    const server = await opened(dataDir);
    await server.collector.collect("ecb_daily", "latest");
    yen = wrong;
    for (let minute = 0; minute < 5; minute++, now += 60_000) {
      await server.poll();
      const { rates, sources, notice } = await server.get("/v1/latest?base=USD&symbols=EUR,JPY");
      expect(sources).toMatchObject({ EUR: "live", JPY: "ecb_daily" });
      expect(notice).toContain("not live");
      expect((await server.get("/v1/latest?base=USD&symbols=EUR")).notice).not.toContain("not live");
      expect(rates.JPY).toBeGreaterThan(90);
      const { status, checks } = await server.get("/status");
      expect([status, checks.live_data.status]).toEqual(["degraded", "refused"]);
      expect(checks.live_data.refused).toMatchObject([
        {
          feed: "coinbase",
          currency: "JPY",
          pair: "USD/JPY",
          rule: expect.stringMatching(new RegExp(rules)),
        },
      ]);
      const [{ per_dollar, reference, reference_at }] = checks.live_data.refused;
      expect(Math.max(per_dollar / reference, reference / per_dollar)).toBeGreaterThan(1.3);
      expect(Math.abs(reference / rates.JPY - 1)).toBeLessThan(0.0001);
      expect(reference_at).toBe("2026-03-04T13:15:00Z");
    }
    await server.close();
    expect((await archived(dataDir)).filter((line) => line.startsWith("JPY"))).toEqual([]);
  },
);

test("an operator sees what is refused, releases it, and a running server serves it within seconds", async () => {
  now = Date.parse(START);
  const dataDir = temporaryDirectory();
  const server = await opened(dataDir);
  await server.collector.collect("ecb_daily", "latest");
  yen = (price) => price * 1.667;
  await server.poll();
  const environment = { ...settingsOf(dataDir), NOW: START };
  const live = async (...args: string[]) => await runInProcess(["live", ...args], environment);
  let listed = await live("refused");
  while (!listed.out.includes("1 refused")) {
    await turnOfTheLoop();
    if (server.emitted.some(({ kind }) => kind === "job_failed")) throw new Error("the list was not written");
    listed = await live("refused");
  }
  const [, price = ""] = /coinbase USD\/JPY ([\d.]+)\n/.exec(listed.out) ?? [];
  expect(listed.out).toContain("beyond_reference: ");
  expect((await live("release", "--feed", "coinbase", "--currency", "jpy", "--price", "0")).code).toBe(2);
  expect((await live("release", "--feed", "coinbase", "--currency", "USD", "--price", "1")).code).toBe(2);
  const released = await live("release", "--feed", "coinbase", "--currency", "JPY", "--price", price);
  expect([released.code, released.out]).toEqual([0, expect.stringContaining(`within 10 % of ${price}`)]);
  const latest = () => server.get("/v1/latest?base=USD&symbols=JPY");
  while ((await latest()).sources.JPY !== "live") await turnOfTheLoop();
  expect((await latest()).rates.JPY).toBeCloseTo(Number(price), 2);
  expect(server.emitted.filter(({ kind }) => kind === "quote_released")).toMatchObject([
    { currency: "JPY", price },
  ]);
  expect((await server.get("/status")).checks.live_data).toMatchObject({
    status: "unconfirmed",
    unconfirmed: ["JPY"],
    refused: [],
  });
  expect((await live("refused")).out).toContain(`released: coinbase JPY near ${price}`);
  await server.close();
});
