/** The product as it is really wired, on a clock in the test's hands: quotes from the simulator's server, a restart on the same archive, a delay. */

import { afterAll, expect, test } from "bun:test";
import { broken } from "#test/demo/broken-transport.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { isPrintOf, meanOf } from "./exact.ts";
import { TICKER } from "./ledger.ts";
import type { Latest } from "./look.ts";
import { turnOfTheLoop } from "./virtual-time.ts";

const KEY = "0123456789abcdef0123456789abcdef";
let now = Date.parse("2026-03-06T21:50:00Z");
const simulator = await startFullSimulator({ now: () => now });
afterAll(() => simulator.stop());

/** The server's process, but for its port and its timetable. */
async function opened(dataDir: string, settings: Record<string, string> = {}) {
  const environment = {
    ...{ DATA_DIR: dataDir, UPSTREAM_BASE: simulator.base, LIVE_FEED: "massive", MASSIVE_API_KEY: KEY },
    ...{ LIVE_FALLBACK: "coinbase", LIVE_CURRENCIES: "EUR,JPY,MXN", ACCESS: "open", ...settings },
  };
  const crossrate = await openProduct(environment, { now: () => now });
  const latest = async (): Promise<Latest> => {
    const text = await (await crossrate.ask("/v1/latest?symbols=EUR,JPY,MXN,NOK")).text();
    return JSON.parse(text.replace(/"([A-Z]{3})":([\d.]+)/g, '"$1":"$2"')) as Latest;
  };
  return {
    ...crossrate,
    latest,
    /** Polls once, until what came is served. */
    async poll(): Promise<Latest> {
      const stop = crossrate.startLive();
      const second = new Date(Math.floor(now / 1000) * 1000).toISOString().slice(0, 19);
      let served = await latest();
      while (served.effective_at?.["EUR"]?.slice(0, 19) !== second) {
        await turnOfTheLoop();
        served = await latest();
      }
      stop();
      return served;
    },
  };
}

/** The mid of a pair as the feed prints it now. */
async function delivered(pair: string) {
  const path = `/api.massive.com/v2/snapshot/locale/global/markets/forex/tickers?tickers=C:${pair}`;
  const answer = await fetch(`${simulator.base}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
  const [[, , , ask = "", bid = ""] = []] = [...(await answer.text()).matchAll(TICKER)];
  return meanOf(bid, ask);
}

test("what the feed prints is what is served, and another process on the same archive has it at once, fresh until its window ends", async () => {
  const dataDir = temporaryDirectory();
  now = Date.parse("2026-03-06T21:50:00Z");
  const first = await opened(dataDir);
  await first.collector.collect("ecb_daily", "latest");
  const before = await first.poll();
  expect(isPrintOf(before.rates["JPY"] as string, await delivered("USDJPY"))).toBe(true);
  expect(before.sources).toMatchObject({ EUR: "live", JPY: "live", MXN: "live", NOK: "ecb_daily" });
  await first.close();

  // No feed answers any more; the market closes ten minutes later, and what was served stays through the weekend.
  for (const host of ["api.massive.com", "api.coinbase.com"]) simulator.misbehave(host, broken.status(503));
  now = Date.parse("2026-03-06T21:54:59Z");
  const second = await opened(dataDir);
  const { timestamp: _, ...after } = await second.latest();
  expect({ ...after, timestamp: before.timestamp }).toEqual(before);
  now = Date.parse("2026-03-06T21:55:00Z") + 1;
  expect((await second.latest()).stale).toMatchObject({ EUR: true, JPY: true, MXN: true });
  await second.close();
  simulator.behave();
}, 30_000);

test("with LIVE_DELAY_MINUTES a quote is served when it is old enough, and not before", async () => {
  now = Date.parse("2026-03-05T12:00:00Z");
  const late = await opened(temporaryDirectory(), { LIVE_DELAY_MINUTES: "15" });
  await late.collector.collect("ecb_daily", "latest");
  const stop = late.startLive();
  // Undelayed, as /status has it, the quotes are there at once.
  const isThere = async () => (await (await late.ask("/status")).text()).includes('"live_currencies":3');
  while (!(await isThere())) await turnOfTheLoop();
  stop();
  expect((await late.latest()).sources["EUR"]).toBe("ecb_daily");
  now += 15 * 60_000 - 1;
  expect((await late.latest()).sources["EUR"]).toBe("ecb_daily");
  now += 1;
  const { sources, stale, effective_at } = await late.latest();
  expect([sources["EUR"], stale["EUR"], effective_at["EUR"]]).toEqual([
    "live",
    false,
    "2026-03-05T12:00:00Z",
  ]);
  await late.close();
}, 30_000);
