/** `serve` as an operator meets it: first boot, restart, silence of the upstreams, figures that were held back, and a closed terminal. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { distributionOf, parseExposition, sampleOf } from "#test/metrics/exposition.ts";
import { freePort } from "#test/support/free-port.ts";
import { listen } from "#test/support/listen.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectRefusedInOneLine, runInProcess, startCommand, startServe, until } from "./process.ts";

/** Of the seventh year of rates: nothing here depends on how long a history is, and the new lira has its figures. */
const NOW = "2005-04-13T16:30:00Z";
const simulator = await startFullSimulator({ now: () => Date.parse(NOW) });

const WINDOW = "/v1/range?symbols=EUR&start_date=2005-04-01&end_date=2005-04-10";

const serve = (environment: Record<string, string>) =>
  startServe({ NOW, OFFICIAL_TABLES: "off", ...environment });

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely here; their shapes are held in test/api
const json = async (url: string): Promise<any> => await (await fetch(url)).json();

test("the first start listens at once, answers 503 until the history is loaded, then 200 and survives a restart", async () => {
  const DATA_DIR = temporaryDirectory();
  const first = await serve({ DATA_DIR, UPSTREAM_BASE: simulator.base });
  const early = await fetch(`${first.url}/v1/latest`);
  expect([200, 503]).toContain(early.status);
  await until(
    () => json(`${first.url}/status`),
    (status) => status.status === "ready",
  );
  const latest = await json(`${first.url}/v1/latest?symbols=EUR,TWD`);
  expect(Object.keys(latest.rates)).toEqual(["EUR", "TWD"]);
  expect(latest.notice).not.toContain("SIMULATED");
  expect(await first.end("SIGTERM")).toBe(0);

  const again = await serve({ DATA_DIR, UPSTREAM_BASE: "http://127.0.0.1:9" });
  expect((await json(`${again.url}/v1/latest?symbols=EUR,TWD`)).rates).toEqual(latest.rates);
  expect(await again.end("SIGTERM")).toBe(0);
});

test("unreachable upstreams: honest status, 503 on every rate, nothing made up; a request that does not end holds the end up until a second signal", async () => {
  const server = await serve({ DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: "http://127.0.0.1:9" });
  const status = await until(
    () => json(`${server.url}/status`),
    ({ checks }) =>
      checks.daily.ecb_daily.outcome === "failed" && checks.daily.fred_daily.outcome === "failed",
  );
  expect(status.status).toBe("degraded");
  expect(status.checks.daily.ecb_daily).toMatchObject({ status: "missing", newest_date: null });
  expect(status.checks.daily.ecb_daily.detail).toContain("cannot be reached");
  for (const path of ["/v1/latest", "/v1/2020-01-02", "/v1/convert/USD/EUR", "/v1/rate/usd-eur", WINDOW]) {
    expect(`${path} ${(await fetch(server.url + path)).status}`).toBe(`${path} 503`);
  }
  expect((await fetch(`${server.url}/status?strict=1`)).status).toBe(503);
  expect((await json(`${server.url}/v1/currencies`)).count).toBe(31);
  const [said] = await server.until("err", /fred_daily could not be collected: .*/);
  // Five minutes later: what needs a source that was never collected is refused meanwhile.
  expect(said).toMatch(/cannot be reached.*; tried again at 16:3[5-7] UTC; see http:/);
  expect(server.printed.err).toMatch(/ecb_daily could not be collected: .*tried again at/);
  expect(server.printed.err).not.toContain("100 %");

  const port = Number(new URL(server.url).port);
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
  socket.write(
    "POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  // Answered after what came before it on another connection: the held one is being read by then.
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  process.kill(server.pid, "SIGINT");
  process.kill(server.pid, "SIGINT");
  await server.until("err", /finishing running requests, at most 25 s; a second signal ends it at once/);
  expect(await server.end("SIGINT")).toBe(130);
  socket.end();
});

test("serve refuses a lake of simulated rates, in one clear sentence", async () => {
  const DATA_DIR = temporaryDirectory();
  const { openLake } = await import("#store/lake/lake.ts");
  await (await openLake({ directory: join(DATA_DIR, "lake"), simulated: true })).close();
  const refused = await runInProcess(["serve"], { DATA_DIR, PORT: "0" });
  expectRefusedInOneLine(refused, "crossrate serve: ", "simulated");
});

test("a figure with a slipped decimal point is held, listed, never served, and released by command while the server runs", async () => {
  const DATA_DIR = temporaryDirectory();
  const environment = { DATA_DIR, UPSTREAM_BASE: simulator.base, NOW };
  // The simulator's newest NOK is ten times too large from the start, and the other route is away.
  simulator.misbehave("/www.ecb.europa.eu", { kind: "decimal-slip", currency: "NOK" });
  simulator.misbehave("/data-api.ecb.europa.eu", broken.status(404));
  try {
    expect((await runInProcess(["backfill"], environment)).code).toBe(0);
  } finally {
    simulator.behave();
  }
  const server = await serve({ ...environment, UPSTREAM_BASE: "http://127.0.0.1:9" });
  const before = await json(`${server.url}/v1/latest/EUR?symbols=NOK,SEK`);
  expect(before.effective_at.NOK < before.effective_at.SEK).toBe(true);
  const { held } = (await json(`${server.url}/status`)).checks.daily.ecb_daily;
  expect(held).toHaveLength(1);
  expect(held[0]).toMatchObject({ base: "EUR", quote: "NOK", rule: "decimal_slip" });

  const listed = await runInProcess(["held"], environment);
  expect(listed.out).toContain("decimal_slip");
  const released = await runInProcess(["release", "ecb_daily", held[0].date, "nok"], environment);
  expect(released).toMatchObject({ code: 0 });
  const after = await until(
    () => json(`${server.url}/v1/latest/EUR?symbols=NOK`),
    (body) => body.rates.NOK !== before.rates.NOK,
  );
  expect(after.rates.NOK / before.rates.NOK).toBeGreaterThan(5);
  expect((await runInProcess(["release", "ecb_daily", held[0].date, "NOK"], environment)).code).toBe(1);
});

const zip = sharedDocument("ecb/eurofxref-hist.zip");
test.skipIf(zip === null)(
  "real documents behind any static file server: the history zip in, rates out",
  async () => {
    const tree: Record<string, string> = {
      "/www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip": "ecb/eurofxref-hist.zip",
      "/fred.stlouisfed.org/graph/fredgraph.csv": "fred/DEXTAUS-spliced.csv",
    };
    const files = listen((request) => {
      const path = tree[new URL(request.url).pathname];
      const file = path === undefined ? null : sharedDocument(path);
      return file !== null && existsSync(file)
        ? new Response(Bun.file(file))
        : new Response("not found", { status: 404 });
    });
    const environment = {
      DATA_DIR: temporaryDirectory(),
      UPSTREAM_BASE: files.url,
      NOW: "2026-04-13T16:30:00Z",
    };
    const server = await serve(environment);
    await until(
      () => json(`${server.url}/status`),
      ({ checks }) => checks.daily.fred_daily.status !== "missing",
    );
    expect((await json(`${server.url}/v1/2026-04-13/EUR?symbols=USD,JPY,ZAR`)).rates).toEqual({
      USD: 1.1684,
      JPY: 186.75,
      ZAR: 19.3849,
    });
    expect((await json(`${server.url}/v1/2015-01-15/EUR?symbols=CHF`)).rates).toEqual({ CHF: 1.028 });
    expect((await json(`${server.url}/v1/2026-03-13?symbols=TWD`)).sources).toEqual({ TWD: "fred_daily" });
  },
);

/** Takes requests and never answers. */
const silent = listen(() => new Promise<Response>(() => {}));

// SIGTERM takes the same path, which the other tests end by. A server ends by itself, any other command by the signal of its context.
test.each([
  ["serve", ["serve"], 0],
  ["collect", ["collect", "ecb_daily"], 129],
] as const)("%s ends by SIGHUP", async (name, args, code) => {
  const DATA_DIR = temporaryDirectory();
  const settings = { DATA_DIR, PORT: "0", LIVE_FEED: "off", UPSTREAM_BASE: silent.url };
  const command = startCommand(args, settings);
  const isCollecting = () => existsSync(join(DATA_DIR, "lake")) && silent.pending() > 0;
  await until(
    async () => (name === "serve" ? command.printed.out.includes("answers on") : isCollecting()),
    (isAtWork) => isAtWork,
  );
  expect(await command.end("SIGHUP")).toBe(code);
});

test("started with nohup, a closed terminal changes nothing; on every interface it is reached at localhost", async () => {
  const settings = { DATA_DIR: temporaryDirectory(), LIVE_FEED: "off", HOST: "::" };
  const command = startCommand(["serve"], { ...settings, UPSTREAM_BASE: silent.url }, ["nohup"]);
  const [url] = await command.until("out", /http:\/\/localhost:\d+/);
  process.kill(command.pid, "SIGHUP");
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await fetch(`${url}/status`)).status).toBe(200);
  expect(await command.end()).toBe(0);
});

const metricsPort = freePort();
const server = await startServe({
  DATA_DIR: temporaryDirectory(),
  LIVE_FEED: "off",
  UPSTREAM_BASE: "http://127.0.0.1:9",
  METRICS_PORT: String(metricsPort),
  TMPDIR: "/dev/null",
});

test("pages have their scripts where nothing can be written beside DATA_DIR", async () => {
  const page = await fetch(`${server.url}/docs`);
  const [script] = /\/site\/[\w.-]+\.js/.exec(await page.text()) ?? [];
  expect([page.status, (await fetch(`${server.url}${script}`)).status]).toEqual([200, 200]);
});

test("metrics report requests in flight, cache contents, and answer durations", async () => {
  const { byteLength } = await (await fetch(`${server.url}/health`)).arrayBuffer();
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const families = parseExposition(text);
  expect(sampleOf(families, "crossrate_http_requests_in_flight")).toBe(0);
  expect(families.get("crossrate_cache_bytes")?.samples.length).toBeGreaterThan(0);
  expect(families.get("crossrate_cache_limit_bytes")?.samples[0]?.value).toBeGreaterThan(1_000_000);
  const health = { route: "/health" };
  expect(distributionOf(families, "crossrate_http_request_duration_seconds", health)?.count).toBe(1);
  expect(distributionOf(families, "crossrate_http_response_size_bytes", health)?.sum).toBe(byteLength);
});

test("a body that is announced far above every limit is refused before it arrives", async () => {
  const answer = await rawExchange(
    Number(new URL(server.url).port),
    "POST /v1/convert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n",
  );
  expect(answer).toStartWith("HTTP/1.1 413");
  // The runtime's own: ours would come after a turn, with the body stored meanwhile.
  expect(answer).not.toContain("payload_too_large");
});
