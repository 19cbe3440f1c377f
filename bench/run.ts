/**
 * `bun run bench`: one run on one machine, everything as ratios to a bare Bun.serve beside it that sends the same bytes and headers. Prints a table and
 * writes bench/results.md. Uses the real ECB history where it lies beside the checkout, else the simulator's.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "#packaging/binary/build.ts";
import { hostTarget } from "#packaging/binary/targets.ts";
import { fullIngest } from "./ingest.ts";
import { startLiveFeed } from "./live-feed.ts";
import { LOADER, type Load, measure, type RandomPath } from "./load.ts";
import { median } from "./median.ts";
import { type Running, startCrossrate, startNginx, startRaw } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "4");
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const BOOTS = 7;
/** What a start needed has been given back then. */
const SETTLED_MILLISECONDS = 10_000;
/** The wall clock of every measured process: half an hour after the newest real figures. */
const NOW = "2026-04-13T16:30:00Z";

interface Case {
  readonly name: string;
  readonly path: string;
  readonly random?: RandomPath;
  /** What the project promises, as text for the table. */
  readonly target: string;
}

const CASES: readonly Case[] = [
  { name: "/v1/latest", path: "/v1/latest", target: "≥ 0.90" },
  { name: "/v1/latest?symbols=EUR", path: "/v1/latest?symbols=EUR", target: "≥ 0.80" },
  { name: "/v1/{random date}", path: "/v1/", random: "dates", target: "≥ 0.80" },
  { name: "/v1/convert, random", path: "/v1/", random: "convert", target: "≥ 0.60" },
  { name: "/v1/range, 366 rows × 3, random start", path: "/v1/", random: "range", target: "≥ 0.55" },
];

/** With nineteen currencies live, all of them new every second: sixty times what the default asks for. */
const LIVE_CASES: readonly Case[] = [
  { name: "/v1/latest, live", path: "/v1/latest", target: "≥ 0.55" },
  {
    name: "/v1/latest of three symbols, live",
    path: "/v1/latest?symbols=EUR,GBP,JPY",
    target: "≥ 0.45",
  },
  {
    name: "the same, random symbols and base, live",
    path: "/v1/",
    random: "subsets",
    target: "≥ 0.45",
  },
];

/** A bare handler that does the least of what an answer needs, under the same load. */
const LEAST = [
  {
    name: "/v1/latest, beside a bare handler that reads URL and headers and writes an id",
    kind: "reads",
    path: "/v1/latest",
    target: "≥ 0.90 of it",
  },
  {
    name: "/v1/{random date}, beside a bare handler with a body for each date in a Map",
    kind: "dates",
    random: "dates",
    path: "/v1/",
    target: "≥ 0.80 of it",
  },
  {
    name: "/v1/convert, random, beside a bare handler that reads, multiplies in doubles and prints",
    kind: "converts",
    random: "convert",
    path: "/v1/",
    target: "≥ 0.60 of it",
  },
] as const;

const lines: string[] = [];
const say = (line = "") => {
  console.log(line);
  lines.push(line);
};

const directory = await mkdtemp(join(tmpdir(), "crossrate-bench-"));
try {
  await run();
  await Bun.write(join(import.meta.dir, "results.md"), `${lines.join("\n")}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  say("# Benchmark results");
  say();
  say(
    `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, load by ${LOADER}. Server pinned to one core, load to another.`,
  );
  say(
    `Medians of ${ROUNDS} rounds of ${SECONDS} s; every round measures the raw server right beside the product. Ratios count, absolute figures do not travel.`,
  );
  say();

  const ingest = await fullIngest(join(directory, "data"), NOW);
  const environment = {
    DATA_DIR: join(directory, "data"),
    NOW,
    UPSTREAM_BASE: "http://127.0.0.1:9",
    LIVE_FEED: "off",
  };
  say("| what | measured | target |");
  say("|---|---|---|");
  say(
    `| full ECB history: document to durable lake (${ingest.documents}, ${ingest.observations} observations) | ${ingest.seconds.toFixed(2)} s | ≤ 2 s |`,
  );

  const source = {
    form: "from source",
    program: [process.execPath, "src/main.ts"],
    targets: ["≤ 500 ms", "≤ 130 MB"],
  };
  const target = hostTarget();
  const binary = target === null ? null : await buildBinary(target, directory);
  const forms =
    binary === null
      ? [source]
      : [source, { form: "single binary", program: [binary], targets: ["≤ 250 ms", "≤ 120 MB"] }];
  for (const { form, program, targets } of forms) {
    const boots: number[] = [];
    let resident: number | null = null;
    for (let boot = 1; boot <= BOOTS; boot++) {
      const server = await startCrossrate(environment, "one", program);
      boots.push(server.bootMilliseconds);
      if (boot === BOOTS) {
        await Bun.sleep(SETTLED_MILLISECONDS);
        resident = await server.residentMegabytes();
      }
      await server.stop();
    }
    say(
      `| boot, ${form}: process start to first answer from the full history | ${median(boots).toFixed(0)} ms (${Math.min(...boots).toFixed(0)}–${Math.max(...boots).toFixed(0)}) | ${targets[0]} |`,
    );
    say(
      `| resident memory after boot, ${form}, 10 s after the first answer | ${(resident ?? Number.NaN).toFixed(0)} MB | ${targets[1]} |`,
    );
  }

  const server = await startCrossrate(environment);
  const { rates } = (await (await fetch(`${server.url}/v1/latest`)).json()) as {
    rates: Record<string, number>;
  };
  try {
    const rows: string[] = [];
    for (const one of CASES) rows.push(await throughput(server, one));
    for (const least of LEAST) rows.push(await besideLeast(server, least));
    const nginx = await besideNginx(`${server.url}/v1/latest`);
    if (nginx !== null) rows.push(nginx);
    say(
      `| resident memory after all load | ${((await server.residentMegabytes()) ?? Number.NaN).toFixed(0)} MB | ≤ 200 MB |`,
    );
    say();
    say("| request | requests/s | bare Bun.serve, same bytes and headers | ratio | target |");
    say("|---|---|---|---|---|");
    for (const row of rows) say(row);
  } finally {
    await server.stop();
  }
  for (const row of await liveRows(environment, rates)) say(row);
}

/** On a process of its own, whose feed says the newest daily rates with a little noise. */
async function liveRows(
  environment: Record<string, string>,
  rates: Readonly<Record<string, number>>,
): Promise<readonly string[]> {
  const ahead = Date.parse(NOW) - Date.now();
  const feed = startLiveFeed(rates, () => Date.now() + ahead);
  const live = { LIVE_FEED: "coinbase", LIVE_POLL_SECONDS: "1", UPSTREAM_BASE: feed.base };
  const server = await startCrossrate({ ...environment, ...live });
  try {
    await untilLive(server);
    const rows: string[] = [];
    for (const one of LIVE_CASES) rows.push(await throughput(server, one));
    return rows;
  } finally {
    await server.stop();
    await feed.stop();
  }
}

async function untilLive({ url }: Running): Promise<void> {
  for (let look = 0; look < 200; look++) {
    const { sources } = (await (await fetch(`${url}/v1/latest?symbols=EUR,JPY`)).json()) as {
      sources: Record<string, string>;
    };
    if (sources["EUR"] === "live" && sources["JPY"] === "live") return;
    await Bun.sleep(50);
  }
  throw new Error("no live quote came in within ten seconds");
}

async function throughput(server: Running, { name, path, random, target }: Case): Promise<string> {
  const sample = server.url + (random === undefined ? path : samplePath(random));
  const bytes = (await (await fetch(sample)).arrayBuffer()).byteLength;
  const load = { url: server.url + path, seconds: SECONDS, ...(random === undefined ? {} : { random }) };
  return await pairedRow(`${name} (${bytes} bytes)`, load, await startRaw(sample), `${target} of raw`);
}

async function besideLeast({ url }: Running, least: (typeof LEAST)[number]): Promise<string> {
  const { name, kind, path, target } = least;
  const random = "random" in least ? { random: least.random } : {};
  const raw = await startRaw(url + ("random" in least ? samplePath(least.random) : path), "", kind);
  const load = { ...random, seconds: SECONDS };
  return await pairedRow(name, { ...load, url: url + path }, raw, target, { ...load, url: raw.url + path });
}

/** One core each; null where nginx is not installed. */
async function besideNginx(url: string): Promise<string | null> {
  const nginx = await startNginx(url);
  const name = "/v1/latest, beside nginx with the same body as a file";
  return nginx === null ? null : await pairedRow(name, { url, seconds: SECONDS }, nginx, "≥ 0.9 of nginx");
}

/** A row of the table: our server beside the other one, in turns. Ends the other one. */
async function pairedRow(
  name: string,
  load: Load,
  other: Pick<Running, "url" | "stop">,
  target: string,
  otherLoad: Load = { url: other.url, seconds: SECONDS },
): Promise<string> {
  try {
    await measure(load);
    const [ours, theirs, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      const theirRound = await measure(otherLoad);
      const ourRound = await measure(load);
      if (ourRound.failures + theirRound.failures > 0)
        throw new Error(`${name}: ${ourRound.failures} requests failed`);
      ours.push(ourRound.requestsPerSecond);
      theirs.push(theirRound.requestsPerSecond);
      ratios.push(ourRound.requestsPerSecond / theirRound.requestsPerSecond);
    }
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    return `| ${name} | ${Math.round(median(ours))} | ${Math.round(median(theirs))} | ${median(ratios).toFixed(2)} (${spread}) | ${target} |`;
  } finally {
    await other.stop();
  }
}

function samplePath(random: RandomPath): string {
  if (random === "subsets") return "/v1/latest?base=EUR&symbols=JPY,GBP,BRL";
  if (random === "dates") return "/v1/2015-06-15";
  if (random === "convert") return "/v1/convert/USD/GBP?amount=12345";
  return "/v1/range?symbols=EUR,GBP,JPY&start_date=2015-01-05&end_date=2016-08-26";
}
