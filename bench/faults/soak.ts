/** How the processes grow while nothing happens to them: memory, files, disk and the slowest answers, and their slopes an hour. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Member, Site } from "#test/failover/site.ts";
import type { Callers } from "./callers.ts";

const EVERY_MILLISECONDS = 15_000;
/** What a start collects and caches that fill are no leak. */
const WARM_MINUTES = 10;
const PRINTED_MINUTES = 5;

interface Sample {
  /** Minutes since the start. */
  readonly at: number;
  readonly figures: Readonly<Record<string, number>>;
}

interface SoakOptions {
  readonly site: Site;
  readonly load: Callers;
  readonly minutes: number;
  readonly say: (line: string) => void;
}

export async function soak({ site, load, minutes, say }: SoakOptions): Promise<void> {
  const members = [...site.collectors, ...site.replicas];
  const samples: Sample[] = [];
  const began = performance.now();
  const columns = [
    ...members.flatMap(({ name }) => ["MB", "files", "disk MB"].map((what) => `${name} ${what}`)),
    "p99 ms",
    "answers/s",
  ];
  say(`| minute | ${columns.join(" | ")} |\n|---${"|---".repeat(columns.length)}|`);
  const row = (name: string, figures: Sample["figures"], digits: number) =>
    say(`| ${name} | ${columns.map((column) => (figures[column] ?? 0).toFixed(digits)).join(" | ")} |`);
  for (let printed = 0; performance.now() < began + minutes * 60_000; ) {
    await Bun.sleep(EVERY_MILLISECONDS);
    const { answers, p99 } = load.report();
    const of = Object.fromEntries(members.flatMap((member) => figuresOf(member)));
    const at = (performance.now() - began) / 60_000;
    const figures = { ...of, "p99 ms": p99, "answers/s": answers / (EVERY_MILLISECONDS / 1000) };
    samples.push({ at, figures });
    if (at < printed) continue;
    row(at.toFixed(0), figures, 1);
    printed += PRINTED_MINUTES;
  }
  const warm = samples.filter(({ at }) => at >= Math.min(WARM_MINUTES, minutes / 2));
  row("slope an hour", Object.fromEntries(columns.map((column) => [column, slopeOf(warm, column)])), 2);
}

/** Least squares, per hour. */
function slopeOf(samples: readonly Sample[], column: string): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const figureOf = ({ figures }: Sample) => figures[column] ?? 0;
  const [at, value] = [mean((sample) => sample.at), mean(figureOf)];
  const together = mean((sample) => (sample.at - at) * (figureOf(sample) - value));
  return (together / mean((sample) => (sample.at - at) ** 2)) * 60;
}

function figuresOf({ name, dataDir, process }: Member): readonly (readonly [string, number])[] {
  const proc = `/proc/${process()?.pid}`;
  if (!existsSync(proc)) return [];
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`${proc}/status`, "utf8"))?.[1]);
  return [
    [`${name} MB`, (kilobytes * 1024) / 1e6],
    [`${name} files`, readdirSync(`${proc}/fd`).length],
    [`${name} disk MB`, bytesIn(dataDir) / 1e6],
  ];
}

function bytesIn(directory: string): number {
  const paths = (readdirSync(directory, { recursive: true }) as string[]).map((path) =>
    join(directory, path),
  );
  // Files come and go meanwhile.
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
