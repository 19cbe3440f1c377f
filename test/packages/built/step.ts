/** A step of `check:packages`, and programs that run as they would for somebody who has only the package. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run as runProgram } from "#test/clients/process.ts";
import { freePort } from "#test/support/free-port.ts";

export const ROOT = resolve(import.meta.dir, "../../..");
export const DIST = join(ROOT, "dist");
const START_MILLISECONDS = 120_000;
const PAUSE_MILLISECONDS = 20;

export interface Step {
  readonly what: string;
  /** `folder` is the check's own. Resolves with figures for people, "" without any; rejects with the reason. */
  run(folder: string): Promise<string>;
}

/** A machine: a folder to start in, and an environment that has nothing of this process but the given. */
export interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export const run = (command: readonly string[], machine: Machine) =>
  runProgram(command, { ...machine, isAlone: true });

export interface Started {
  readonly url: string;
  /** The process group of the server and of what it starts. */
  readonly group: number;
  /** Seconds from the start of the process to its address and key, to its first rate, and to the line that all sources are read. */
  readonly greeting: number;
  readonly firstRates: number;
  readonly complete: number;
  /** Resident memory in megabytes; null where the system does not say. */
  readonly memory: number | null;
  readonly printed: () => string;
  /** Ends it by SIGTERM, with everything that it started. */
  end(): Promise<void>;
}

const GREETING = /answers on http:\/\//;
const COMPLETE = /Every source is read/;

/** Starts `demo` of a program on a free port. Rejects with what was printed when it ends, or is not ready within two minutes. */
export async function startedDemo(command: readonly string[], { cwd, env }: Machine): Promise<Started> {
  const port = freePort();
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const child = Bun.spawn([...command, "demo"], {
    cwd,
    env: { ...env, HOST: "127.0.0.1", PORT: String(port) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, as a terminal makes one: npx passes no signal on.
    detached: true,
  });
  const signal = (name: NodeJS.Signals) => process.kill(-child.pid, name);
  let text = "";
  const drain = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const part of stream) text += decoder.decode(part, { stream: true });
  };
  const drained = Promise.all([drain(child.stdout), drain(child.stderr)]);
  const url = `http://127.0.0.1:${port}`;
  let firstRates: number | null = null;
  let greeting: number | null = null;
  for (;;) {
    if (child.exitCode !== null || seconds() * 1000 > START_MILLISECONDS) {
      if (child.exitCode === null) signal("SIGKILL");
      throw new Error(`the demo does not start:\n${text.slice(-2_000)}`);
    }
    const answer = firstRates === null ? await fetch(`${url}/v1/latest?symbols=EUR`).catch(() => null) : null;
    await answer?.body?.cancel();
    if (answer?.ok === true) firstRates = seconds();
    if (GREETING.test(text)) greeting ??= seconds();
    if (greeting !== null && firstRates !== null && COMPLETE.test(text)) break;
    await Bun.sleep(PAUSE_MILLISECONDS);
  }
  const complete = seconds();
  return {
    ...{ url, group: child.pid, greeting, firstRates, complete, memory: residentMegabytes(child.pid) },
    printed: () => text,
    end: async () => {
      signal("SIGTERM");
      await drained;
    },
  };
}

/** The times of a start for people, and its memory where the system says it. */
export function startFigures({ greeting, firstRates, complete, memory }: Started): string {
  const [key, rate, all] = [greeting, firstRates, complete].map((seconds) => seconds.toFixed(1));
  const resident = memory === null ? "" : `, ${memory.toFixed(0)} MB resident`;
  return `address and key after ${key} s, first rate after ${rate} s, all sources after ${all} s${resident}`;
}

function residentMegabytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1000;
  } catch {
    return null;
  }
}
