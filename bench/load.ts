/** Load on one URL: wrk where it is installed, else a plain loop of this process (slower, and named so in the results). */

import { join } from "node:path";

export type RandomPath = "dates" | "range" | "convert" | "subsets";

export interface Load {
  readonly url: string;
  readonly seconds: number;
  /** Kind of random path of paths.lua; without one the URL is requested as it is. */
  readonly random?: RandomPath;
  /** API key to send. */
  readonly key?: string;
}

export interface Throughput {
  readonly requestsPerSecond: number;
  /** Answers that were not 2xx, and socket errors; a figure with any is worth nothing. */
  readonly failures: number;
}

const CONNECTIONS = 32;
const WRK = Bun.which("wrk");
const TASKSET = Bun.which("taskset");

export const LOADER = WRK === null ? "a fetch loop in Bun" : "wrk";

/** Server processes run on the first core, the load on the second, where the machine can say so. */
export function pinned(core: number, command: string[]): string[] {
  return TASKSET === null ? command : [TASKSET, "-c", String(core), ...command];
}

let seed = 1;

export async function measure({ url, seconds, random, key }: Load): Promise<Throughput> {
  const authorization = key === undefined ? [] : [`Authorization: Bearer ${key}`];
  if (WRK === null) return await fetchLoop(url, seconds, authorization);
  seed += 1;
  const script = random === undefined ? [] : ["-s", join(import.meta.dir, "paths.lua")];
  const headers = authorization.flatMap((header) => ["-H", header]);
  const tail = random === undefined ? [] : ["--", random, String(seed)];
  const command = pinned(1, [
    WRK,
    "-t1",
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    ...headers,
    ...script,
    url,
    ...tail,
  ]);
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const output = await new Response(child.stdout).text();
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(output)?.[1];
  if (rate === undefined) throw new Error(`wrk printed: ${output}${await new Response(child.stderr).text()}`);
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output);
  const errors = broken === null ? 0 : broken.slice(1).reduce((sum, count) => sum + Number(count), 0);
  return { requestsPerSecond: Number(rate), failures: refused + errors };
}

async function fetchLoop(url: string, seconds: number, lines: readonly string[]): Promise<Throughput> {
  const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
  const end = performance.now() + seconds * 1000;
  let done = 0;
  let failures = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const answer = await fetch(url, { headers });
        await answer.arrayBuffer();
        if (answer.ok) done += 1;
        else failures += 1;
      }
    }),
  );
  return { requestsPerSecond: done / seconds, failures };
}
