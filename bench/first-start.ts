/**
 * Memory of a first start: the peak of each phase and what is resident a minute later, as a markdown table.
 *
 *   bun bench/first-start.ts [--root DIR] [--quiet-seconds N] [--starts N] [CASE …]
 *
 * `--root` measures another checkout of the product. Linux only: the kernel counts the peaks, and each phase begins a new one.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";
import { startUpstreams } from "./upstreams.ts";

const NOW = "2026-04-13T16:30:00Z";
const BOUND_MEGABYTES = 300;

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Runs on until it is stopped; otherwise it ends by itself. */
  readonly serves: boolean;
}

const SERVING = { PORT: "0", LIVE_FEED: "off", OFFICIAL_TABLES: "off" };
const CASES: readonly Case[] = [
  {
    name: "serve, open",
    args: ["serve"],
    environment: { ...SERVING, ACCESS: "open" },
    serves: true,
  },
  {
    name: "serve, metered",
    args: ["serve", "--new-ledger"],
    environment: { ...SERVING, ACCESS: "metered" },
    serves: true,
  },
  {
    name: "serve, everything",
    args: ["serve", "--new-ledger"],
    environment: { PORT: "0", ACCESS: "metered", BANXICO_TOKEN: "0".repeat(64) },
    serves: true,
  },
  { name: "backfill", args: ["backfill"], environment: {}, serves: false },
  {
    name: "collect",
    args: ["collect", "ecb_daily", "history"],
    environment: {},
    serves: false,
  },
  {
    name: "demo",
    args: ["demo", "--new-ledger"],
    environment: { PORT: "0" },
    serves: true,
  },
];

/** What the program writes to standard error when a phase ends, in their order. */
const BORDERS: readonly (readonly [border: RegExp, phase: string])[] = [
  [/^ECB history: 0 %/, "program loaded, stores opened"],
  [/^ECB history: 100 %/, "ECB: fetched and read"],
  [/^ECB history to the lake: /, "ECB: judged, first years written"],
  [/"collected".*"ecb_daily"/, "ECB: written and committed"],
  [/"history_built".*"observations":[1-9]/, "ECB: read back, index built"],
  [/^FRED history: 0 %/, "between the sources"],
  [/^FRED history: 100 %/, "H.10: fetched and read"],
  [/^FRED history to the lake: /, "H.10: judged, first years written"],
  [/"collected".*"fred_daily"/, "H.10: written and committed"],
  [/"history_built".*"observations":[1-9]/, "H.10: read back, index built"],
];

interface Measured {
  /** Megabytes by phase. */
  readonly phases: ReadonlyMap<string, number>;
  readonly peak: number;
  /** Resident after the quiet time; null where the program had ended. */
  readonly after: number | null;
  /** From the first request for a document to the last index. */
  readonly seconds: number;
}

const { root, quietSeconds, starts, names } = readOptions(process.argv.slice(2));
const wanted = CASES.filter(({ name }) => names.length === 0 || names.includes(name.split(",")[0] as string));
const upstreams = await startUpstreams(NOW);
const results = new Map<string, readonly Measured[]>();
try {
  for (const one of wanted) {
    const runs: Measured[] = [];
    for (let run = 0; run < starts; run++) {
      runs.push(await measure(one));
      process.stderr.write(`${one.name}: ${runs.at(-1)?.peak.toFixed(0)} MB\n`);
    }
    results.set(one.name, runs);
  }
} finally {
  await upstreams.stop();
}
print(results);

async function measure({ args, environment, serves }: Case): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), "crossrate-first-start-"));
  const child = Bun.spawn([process.execPath, "src/main.ts", ...args], {
    cwd: root,
    env: {
      ...process.env,
      LOG_LEVEL: "info",
      DATA_DIR: join(directory, "data"),
      NOW,
      // The demo has upstreams of its own.
      ...(args[0] === "demo" ? {} : { UPSTREAM_BASE: upstreams.base }),
      ...environment,
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  try {
    const phases = new Map<string, number>();
    let next = 0;
    let [peak, began, ended] = [0, 0, 0];
    for await (const line of linesOf(child.stderr)) {
      const at = BORDERS.findIndex(([border], index) => index >= next && border.test(line));
      if (at === -1) continue;
      const most = memoryOf(child.pid, "VmHWM");
      // The last line of a program that has ended: what it took since the line before is not known.
      if (most === null) break;
      peak = Math.max(peak, most);
      phases.set((BORDERS[at] as (typeof BORDERS)[number])[1], most);
      // 5: the peak restarts at what is resident now (man 5 proc_pid_clear_refs).
      writeFileSync(`/proc/${child.pid}/clear_refs`, "5");
      if (next === 0) began = performance.now();
      ended = performance.now();
      next = at + 1;
      if (next === BORDERS.length) break;
    }
    if (!serves) {
      await child.exited;
      return { phases, peak, after: null, seconds: (ended - began) / 1000 };
    }
    if (next < BORDERS.length) throw new Error("the program ended before its histories were in");
    await Bun.sleep(quietSeconds * 1000);
    const later = memoryOf(child.pid, "VmHWM") ?? Number.NaN;
    phases.set("afterwards", later);
    const after = memoryOf(child.pid, "VmRSS");
    return { phases, peak: Math.max(peak, later), after, seconds: (ended - began) / 1000 };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
    await rm(directory, { recursive: true, force: true });
  }
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

/** Megabytes (10^6 bytes); null where the process has ended. */
function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  // Files of /proc have no size, so they are read the plain way.
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(path, "utf8"))?.[1];
  return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / 1e6;
}

function print(all: ReadonlyMap<string, readonly Measured[]>): void {
  const lines = [
    `First starts on ${cpus().length} cores, ${upstreams.documents}; medians of ${starts}, megabytes (10^6 bytes).`,
    "",
    `| phase | ${[...all.keys()].join(" | ")} |`,
    `|---|${"---|".repeat(all.size)}`,
  ];
  const row = (label: string, figure: (run: Measured) => number | null | undefined, digits = 0) => {
    const cells = [...all.values()].map((runs) => {
      const figures = runs.flatMap((run) => figure(run) ?? []);
      return figures.length === 0 ? "–" : median(figures).toFixed(digits);
    });
    lines.push(`| ${label} | ${cells.join(" | ")} |`);
  };
  for (const phase of new Set([...BORDERS.map(([, name]) => name), "afterwards"]))
    row(phase, ({ phases }) => phases.get(phase));
  row(`**peak** (bound ${BOUND_MEGABYTES})`, ({ peak }) => peak);
  lines.push(
    `| highest of the peaks | ${[...all.values()].map((runs) => Math.max(...runs.map(({ peak }) => peak)).toFixed(0)).join(" | ")} |`,
  );
  row(`resident ${quietSeconds} s later`, ({ after }) => after);
  row("seconds, first document to last index", ({ seconds }) => seconds, 2);
  console.log(lines.join("\n"));
}

function readOptions(args: readonly string[]) {
  const options = { root: join(import.meta.dir, ".."), quietSeconds: 60, starts: 3, names: [] as string[] };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === "--root") options.root = args[++at] ?? options.root;
    else if (arg === "--quiet-seconds") options.quietSeconds = Number(args[++at]);
    else if (arg === "--starts") options.starts = Number(args[++at]);
    else options.names.push(arg);
  }
  return options;
}
