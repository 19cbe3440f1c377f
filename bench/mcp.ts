/**
 * `bun bench/mcp.ts`: what a tool call costs beside the REST call that it stands for: requests a second and processor time of the server, which
 * has a core to itself where the machine has two. Needs wrk.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fullIngest } from "./ingest.ts";
import { pinned } from "./load.ts";
import { median } from "./median.ts";
import { type Running, startCrossrate } from "./servers.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? "5");
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const CONNECTIONS = 32;
const NOW = "2026-04-13T16:30:00Z";
/** Clock ticks of Linux, in which /proc counts processor time. */
const TICKS_A_SECOND = 100;
/** A tool call makes at least so many times the requests of its REST call. */
const TARGET = 0.1;

const SCRIPT = join(import.meta.dir, "mcp.lua");
const WAYS = [
  { name: "GET /v1/rate/usd-jpy", path: "/v1/rate/usd-jpy", script: [] },
  {
    name: "tools/call get_rate, with a handshake",
    path: "/v1/mcp/",
    script: ["-s", SCRIPT],
    mode: ["--", "handshake"],
  },
  {
    name: "tools/call get_rate, 2026-07-28",
    path: "/v1/mcp/",
    script: ["-s", SCRIPT],
    mode: ["--", "2026-07-28"],
  },
] as const;
type Way = (typeof WAYS)[number];

interface Figures {
  readonly perSecond: number;
  readonly microsecondsEach: number;
}

const wrk = Bun.which("wrk");
if (wrk === null) throw new Error("this bench needs wrk");
const directory = await mkdtemp(join(tmpdir(), "crossrate-bench-"));
try {
  await fullIngest(join(directory, "data"), NOW);
  const server = await startCrossrate({ DATA_DIR: join(directory, "data"), NOW });
  try {
    await run(server);
  } finally {
    await server.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function run(server: Running): Promise<void> {
  // The program is compiled while it runs: the first seconds say nothing.
  for (const way of WAYS) await measure(server, way);
  const rounds: Figures[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Figures[] = [];
    for (const way of WAYS) figures.push(await measure(server, way));
    rounds.push(figures);
  }
  console.log("| way | requests/s | ratio | processor time each | ratio |");
  console.log("|---|---|---|---|---|");
  WAYS.forEach(({ name }, way) => {
    const of = (read: (figures: Figures) => number) =>
      median(rounds.map((figures) => read(figures[way] as Figures)));
    const ratio = (read: (one: Figures, rest: Figures) => number) =>
      median(rounds.map((figures) => read(figures[way] as Figures, figures[0] as Figures))).toFixed(3);
    const perSecond = ratio((one, rest) => one.perSecond / rest.perSecond);
    const each = ratio((one, rest) => rest.microsecondsEach / one.microsecondsEach);
    console.log(
      `| ${name} | ${of((one) => one.perSecond).toFixed(0)} | ${perSecond} | ${of((one) => one.microsecondsEach).toFixed(1)} µs | ${each} |`,
    );
  });
  console.log(`\nThe target is a ratio of ${TARGET}.`);
}

async function measure(server: Running, way: Way): Promise<Figures> {
  const mode = "mode" in way ? way.mode : [];
  const before = await processorTicks(server.pid);
  const load = [
    wrk as string,
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    ...way.script,
    `${server.url}${way.path}`,
    ...mode,
  ];
  const child = Bun.spawn(pinned(1, load), { stdout: "pipe" });
  const output = await new Response(child.stdout).text();
  const ticks = (await processorTicks(server.pid)) - before;
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  if (!(requests > 0) || /Non-2xx/.test(output)) throw new Error(`${way.name}: ${output}`);
  return { perSecond, microsecondsEach: (ticks / TICKS_A_SECOND / requests) * 1e6 };
}

async function processorTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
