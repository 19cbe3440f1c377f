/**
 * `bun run bench:mixed`: a minute of mixed, different questions at full speed against a server of its own; resident memory
 * before, at its peak and after. Exits with 1 where the bound is missed. MIXED_SECONDS and MIXED_CALLERS change the load, MIXED_DATA
 * names a directory that an earlier run has filled. Linux only.
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillData } from "./data.ts";
import type { MixedJob, MixedLoad } from "./mixed-load.ts";
import { startAttacked } from "./server.ts";
import { residentMegabytes, startWatch } from "./watch.ts";

const SECONDS = Number(process.env["MIXED_SECONDS"] ?? "60");
const CALLERS = Number(process.env["MIXED_CALLERS"] ?? "32");
const SEED = Number(process.env["MIXED_SEED"] ?? "1");
const BOUND_MEGABYTES = 350;
/** After the last answer: what was under way has ended. */
const SETTLE_MILLISECONDS = 1000;
const LATER_MILLISECONDS = 30_000;

const given = process.env["MIXED_DATA"];
const directory = given ?? (await mkdtemp(join(tmpdir(), "crossrate-mixed-")));
try {
  if (!existsSync(join(directory, "lake"))) await fillData(directory);
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  if (given === undefined) await rm(directory, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  const server = await startAttacked(directory, "open");
  try {
    const before = residentMegabytes(server.pid);
    const watch = startWatch(server.url, server.pid);
    const load = await perform({ url: server.url, seconds: SECONDS, callers: CALLERS, seed: SEED });
    const { peakMegabytes, health } = watch.take();
    await watch.stop();
    await Bun.sleep(SETTLE_MILLISECONDS);
    const after = residentMegabytes(server.pid);
    await Bun.sleep(LATER_MILLISECONDS);
    const later = residentMegabytes(server.pid);
    const count = Object.values(load.answers).reduce((sum, answers) => sum + answers, 0);
    const faults = Object.keys(load.answers).filter((status) => Number(status) >= 500 && status !== "503");
    const statuses = Object.entries(load.answers).map(([status, answers]) => `${answers} × ${status}`);
    const [first, most, then, last] = [before, peakMegabytes, after, later].map((megabytes) =>
      megabytes.toFixed(0),
    );
    console.log(
      `${count} answers of ${load.megabytes.toFixed(0)} MB in ${SECONDS} s: ${statuses.join(", ")}`,
    );
    console.log("| RSS before, MB | peak | 1 s after | 31 s after | /health p50, ms | p99 | answers/s |");
    console.log("|---|---|---|---|---|---|---|");
    console.log(
      `| ${first} | ${most} | ${then} | ${last} | ${health.p50.toFixed(0)} | ${health.p99.toFixed(0)} | ${(count / SECONDS).toFixed(0)} |`,
    );
    const holds = after <= BOUND_MEGABYTES && faults.length === 0;
    console.log(
      `- ${holds ? "holds" : "MISSED"}: resident memory after mixed questions: ${then} MB, bound ${BOUND_MEGABYTES} MB; faults: ${faults.join(", ") || "none"}`,
    );
    return holds;
  } finally {
    await server.stop();
  }
}

/** In a process of its own. */
async function perform(job: MixedJob): Promise<MixedLoad> {
  const command = [process.execPath, join(import.meta.dir, "mixed-load.ts"), JSON.stringify(job)];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the callers failed");
  return JSON.parse(output) as MixedLoad;
}
