/** The product as a process of its own, the way a person starts it. */

import { join } from "node:path";
import { Readable } from "node:stream";
import type { CommandLineOptions } from "#commands/command-line.ts";

const ROOT = join(import.meta.dir, "..", "..");

export interface Process {
  /** Where it answers. */
  readonly url: string;
  readonly pid: number;
  /** What it has written to standard error so far. */
  errors(): string;
  /** Sends a signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>;
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[], environment: Record<string, string>) {
  const child = Bun.spawn([process.execPath, "src/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, LOG_LEVEL: "silent", ACCESS: "open", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

/** The same in the test's own process, which is much quicker. `piped` is what comes from standard input; no wait takes time. */
export async function runInProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
  piped: readonly string[] = [],
  more: Pick<CommandLineOptions, "openAccounts"> = {},
) {
  // Not above: it is the whole product, and most who start processes of it do without.
  const { runCommandLine } = await import("#commands/command-line.ts");
  const { sinkOf } = await import("./captured.ts");
  const output = { out: "", err: "" };
  const code = await runCommandLine(args, {
    version: "test",
    environment: { LOG_LEVEL: "silent", ACCESS: "open", ...environment },
    out: sinkOf((text) => (output.out += text)),
    err: sinkOf((text) => (output.err += text)),
    keyboard: Readable.from(piped),
    clock: { now: Date.now, sleep: async () => {} },
    ...more,
  });
  return { code, ...output };
}

/** Starts `serve` on a free port and resolves as soon as it says where it listens. */
export async function startServe(environment: Record<string, string>): Promise<Process> {
  const child = Bun.spawn([process.execPath, "src/main.ts", "serve"], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", LOG_LEVEL: "silent", ACCESS: "open", ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  let errors = "";
  void (async () => {
    for await (const part of child.stderr) errors += Buffer.from(part).toString();
  })();
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of child.stdout) {
    text += decoder.decode(part, { stream: true });
    const url = /http:\/\/[\w.]+:\d+/.exec(text)?.[0];
    if (url !== undefined) {
      return {
        url,
        pid: child.pid,
        errors: () => errors,
        end: async (signal = "SIGTERM") => {
          child.kill(signal);
          return await child.exited;
        },
      };
    }
  }
  throw new Error(`serve ended with ${await child.exited} before it listened: ${text}`);
}

/** Asks again until the answer satisfies; the runner's own limit bounds it. */
export async function until<T>(ask: () => Promise<T>, satisfied: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    await Bun.sleep(20);
  }
}
