/**
 * `bun bench/replicas.ts`: one replica and two of them behind the balancer of deploy/haproxy.cfg, on one Redis and one lake. Where the
 * machine has four cores or more, how many times the requests of one two answer; else how many requests each second of their
 * processor time gives. Needs haproxy, redis-server and wrk.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fullIngest } from "./ingest.ts";
import { pinned } from "./load.ts";
import { median } from "./median.ts";
import { type Running, startCrossrate } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "5");
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const NOW = "2026-04-13T16:30:00Z";
/** Clock ticks of Linux, in which /proc counts processor time. */
const TICKS_A_SECOND = 100;
const CONNECTIONS = 32;
/** Two replicas answer so many times the requests of one, and each processor gives so much of what it gives one. */
const TARGETS = { throughput: 1.6, perCore: 0.9 };

const [haproxy, redisServer, wrk] = ["haproxy", "redis-server", "wrk"].map((name) => {
  const path = Bun.which(name);
  if (path === null) throw new Error(`this bench needs ${name}`);
  return path;
}) as [string, string, string];

interface Figures {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

const directory = await mkdtemp(join(tmpdir(), "crossrate-bench-"));
const ports = await Promise.all([freePort(), freePort(), freePort()]);
const [cachePort, front, statistics] = ports as [number, number, number];
const cache = Bun.spawn([redisServer, "--port", String(cachePort), "--save", ""], { stdout: "ignore" });
const hasCores = availableParallelism() >= 4;
try {
  await fullIngest(join(directory, "data"), NOW);
  const settings = {
    ...{ DATA_DIR: join(directory, "data"), NOW, ROLE: "api", SHUTDOWN_DELAY_SECONDS: "0" },
    REDIS_URL: `redis://127.0.0.1:${cachePort}`,
    REPLICAS: "2",
  };
  const cores = hasCores ? "all" : "one";
  const replicas = await Promise.all([startCrossrate(settings, cores), startCrossrate(settings, cores)]);
  const [first] = replicas;
  const rounds: (readonly [Figures, Figures])[] = [];
  // The program is compiled while it runs: the first round says nothing.
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = [await measure([first as Running]), await measure(replicas)] as const;
    if (round > 0) rounds.push(figures);
  }
  for (const one of replicas) await one.stop();
  const ratio = (of: (figures: Figures) => number) => median(rounds.map(([one, two]) => of(two) / of(one)));
  const alone = median(rounds.map(([one]) => one.perSecond));
  console.log(`one replica: ${alone.toFixed(0)} requests/s`);
  if (hasCores)
    console.log(
      `two replicas: ${ratio(({ perSecond }) => perSecond).toFixed(2)} times the requests of one, the target is ${TARGETS.throughput}`,
    );
  console.log(
    `a second of their processor time: ${ratio((one) => one.perProcessorSecond).toFixed(2)} times the requests of one's, the target is ${TARGETS.perCore}`,
  );
} finally {
  cache.kill();
  await rm(directory, { recursive: true, force: true });
}

/** Requests at the balancer's front while it has these replicas. */
async function measure(replicas: readonly Running[]): Promise<Figures> {
  const servers = replicas.map(({ url }, at) => `  server replica${at} 127.0.0.1:${new URL(url).port}`);
  const given = await readFile(join(import.meta.dir, "../deploy/haproxy.cfg"), "utf8");
  const configuration = given
    .replace("bind :8080", `bind 127.0.0.1:${front}`)
    .replace("bind 127.0.0.1:8404", `bind 127.0.0.1:${statistics}`)
    .replace(/ {2}server one .*\n {2}server two .*/, servers.join("\n"));
  await Bun.write(join(directory, "haproxy.cfg"), configuration);
  const balancer = Bun.spawn(onLoadCores([haproxy, "-f", join(directory, "haproxy.cfg"), "-db"]), {
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    const url = `http://127.0.0.1:${front}/v1/latest`;
    while (!(await fetch(url).catch(() => null))?.ok) await Bun.sleep(20);
    const before = await ticksOf(replicas);
    const load = [wrk, "-t1", `-c${CONNECTIONS}`, `-d${SECONDS}s`, url];
    const output = await new Response(Bun.spawn(onLoadCores(load), { stdout: "pipe" }).stdout).text();
    const ticks = (await ticksOf(replicas)) - before;
    const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
    const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
    if (!(requests > 0) || /Non-2xx|Socket errors/.test(output)) throw new Error(output);
    return { perSecond, perProcessorSecond: requests / (ticks / TICKS_A_SECOND) };
  } finally {
    balancer.kill();
    await balancer.exited;
  }
}

function onLoadCores(command: string[]): string[] {
  return hasCores ? command : pinned(1, command);
}

async function ticksOf(replicas: readonly Running[]): Promise<number> {
  const each = await Promise.all(replicas.map(({ pid }) => readFile(`/proc/${pid}/stat`, "utf8")));
  return each
    .map((text) => text.split(") ").at(-1)?.split(" ") ?? [])
    .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
