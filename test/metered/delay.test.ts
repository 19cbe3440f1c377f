/** Plans with delayed live rates and plans without: two callers of one URL in one second each get the rates of their plan. */

import { expect, test } from "bun:test";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { until } from "#test/support/until.ts";
import { batchOf, bearer, from, type Json, join, json } from "./client.ts";
import { dataDirectory, NOON } from "./history.ts";
import { fixedClock, openReplica } from "./replica.ts";

const MINUTE = 60_000;
const DELAY = 15 * MINUTE;
const clock = fixedClock();

const simulator = await startFullSimulator(clock);
const dataDir = await dataDirectory();
const plans = {
  anonymous: { minute: 1000, hour: 1000, live_delay_minutes: 15 },
  free: { minute: 1000, live_delay_minutes: 15 },
};
const replica = await openReplica({
  dataDir,
  clock,
  plans,
  settings: {
    ROLE: "all",
    UPSTREAM_BASE: simulator.base,
    LIVE_FEED: "massive",
    MASSIVE_API_KEY: "0".repeat(32),
    LIVE_CURRENCIES: "EUR,JPY",
  },
});
const free = bearer((await join(replica.url)).key);
const paying = await join(replica.url);
await replica.setTier(paying.organizationId, "pro");
const pro = bearer(paying.key);
// Quotes of now, of eight minutes later, and of sixteen: then the first ones are old enough.
for (const later of [0, 8, 16]) {
  clock.at = NOON + later * MINUTE;
  await poll();
}

async function poll(): Promise<void> {
  const stop = replica.crossrate.startLive();
  await until("the quotes are served", async () => {
    const { effective_at } = await get("/v1/latest?symbols=EUR", pro);
    return effective_at.EUR !== undefined && Math.abs(Date.parse(effective_at.EUR) - clock.at) < MINUTE;
  });
  stop();
}

async function get(path: string, headers: Record<string, string>): Promise<Json> {
  return await json(await fetch(`${replica.url}${path}`, { headers }));
}

/** Of the rates, not of the answer. */
function ageOf({ effective_at, data_updated_at, timestamp, meta }: Json): number {
  const at = effective_at?.EUR ?? data_updated_at;
  return clock.at - (at === undefined ? 1000 * (timestamp ?? meta.timestamp) : Date.parse(at));
}

const PATHS = [
  "/v1/latest?symbols=EUR",
  "/v1/latest/EUR?symbols=USD",
  "/v1/convert/USD/EUR",
  "/v1/convert/USD/EUR/250",
  "/v1/rate/usd-eur",
  "/compat/oxr/latest.json?symbols=EUR",
  "/compat/oxr/convert/10/USD/EUR",
  // Of all currencies `timestamp` would be that of the oldest, a daily one.
  "/compat/oxr/api/latest.json?symbols=EUR,USD",
  "/v1/convert",
];

test.each(PATHS)(
  "%s: each caller has the rates of its plan, also from ready bodies, in any order of requests",
  async (path) => {
    const seen: string[] = [];
    const inTurn = [pro, free, pro, free, free, pro, from("203.0.113.1"), pro];
    for (const who of inTurn) {
      const init = path === "/v1/convert" ? batchOf(2, who) : { headers: who };
      const body = await json(await fetch(`${replica.url}${path}`, init));
      if (who === pro) expect(ageOf(body)).toBeLessThan(MINUTE);
      else expect(ageOf(body)).toBeGreaterThanOrEqual(DELAY);
      if (path.startsWith("/v1/") && path !== "/v1/convert") expect(body.source).toBe("live");
      if (body.stale !== undefined)
        expect([false, { EUR: false }, { USD: false }]).toContainEqual(body.stale);
      seen.push(String(body.rate ?? JSON.stringify(body.rates ?? body.response ?? body.conversions)));
    }
    const [fast, late] = seen;
    expect(fast).not.toBe(late);
    expect(seen).toEqual(inTurn.map((who) => (who === pro ? fast : late)) as string[]);
  },
);

test("a tag that one plan was given does not pass for the other's answer", async () => {
  const path = `${replica.url}/v1/latest?symbols=EUR`;
  const tagOf = async (headers: Record<string, string>) =>
    (await fetch(path, { headers })).headers.get("etag") ?? "";
  const [fast, late] = [await tagOf(pro), await tagOf(free)];
  expect(fast).not.toBe(late);
  const statusWith = async (who: Record<string, string>, tag: string) =>
    (await fetch(path, { headers: { ...who, "if-none-match": tag } })).status;
  expect([await statusWith(pro, fast), await statusWith(free, late)]).toEqual([304, 304]);
  expect([await statusWith(pro, late), await statusWith(free, fast)]).toEqual([200, 200]);
});

async function firstEvent(headers: Record<string, string>, path = "/v1/stream"): Promise<Json> {
  const answer = await fetch(`${replica.url}${path}?symbols=EUR`, { headers });
  let text = "";
  for await (const part of answer.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(part);
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`no event: ${text}`);
}

test("streams of both plans at once: each has quotes of its own age", async () => {
  const [fast, late] = await Promise.all([firstEvent(pro), firstEvent(free)]);
  expect(ageOf(fast)).toBeLessThan(MINUTE);
  expect(ageOf(late)).toBeGreaterThanOrEqual(DELAY);
});

test("pages show everybody, people of a larger plan too, what callers without a key get", async () => {
  const rateOf = async (who: Record<string, string>) => {
    const answer = await fetch(`${replica.url}/v1/rate/usd-eur`, { headers: who });
    return /"rate":([\d.]+)/.exec(await answer.text())?.[1] ?? "";
  };
  const [fast, late] = [await rateOf(pro), await rateOf(free)];
  const visitors = [from("203.0.113.2"), { cookie: `crossrate_session=${paying.token}` }];
  const read = async (path: string, who = visitors[0]) =>
    await (await fetch(`${replica.url}${path}`, { headers: { ...who } })).text();
  for (const path of ["/", "/?base=USD&to=EUR", "/usd-eur", "/site/provenance/USD/EUR"])
    for (const who of visitors) {
      const page = await read(path, who);
      expect([path, page.includes(late), page.includes(fast)]).toEqual([path, true, false]);
    }
  expect(ageOf(await firstEvent({}, "/site/stream"))).toBeGreaterThanOrEqual(DELAY);
  const bars = async (range: string) =>
    JSON.parse(await read(`/site/series/USD/EUR?range=${range}`)).rates.map(Number);
  // Of the quarter of an hour that is withheld there is no bar, of the hour its first minutes.
  expect([await bars("1D"), await bars("1W")]).toEqual([[], [Number(late)]]);
  const hours = "interval=1h&start_date=2026-04-14&end_date=2026-04-14&format=csv";
  expect(await read(`/site/series/USD/EUR/file?${hours}`)).toBe(
    await read(`/v1/range?base=USD&symbols=EUR&${hours}`),
  );
});

test("past quotes are late as well: bars, files of bars and of quotes, and the lake", async () => {
  const today = "symbols=EUR&start_date=2026-04-14&end_date=2026-04-14";
  const minutes = async (path: string, who: Record<string, string>) => {
    const answer = await fetch(`${replica.url}${path}`, { headers: who });
    const text = await answer.text();
    expect(`${path} ${answer.status}`).toBe(`${path} 200`);
    return [...new Set([...text.matchAll(/2026-04-14T(\d\d:\d\d)/g)].map(([, minute]) => minute))].sort();
  };
  const paths = [
    `/v1/range?${today}&interval=1m&format=csv`,
    `/v1/range?${today}&interval=1m&format=ndjson&order=desc`,
    `/v1/range?${today}&interval=tick&format=csv`,
  ];
  for (const path of paths) {
    for (const who of [pro, free, pro, free]) {
      const seen = await minutes(path, who);
      if (who === pro) expect(seen).toContain("12:16");
      else expect([seen.at(0), (seen.at(-1) ?? "") <= "12:01"]).toEqual(["12:00", true]);
    }
  }
  for (const order of ["asc", "desc"]) {
    const starts = async (who: Record<string, string>) => {
      const { data } = await get(`/v1/range?${today}&interval=1m&order=${order}`, who);
      return data.map(({ start }: { start: string }) => start.slice(11, 16)).sort();
    };
    expect((await starts(pro)).at(-1)).toBe("12:16");
    expect(await starts(free)).toEqual(["12:00"]);
  }
  // An hour that is not over ends for the late ones where their minutes end.
  const hour = async (who: Record<string, string>) =>
    (await get(`/v1/range?${today}&interval=1h`, who)).data[0].bars?.EUR?.ticks;
  expect([await hour(pro), await hour(free)]).toEqual([3, 1]);

  // Minutes that are over, and whose last quotes are withheld, would look whole.
  const quarter = `/v1/range?${today}&interval=15m`;
  expect((await get(quarter, pro)).data.map(({ start }: { start: string }) => start.slice(11, 16))).toEqual([
    "12:00",
    "12:15",
  ]);
  expect((await fetch(`${replica.url}${quarter}`, { headers: free })).status).toBe(404);
  const quarters = await (await fetch(`${replica.url}${quarter}&format=csv`, { headers: free })).text();
  expect(quarters.includes("T12:00")).toBe(false);

  const { files } = await get("/v1/lake/intraday/manifest.json", free);
  expect(files).toHaveLength(1);
  for (const name of [files[0].path, files[0].current]) {
    const file = `${replica.url}/v1/lake/${name}`;
    expect((await fetch(file, { headers: pro })).status).toBe(200);
    expect((await json(await fetch(file, { headers: free }), 403)).code).toBe("forbidden");
  }
  const period = "/compat/oxr/ohlc.json?start_time=2026-04-14T12:08:00Z&period=1m&symbols=EUR";
  expect((await fetch(`${replica.url}${period}`, { headers: pro })).status).toBe(200);
  expect((await fetch(`${replica.url}${period}`, { headers: free })).status).toBe(400);
  // Quotes of its last minutes are withheld: its close would be another one later.
  const ended = "/compat/oxr/ohlc.json?start_time=2026-04-14T12:00:00Z&period=15m&symbols=EUR";
  expect((await fetch(`${replica.url}${ended}`, { headers: pro })).status).toBe(200);
  expect((await fetch(`${replica.url}${ended}`, { headers: free })).status).toBe(400);
});

test("without accounts LIVE_DELAY_MINUTES delays every caller alike", async () => {
  const settings = { ...replica.settings, ACCESS: "open", LIVE_DELAY_MINUTES: "15" };
  const open = await openReplica({ dataDir, clock, settings });
  const today = "symbols=EUR&start_date=2026-04-14&end_date=2026-04-14";
  const latest = await json(await fetch(`${open.url}/v1/latest?symbols=EUR`));
  expect([latest.source, ageOf(latest) >= DELAY]).toEqual(["live", true]);
  const { data } = await json(await fetch(`${open.url}/v1/range?${today}&interval=1m`));
  expect(data.map(({ start }: { start: string }) => start.slice(11, 16))).toEqual(["12:00"]);
  const ticks = await (await fetch(`${open.url}/v1/range?${today}&interval=tick&format=csv`)).text();
  expect([ticks.includes("T12:00"), ticks.includes("T12:16")]).toEqual([true, false]);
  const { files } = await json(await fetch(`${open.url}/v1/lake/intraday/manifest.json`));
  for (const name of [files[0].path, files[0].current])
    expect((await json(await fetch(`${open.url}/v1/lake/${name}`), 403)).code).toBe("forbidden");
});

test("the day's file is whole for the late ones once all of it is old enough, under both of its names", async () => {
  const { files } = await get("/v1/lake/intraday/manifest.json", free);
  const before = clock.at;
  const midnight = Date.parse("2026-04-15T00:00:00Z");
  try {
    for (const name of [files[0].path, files[0].current]) {
      const statusAt = async (instant: number) => {
        clock.at = instant;
        return (await fetch(`${replica.url}/v1/lake/${name}`, { headers: free })).status;
      };
      expect(await statusAt(midnight + DELAY - 1)).toBe(403);
      expect(await statusAt(midnight + DELAY)).toBe(200);
    }
  } finally {
    clock.at = before;
  }
});

test("LIVE_DELAY_MINUTES holds for every plan, also for those that say less", async () => {
  const settings = { ...replica.settings, LIVE_DELAY_MINUTES: "30", ROLE: "all" };
  const late = await openReplica({ dataDir: await dataDirectory(), clock, settings });
  const plans = late.crossrate.accounts?.account.plans;
  expect([plans?.anonymous, plans?.free, plans?.pro].map((terms) => terms?.live_delay_minutes)).toEqual([
    30, 30, 30,
  ]);
  expect(plans?.pro.minute).toBe(500);
});
