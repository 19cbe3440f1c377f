/**
 * `bun bench/capacity.ts`: what a call costs in processor time, at the server and at Redis, with and without a key; and what an account
 * costs on disk. Processor time is the same on a machine that has other work. Prints the table of docs/capacity.md. Needs redis-server.
 */

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { join, type Member } from "#test/metered/client.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { fullIngest } from "./ingest.ts";
import { measure } from "./load.ts";
import { startCrossrate } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "5");
const ACCOUNTS = Number(process.env["BENCH_ACCOUNTS"] ?? "200");
const NOW = "2026-04-13T16:30:00Z";
/** Clock ticks of Linux, in which /proc counts processor time. */
const MICROSECONDS_A_TICK = 10_000;
const PLANS = { free: { minute: 900_000_000, month: 900_000_000, history_days: null } };

const program = Bun.which("redis-server");
if (program === null) throw new Error("redis-server is needed");
const directory = await mkdtemp(pathOf(tmpdir(), "crossrate-bench-"));
const redis = redisServer(program);
try {
  await fullIngest(pathOf(directory, "data"), NOW);
  await writeFile(pathOf(directory, "plans.json"), JSON.stringify(PLANS));
  await redis.start();
  const settings = { DATA_DIR: pathOf(directory, "data"), NOW, PLANS_FILE: pathOf(directory, "plans.json") };
  const metered = {
    ...settings,
    ACCESS: "metered",
    REDIS_URL: redis.url,
    REPLICAS: "2",
    TRUSTED_PROXIES: "127.0.0.0/8",
  };
  console.log("| what | processor time of the server | of Redis |\n|---|---|---|");
  await costs("`/v1/latest`, open", settings);
  await costs(
    "a page of a year × 3 currencies, open",
    settings,
    "/v1/range?base=USD&symbols=EUR,JPY,GBP&start_date=2025-01-01&end_date=2025-12-31",
  );
  await costs("`/v1/latest` with a key, leases", metered);
  await costs("`/v1/latest` with a key, each call asks Redis", { ...metered, LIMIT_LEASES: "off" });
  await account(metered);
} finally {
  await redis.end();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);

async function costs(name: string, settings: Record<string, string>, path = "/v1/latest"): Promise<void> {
  const server = await startCrossrate(settings);
  const member: Member | null =
    settings["ACCESS"] === "metered" ? await join(server.url, `${name.length}@example.org`) : null;
  const load = { url: server.url + path, seconds: SECONDS, ...(member === null ? {} : { key: member.key }) };
  await measure(load);
  const [info, before] = [await redisSeconds(), await ticksOf(server.pid)];
  const began = performance.now();
  const { requestsPerSecond, failures } = await measure(load);
  const calls = (requestsPerSecond * (performance.now() - began)) / 1000;
  if (failures > 0) throw new Error(`${name}: ${failures} calls failed`);
  const own = (((await ticksOf(server.pid)) - before) * MICROSECONDS_A_TICK) / calls;
  const ofRedis = (((await redisSeconds()) - info) * 1e6) / calls;
  console.log(`| ${name} | ${own.toFixed(1)} µs | ${member === null ? "–" : `${ofRedis.toFixed(2)} µs`} |`);
  await server.stop();
}

/** Disk of an account with its key, and memory of the server that made them, each as the mean of many. */
async function account(settings: Record<string, string>): Promise<void> {
  const server = await startCrossrate(settings);
  for (let nth = 0; nth < ACCOUNTS / 2; nth++) await join(server.url, `first-${nth}@example.org`);
  const before = await sizeOfLedger(settings["DATA_DIR"] as string);
  const ticks = await ticksOf(server.pid);
  for (let nth = 0; nth < ACCOUNTS; nth++) await join(server.url, `second-${nth}@example.org`);
  const bytes = ((await sizeOfLedger(settings["DATA_DIR"] as string)) - before) / ACCOUNTS;
  const milliseconds = (((await ticksOf(server.pid)) - ticks) * MICROSECONDS_A_TICK) / ACCOUNTS / 1000;
  console.log(
    `| an account with its key: ${(bytes / 1000).toFixed(1)} kB of the ledger | ${milliseconds.toFixed(0)} ms, once | – |`,
  );
  await server.stop();
}

async function sizeOfLedger(dataDir: string): Promise<number> {
  const path = pathOf(dataDir, "ledger.sqlite");
  const { Database } = await import("bun:sqlite");
  const ledger = new Database(path);
  ledger.run("PRAGMA wal_checkpoint(TRUNCATE)");
  ledger.close();
  return (await stat(path)).size;
}

async function redisSeconds(): Promise<number> {
  const text = String(await redis.ask("INFO", "cpu"));
  const [system, user] = ["sys", "user"].map((name) =>
    Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(text)?.[1]),
  );
  return (system ?? 0) + (user ?? 0);
}

async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
