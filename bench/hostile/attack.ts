/** One server under attack: phase after phase, watched meanwhile; then a minute of quiet. */

import { join } from "node:path";
import type { Crowd, Job } from "./crowd.ts";
import { type Phase, phasesOf, type Wanted } from "./phases.ts";
import { lineOf, type Quiet, type Row } from "./report.ts";
import { type Attacked, askJson } from "./server.ts";
import { findTargets } from "./targets.ts";
import { residentMegabytes, startedMegabytes, startWatch } from "./watch.ts";

export interface AttackChoices extends Wanted {
  readonly connections: number;
  readonly addresses: number;
  /** Of each phase. */
  readonly seconds: number;
  /** Seconds without requests at the end. */
  readonly quiet: number;
}

/** A phase ends early when the server has grown to this, so that a broken one does not take the machine with it. */
const MOST_MEGABYTES = 4000;
/** A server that is larger than this after a phase is started again: the next phase's figures are to be its own. */
const RESTART_MEGABYTES = 1000;
/** Between phases: until /health answers at once, but not for longer than this. */
const SETTLE_MILLISECONDS = 5000;
const AT_ONCE_MILLISECONDS = 20;
const TIMES_AT_ONCE = 5;
const LOOK_MILLISECONDS = 100;

/**
 * Prints a line a phase. `start` gives a server; it is called again where one has grown too large, and null says that it cannot.
 * Rejects when a server ends, or has grown too large and cannot be started again.
 */
export async function attack(
  access: string,
  start: (before: Attacked | null) => Promise<Attacked | null>,
  choices: AttackChoices,
): Promise<{ readonly rows: readonly Row[]; readonly quiet: Quiet }> {
  const begin = async (before: Attacked | null) => {
    const server = await start(before);
    if (server === null)
      throw new Error("the server has grown too large and is not this program's to start again");
    return server;
  };
  const rows: Row[] = [];
  let server = await begin(null);
  try {
    const { key, url } = server;
    const targets = await findTargets((path) => askJson(url, key, path));
    const phases = phasesOf(targets, choices);
    console.log(
      `${access}: ${targets.length} requests on all routes, ${phases.length} phases of ${choices.seconds} s`,
    );
    for (const phase of phases) {
      if (residentMegabytes(server.pid) > RESTART_MEGABYTES) server = await begin(server);
      const row = {
        access,
        route: phase.route,
        kind: phase.kind,
        ...(await perform(server, phase, choices)),
      };
      rows.push(row);
      console.log(lineOf(row));
    }
    await Bun.sleep(choices.quiet * 1000);
    const anonymousMegabytes = residentMegabytes(server.pid, "RssAnon");
    const megabytes = residentMegabytes(server.pid) + startedMegabytes(server.pid);
    return { rows, quiet: { access, seconds: choices.quiet, megabytes, anonymousMegabytes } };
  } finally {
    await server.stop();
  }
}

async function perform(
  { url, pid, key }: Attacked,
  phase: Phase,
  choices: AttackChoices,
): Promise<Pick<Row, "crowd" | "seen">> {
  await settled(url);
  const { hostname: host, port } = new URL(url);
  const { kind, targets } = phase;
  const { connections, addresses, seconds } = choices;
  const watch = startWatch(url, pid);
  try {
    const crowd = await runCrowd(
      { host, port: Number(port), kind, targets, connections, addresses, seconds, key },
      pid,
    );
    return { crowd, seen: watch.take() };
  } finally {
    await watch.stop();
  }
}

async function settled(url: string): Promise<void> {
  const end = performance.now() + SETTLE_MILLISECONDS;
  for (let times = 0; times < TIMES_AT_ONCE && performance.now() < end; ) {
    await Bun.sleep(AT_ONCE_MILLISECONDS);
    const began = performance.now();
    await fetch(`${url}/health`);
    times = performance.now() - began < AT_ONCE_MILLISECONDS ? times + 1 : 0;
  }
}

/** In a process of its own; what it leaves open, the system resets when it ends. Null: ended early, because the server was too large. */
async function runCrowd(job: Job, pid: number): Promise<Crowd | null> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "crowd.ts"), JSON.stringify(job)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let isTooLarge = false;
  const look = setInterval(() => {
    if (residentMegabytes(pid) <= MOST_MEGABYTES) return;
    isTooLarge = true;
    child.kill("SIGKILL");
  }, LOOK_MILLISECONDS);
  try {
    const output = await new Response(child.stdout).text();
    const code = await child.exited;
    if (isTooLarge) return null;
    if (code !== 0) throw new Error(`the clients of ${job.kind} failed`);
    return JSON.parse(output) as Crowd;
  } finally {
    clearInterval(look);
  }
}
