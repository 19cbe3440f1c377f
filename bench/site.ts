/**
 * `bun run bench:site`: page views a second of the site on one core, and how soon a browser paints the landing page. Prints tables and
 * writes bench/site-results.md. Needs wrk; without Chromium the browser's figures are left out.
 */

import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser } from "#test/support/browser.ts";
import { fullIngest } from "./ingest.ts";
import { pinned } from "./load.ts";
import { median } from "./median.ts";
import { type Running, startCrossrate } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "4");
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const COLD_LOADS = 5;
const CONNECTIONS = 32;
const NOW = "2026-04-13T16:30:00Z";
/** Page views a second. */
const LEAST_VIEWS = 2000;
const MOST_PAINT_MILLISECONDS = 800;
const MOST_SHIFT = 0.01;
const MOST_REQUESTS = 25;
const MOST_SCRIPT_BYTES = 60 * 1024;

/** Clock ticks of Linux, in which /proc counts processor time. */
const TICKS_A_SECOND = 100;

/** One request of a page view, as a browser sends it. */
interface Ask {
  readonly path: string;
  /** Of the copy that the browser has; null where it has none. */
  readonly etag: string | null;
}

const lines: string[] = [];
const say = (line = "") => {
  console.log(line);
  lines.push(line);
};

const wrk = Bun.which("wrk");
if (wrk === null) throw new Error("this bench needs wrk");
const directory = await mkdtemp(join(tmpdir(), "crossrate-bench-"));
try {
  await fullIngest(join(directory, "data"), NOW);
  const server = await startCrossrate({
    ROLE: "api",
    LIVE_FEED: "off",
    DATA_DIR: join(directory, "data"),
    UPSTREAM_BASE: "http://127.0.0.1:9",
    NOW,
  });
  try {
    say("# The site");
    say();
    say(
      `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}. Server pinned to one core, load and browser to another.`,
    );
    say();
    await measureViews(server);
    await measureBrowser(server);
  } finally {
    await server.stop();
  }
  await Bun.write(join(import.meta.dir, "site-results.md"), `${lines.join("\n")}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measureViews(server: Running): Promise<void> {
  const assets = await assetsOf(server, "/");
  const again = await Promise.all(["/", ...assets].map((path) => knownAt(server, path)));
  const first = again.map(({ path }) => ({ path, etag: null }));
  const ways: readonly (readonly [string, readonly Ask[]])[] = [
    ["landing page, the document alone", first.slice(0, 1)],
    [`landing page with its ${assets.length} files, all of which the browser has (304)`, again],
    [`landing page with its ${assets.length} files, none of which it has`, first],
    ["page of a pair, the document alone", [{ path: "/usd-eur", etag: null }]],
  ];
  say(
    `Medians of ${ROUNDS} rounds of ${SECONDS} s over ${CONNECTIONS} connections; documents and scripts compressed as a browser accepts them. "Of a whole core": views for each second of processor time that the server got, which is the same on a machine that has other work, too.`,
  );
  say();
  say("| page view | requests | page views/s | of a whole core | target |");
  say("|---|---|---|---|---|");
  for (const [name, asks] of ways) {
    const script = join(directory, "view.lua");
    await writeFile(script, scriptOf(asks));
    // The program is compiled while it runs: the first round says nothing.
    await viewsPerSecond(server, script, asks.length);
    const rounds: Views[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await viewsPerSecond(server, script, asks.length));
    const seen = rounds.map(({ perSecond }) => perSecond);
    const whole = median(rounds.map(({ ofCore }) => ofCore));
    say(
      `| ${name} | ${asks.length} | ${Math.round(median(seen))} (${Math.round(Math.min(...seen))}–${Math.round(Math.max(...seen))}) | ${Math.round(whole)} | ≥ ${LEAST_VIEWS} |`,
    );
  }
  say();
}

/** What a document names of this server's own: scripts, styles, the typeface, the icon; and what the script imports. */
async function assetsOf({ url }: Running, path: string): Promise<readonly string[]> {
  const html = await (await fetch(url + path)).text();
  const named = Array.from(
    html.matchAll(/(?:src|href)="(\/(?:site|docs\/assets)\/[^"]+)"/g),
    ([, file = ""]) => file,
  );
  const scripts = named.filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(scripts.map(async (file) => await (await fetch(url + file)).text()));
  const chunks = texts.flatMap((text) => text.match(/chunk-\w+\.js/g) ?? []).map((file) => `/site/${file}`);
  return [...new Set([...named, ...chunks])];
}

async function knownAt({ url }: Running, path: string): Promise<Ask> {
  const answer = await fetch(url + path, { headers: { "accept-encoding": "br" } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { path, etag: answer.headers.get("etag") };
}

/** A connection asks for one after the other; an answer that is none of 200 and 304 is counted by wrk. */
function scriptOf(asks: readonly Ask[]): string {
  const text = (value: string) => JSON.stringify(value);
  const requests = asks.map(
    ({ path, etag }) =>
      `wrk.format("GET", ${text(path)}, { ["Accept-Encoding"] = "br", ["Host"] = "localhost"${etag === null ? "" : `, ["If-None-Match"] = ${text(etag)}`} })`,
  );
  return `local requests
local at = 0
function init()
  requests = { ${requests.join(", ")} }
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}

interface Views {
  readonly perSecond: number;
  /** For each second of the server's processor time. */
  readonly ofCore: number;
}

async function viewsPerSecond({ url, pid }: Running, script: string, requests: number): Promise<Views> {
  const before = processorSeconds(pid);
  const load = [wrk as string, "-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, "-s", script, url];
  const child = Bun.spawn(pinned(1, load), { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  const spent = processorSeconds(pid) - before;
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const all = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(output)) throw new Error(output);
  return { perSecond: rate / requests, ofCore: all / requests / spent };
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

async function measureBrowser(server: Running): Promise<void> {
  if (Bun.which("chromium") === null) {
    console.log("chromium is not there: no figures of a browser");
    return;
  }
  const browser = await openBrowser();
  try {
    // The bundler runs, and the browser starts its processes, under the first load.
    await coldLoad(browser, server.url);
    const loads: ColdLoad[] = [];
    for (let load = 0; load < COLD_LOADS; load++) loads.push(await coldLoad(browser, server.url));
    const of = (read: (load: ColdLoad) => number) => median(loads.map(read));
    const paints = loads.map(({ paint }) => Math.round(paint)).join(", ");
    say(`The landing page in Chromium, medians of ${COLD_LOADS} loads with an empty cache.`);
    say();
    say("| figure | measured | target |");
    say("|---|---|---|");
    say(
      `| first contentful paint | ${Math.round(of(({ paint }) => paint))} ms (${paints}) | < ${MOST_PAINT_MILLISECONDS} ms |`,
    );
    say(`| cumulative layout shift | ${of(({ shift }) => shift).toFixed(4)} | < ${MOST_SHIFT} |`);
    say(`| requests | ${of(({ requests }) => requests)} | ≤ ${MOST_REQUESTS} |`);
    say(
      `| script, compressed | ${(of(({ script }) => script) / 1024).toFixed(1)} KB | ≤ ${MOST_SCRIPT_BYTES / 1024} KB |`,
    );
  } finally {
    await browser.close();
  }
}

interface ColdLoad {
  /** Milliseconds from the navigation on. */
  readonly paint: number;
  readonly shift: number;
  readonly requests: number;
  /** Bytes as they were sent. */
  readonly script: number;
}

async function coldLoad(browser: Browser, url: string): Promise<ColdLoad> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => {
    requests += 1;
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  // What is drawn once the script has taken over, and the typeface is there.
  await page.waitForSelector(".copy");
  const measured = await page.evaluate(async () => {
    await document.fonts.ready;
    const shift = await new Promise<number>((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    });
    const script = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0);
    return {
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
      shift,
      script,
    };
  });
  await context.close();
  return { ...measured, requests };
}
