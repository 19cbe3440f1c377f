/** The product as a process of its own, the way a person starts it. */

import { expect } from "bun:test";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandLineOptions } from "#commands/command-line.ts";
import { type Ended, ended } from "#test/clients/process.ts";
import { atEnd } from "#test/support/at-end.ts";

const ROOT = join(import.meta.dir, "..", "..");

const QUIET = { LOG_LEVEL: "silent", ACCESS: "open" } as const;

export interface Process extends RunningCommand {
  readonly url: string;
}

export type RunningCommand = ReturnType<typeof startCommand>;

/**
 * Starts a command that goes on until a test ends it, which a server does at once: no balancer has to notice; at the latest
 * it ends with the tests of the file. `before` is a program that starts it, such as nohup.
 */
export function startCommand(
  args: readonly string[],
  environment: Record<string, string>,
  before: readonly string[] = [],
) {
  const child = Bun.spawn([...before, process.execPath, "src/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET, PORT: "0", SHUTDOWN_DELAY_SECONDS: "0", ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  atEnd(() => child.kill("SIGKILL"));
  const printed = { out: "", err: "" };
  const news = new EventTarget();
  const reading = async (name: "out" | "err", stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const part of stream) {
      printed[name] += decoder.decode(part, { stream: true });
      news.dispatchEvent(new Event(name));
    }
  };
  const ended = { out: reading("out", child.stdout), err: reading("err", child.stderr) };
  return {
    pid: child.pid,
    printed,
    /** Resolves with the match once a stream has it; rejects when the stream ends without. */
    until: async (name: "out" | "err", pattern: RegExp) => {
      for (let isOver = false; ; ) {
        const match = pattern.exec(printed[name]);
        if (match !== null) return match;
        if (isOver)
          throw new Error(`${args.join(" ")} ended without ${pattern}: ${printed.out}${printed.err}`);
        const next = new Promise((resolve) => news.addEventListener(name, resolve, { once: true }));
        isOver = (await Promise.race([next, ended[name].then(() => "over")])) === "over";
      }
    },
    send: (text: string) => {
      child.stdin.write(text);
      child.stdin.flush();
    },
    end: async (signal: NodeJS.Signals = "SIGTERM") => {
      child.kill(signal);
      return await child.exited;
    },
  };
}

export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  before: readonly string[] = [],
) {
  const env = { ...QUIET, ...environment };
  return await ended([...before, process.execPath, "src/main.ts", ...args], { cwd: ROOT, env });
}

/** The same in the test's own process, which is much quicker. `piped` is what comes from standard input; no wait takes time. */
export async function runInProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
  piped: readonly string[] = [],
  more: Pick<CommandLineOptions, "clock"> = {},
) {
  // Not above: it is the whole product, and most who start processes of it do without.
  const { runCommandLine } = await import("#commands/command-line.ts");
  const { sinkOf } = await import("./captured.ts");
  const output = { out: "", err: "" };
  const code = await runCommandLine(args, {
    version: "test",
    environment: { ...QUIET, ...environment },
    out: sinkOf((text) => (output.out += text)),
    err: sinkOf((text) => (output.err += text)),
    keyboard: Readable.from(piped),
    clock: { now: Date.now, sleep: async () => {} },
    ...more,
  });
  return { code, ...output };
}

/** Exit code 1, one line on standard error that begins so and has these parts, and nothing else. */
export function expectRefusedInOneLine({ code, out, err }: Ended, start: string, ...parts: string[]): void {
  expect(err).toStartWith(start);
  for (const part of parts) expect(err).toContain(part);
  expect({ code, out, lines: err.trimEnd().split("\n").length }).toEqual({ code: 1, out: "", lines: 1 });
}

/** Starts `serve` on a free port and resolves as soon as it says where it listens. */
export async function startServe(environment: Record<string, string>): Promise<Process> {
  const command = startCommand(["serve"], environment);
  const [url] = await command.until("out", /http:\/\/[\w.]+:\d+/);
  return { ...command, url };
}

/** Asks again until the answer satisfies; the runner's own limit bounds it. */
export async function until<T>(ask: () => Promise<T>, satisfied: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    await Bun.sleep(20);
  }
}
