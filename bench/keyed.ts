/**
 * `bun run bench:keyed`: what a key costs on /v1/latest, beside a bare Bun.serve that sends the same bytes and headers: metered
 * in process, with Redis and leases, and with Redis for every call; in process also beside a bare handler that looks the key up and counts.
 * Prints a table and writes bench/keyed-results.md. The ways that need redis-server are left out without it.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { join } from "#test/metered/client.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { fullIngest } from "./ingest.ts";
import { LOADER, measure, pinned } from "./load.ts";
import { median } from "./median.ts";
import { type Running, startCrossrate, startRaw } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "4");
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const NOW = "2026-04-13T16:30:00Z";
/** No caller is refused. */
const PLANS = { free: { minute: 900_000_000, month: 900_000_000 } };

interface Way {
  readonly name: string;
  readonly target: number;
  readonly settings: (redisUrl: string) => Record<string, string>;
  readonly needsRedis: boolean;
  /** Whether the bare server counts the calls of the key, too. */
  readonly counts?: true;
}

const WAYS: readonly Way[] = [
  { name: "metered in process", target: 0.78, needsRedis: false, settings: () => ({}) },
  {
    name: "metered in process, beside a bare handler that looks the key up and counts",
    target: 0.78,
    needsRedis: false,
    settings: () => ({}),
    counts: true,
  },
  {
    name: "Redis, leases",
    target: 0.4,
    needsRedis: true,
    settings: (url) => ({ REDIS_URL: url, REPLICAS: "2" }),
  },
  {
    name: "Redis for every call",
    target: 0.25,
    needsRedis: true,
    settings: (url) => ({ REDIS_URL: url, REPLICAS: "2", LIMIT_LEASES: "off" }),
  },
];

const lines: string[] = [];
const say = (line = "") => {
  console.log(line);
  lines.push(line);
};

const directory = await mkdtemp(pathOf(tmpdir(), "crossrate-bench-"));
const program = Bun.which("redis-server");
// On the core of the load: the server has its own to itself.
const redis = program === null ? null : redisServer(pinned(1, [program]));
try {
  await redis?.start();
  await run();
  await Bun.write(pathOf(import.meta.dir, "keyed-results.md"), `${lines.join("\n")}\n`);
} finally {
  await redis?.end();
  await rm(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await fullIngest(pathOf(directory, "data"), NOW);
  await writeFile(pathOf(directory, "plans.json"), JSON.stringify(PLANS));
  say("# /v1/latest with a key");
  say();
  say(
    `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, load by ${LOADER}. Server pinned to one core, load and Redis to another.`,
  );
  say(
    `Medians of ${ROUNDS} rounds of ${SECONDS} s, the raw server measured right beside in every round. Ratios count, absolute figures do not travel.`,
  );
  say();
  say("| way | requests/s | bare Bun.serve, same bytes and headers | ratio | target | resident memory |");
  say("|---|---|---|---|---|---|");
  for (const way of WAYS) {
    if (way.needsRedis && redis === null) console.log(`${way.name}: redis-server is not there`);
    else say(await measured(way));
  }
}

async function measured(way: Way): Promise<string> {
  const server = await startCrossrate({
    ACCESS: "metered",
    ROLE: "api",
    LIVE_FEED: "off",
    DATA_DIR: pathOf(directory, "data"),
    PLANS_FILE: pathOf(directory, "plans.json"),
    TRUSTED_PROXIES: "127.0.0.0/8",
    UPSTREAM_BASE: "http://127.0.0.1:9",
    NOW,
    ...way.settings(redis?.url ?? ""),
  });
  try {
    const { key } = await join(server.url, `${way.name.replaceAll(/\W+/g, "-").slice(0, 40)}@example.org`);
    return await besideRaw(server, key, way);
  } finally {
    await server.stop();
  }
}

async function besideRaw(server: Running, key: string, { name, target, counts }: Way): Promise<string> {
  const load = { url: `${server.url}/v1/latest`, seconds: SECONDS, key };
  const raw = await startRaw(load.url, key, counts ? "counts" : "");
  const rawLoad = { url: `${raw.url}/`, seconds: SECONDS, ...(counts ? { key } : {}) };
  try {
    await measure(load);
    const [ours, theirs, ratios]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      const theirRound = await measure(rawLoad);
      const ourRound = await measure(load);
      const failures = ourRound.failures + theirRound.failures;
      if (failures > 0) throw new Error(`${name}: ${failures} requests failed`);
      ours.push(ourRound.requestsPerSecond);
      theirs.push(theirRound.requestsPerSecond);
      ratios.push(ourRound.requestsPerSecond / theirRound.requestsPerSecond);
    }
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const memory = ((await server.residentMegabytes()) ?? Number.NaN).toFixed(0);
    const figures = [
      Math.round(median(ours)),
      Math.round(median(theirs)),
      `${median(ratios).toFixed(2)} (${spread})`,
    ];
    return `| ${[name, ...figures, `≥ ${target}`, `${memory} MB`].join(" | ")} |`;
  } finally {
    await raw.stop();
  }
}
