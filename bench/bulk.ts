/**
 * `bun run bench:bulk`: exports against DuckDB's own COPY of the same rows, in one run on one machine. Prints tables and
 * writes bench/bulk-results.md. `--rows N` sets the largest intraday export (default 50,000,000), which is
 * generated once and stored in BULK_DIR (default: a folder of the system's temporary directory).
 */

import { existsSync, mkdirSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { formatDay } from "#domain/time/day.ts";
import { download, firstBytes } from "./curl.ts";
import { fullIngest } from "./ingest.ts";
import { idleAndBusy } from "./latency.ts";
import { median } from "./median.ts";
import { FIRST_DAY, generateQuotes, QUOTES_A_DAY } from "./quotes.ts";
import { startCrossrate } from "./servers.ts";

const NOW = "2026-04-13T16:30:00Z";
const LARGEST = Number(argument("--rows") ?? "50000000");
const RUNS = Number(process.env["BENCH_ROUNDS"] ?? "5");
const SIZES = [1e6, 5e6, 10e6, 25e6, 50e6].filter((rows) => rows <= LARGEST);
const BASES = ["EUR", "USD", "JPY", "TWD"];
/** As the product takes them: one core stays for serving. */
const THREADS = Math.max(1, availableParallelism() - 1);
const KEPT = process.env["BULK_DIR"] ?? join(tmpdir(), "crossrate-bulk");
const DATA = join(KEPT, "data");
const LAKE = join(DATA, "lake");

const lines: string[] = [];
const say = (line = "") => {
  console.log(line);
  lines.push(line);
};

say("# Bulk exports");
say();
say(
  `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}; DuckDB with ${THREADS} thread(s) on both sides. Medians of ${RUNS} runs.`,
);
say(
  "Every wall time is a client's: curl, from connecting to the last byte. Raw is COPY alone, to a file that is not read.",
);
say();
mkdirSync(DATA, { recursive: true });
if (!existsSync(join(LAKE, "daily/_delta_log"))) await fullIngest(DATA, NOW);
await daily();
await intraday();
await Bun.write(join(import.meta.dir, "bulk-results.md"), `${lines.join("\n")}\n`);

/** Finished files are cached only by the second server: the first makes each download again, and its very first begins DuckDB and reads the figures. */
async function daily(): Promise<void> {
  const environment = {
    DATA_DIR: DATA,
    NOW,
    ROLE: "api",
    LIVE_FEED: "off",
    UPSTREAM_BASE: "http://127.0.0.1:9",
  };
  const exports = (["csv", "parquet"] as const).flatMap((format) => BASES.map((base) => ({ base, format })));
  const first: number[] = [];
  const ready: number[][] = exports.map(() => []);
  const openings: number[][] = exports.map(() => []);
  const server = await startCrossrate({ ...environment, EXPORT_CACHE_MB: "0" }, "all");
  for (let run = 0; run <= RUNS; run++) {
    for (const [at, { base, format }] of exports.entries()) {
      const { totalMilliseconds, firstByteMilliseconds } = await download(dailyUrl(server.url, base, format));
      openings[at]?.push(firstByteMilliseconds);
      if (run === 0) first.push(totalMilliseconds);
      else ready[at]?.push(totalMilliseconds);
    }
  }
  await server.stop();
  const cached = await startCrossrate({ ...environment, EXPORT_CACHE_MB: "1000" }, "all");
  const again: number[][] = exports.map(() => []);
  for (let run = 0; run <= RUNS; run++) {
    for (const [at, { base, format }] of exports.entries()) {
      const { totalMilliseconds } = await download(dailyUrl(cached.url, base, format));
      if (run > 0) again[at]?.push(totalMilliseconds);
    }
  }
  await cached.stop();
  say("## Full history, every currency, one request");
  say();
  say(
    "| export | first | again | raw COPY of the ready rows | ratio | first byte | repeat of a cached file |",
  );
  say("|---|---|---|---|---|---|---|");
  for (const [at, { base, format }] of exports.entries()) {
    const raw = median(await rawCopy("daily", base, format, RUNS));
    const ours = median(ready[at] ?? []);
    const file = median(again[at] ?? []);
    say(
      `| ${base}, ${format} | ${ms(first[at] as number)} | ${ms(ours)} | ${ms(raw)} | ${(ours / raw).toFixed(2)} | ${ms(median(openings[at] ?? []))} | ${ms(file)}, ${(ours / file).toFixed(0)} × faster |`,
    );
  }
  say();
}

async function intraday(): Promise<void> {
  const days = Math.ceil(LARGEST / QUOTES_A_DAY);
  const began = performance.now();
  await generateQuotes(LAKE, days, (done) => {
    if (done % 100 === 0 || done === days) process.stderr.write(`\rquotes of ${done} of ${days} days`);
  });
  process.stderr.write("\n");
  say(
    `## Intraday quotes, ${days} dates of ${QUOTES_A_DAY} (generated in ${((performance.now() - began) / 1000).toFixed(0)} s)`,
  );
  say();
  say(
    "| rows | format | bytes | export | rows/s | raw COPY | export / raw speed | first byte | resident peak | /v1/latest p99 idle → meanwhile |",
  );
  say("|---|---|---|---|---|---|---|---|---|---|");
  for (const format of ["parquet", "csv"] as const) for (const size of SIZES) await oneSize(size, format);
  say();
}

/** A fresh server for each, so that its peak memory is its own. */
async function oneSize(size: number, format: "csv" | "parquet"): Promise<void> {
  const days = Math.ceil(size / QUOTES_A_DAY);
  const rows = days * QUOTES_A_DAY;
  const server = await startCrossrate(
    {
      DATA_DIR: DATA,
      NOW,
      UPSTREAM_BASE: "http://127.0.0.1:9",
      EXPORT_CACHE_MB: "0",
    },
    "all",
  );
  try {
    const last = formatDay(FIRST_DAY + days - 1);
    const url = `${server.url}/v1/range?symbols=*&interval=tick&start_date=${formatDay(FIRST_DAY)}&end_date=${last}&format=${format}`;
    const opening = median(await firstBytes(url, RUNS));
    const { result, idle, busy } = await idleAndBusy(`${server.url}/v1/latest`, () => download(url));
    const [raw] = (await rawCopy("quotes", String(days), format, 1)) as [number];
    const peak = await server.peakMegabytes();
    say(
      `| ${rows.toLocaleString("en")} | ${format} | ${(result.bytes / 1e6).toFixed(0)} MB | ${(result.totalMilliseconds / 1000).toFixed(2)} s | ${(rows / result.totalMilliseconds / 1000).toFixed(2)} M | ${(raw / 1000).toFixed(2)} s | ${(raw / result.totalMilliseconds).toFixed(2)} | ${ms(opening)} | ${peak?.toFixed(0)} MB | ${idle.toFixed(1)} → ${busy.toFixed(1)} ms (${(busy / idle).toFixed(1)} ×) |`,
    );
  } finally {
    await server.stop();
  }
}

async function rawCopy(
  kind: "daily" | "quotes",
  what: string,
  format: string,
  runs: number,
): Promise<number[]> {
  const command = [
    process.execPath,
    join(import.meta.dir, "raw-copy.ts"),
    kind,
    LAKE,
    what,
    format,
    String(THREADS),
    String(runs),
  ];
  const child = Bun.spawn(command, { stdout: "pipe", env: { ...process.env, UV_THREADPOOL_SIZE: "32" } });
  const output = await new Response(child.stdout).text();
  return (JSON.parse(output) as { milliseconds: number[] }).milliseconds;
}

function dailyUrl(server: string, base: string, format: string): string {
  return `${server}/v1/range?symbols=*&base=${base}&start_date=1999-01-04&end_date=${NOW.slice(0, 10)}&format=${format}`;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}
