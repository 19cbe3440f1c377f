/** The demo as the README starts it, in a process of its own, for tests of what the documents say about it. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { ROOT } from "./document.ts";

export interface RunningDemo {
  /** Without a slash at the end. */
  readonly url: string;
  readonly metricsUrl: string;
  /** The key that it printed. */
  readonly key: string;
  /** DATA_DIR. */
  readonly directory: string;
  /** Resolves once the lake has a copy of the official publications, which is made beside everything else and takes its time. */
  copied(): Promise<void>;
  stop(): Promise<void>;
}

/** Once every source is collected; rejects with the output of the process when it ends before that. Callers without a key are not limited. */
export async function startDemo(): Promise<RunningDemo> {
  const directory = await mkdtemp(join(tmpdir(), "crossrate-demo-"));
  const [port, metricsPort] = [freePort(), freePort()];
  const plans = join(directory, "plans.json");
  await Bun.write(plans, JSON.stringify({ anonymous: { minute: 10_000, hour: 10_000 } }));
  const settings = { PORT: String(port), METRICS_PORT: String(metricsPort), HOST: "127.0.0.1" };
  const demo = Bun.spawn([process.execPath, "src/main.ts", "demo"], {
    cwd: ROOT,
    env: { ...process.env, ...settings, DATA_DIR: directory, PLANS_FILE: plans },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stop = async () => {
    demo.kill();
    await demo.exited;
    await rm(directory, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await started(demo, url);
    const key = await printedKey(demo.stdout);
    const copy = join(directory, "lake/current/official/table_id=mex_fix/publications.parquet");
    const copied = async () => {
      while (!existsSync(copy)) await Bun.sleep(50);
    };
    return { url, metricsUrl: `http://127.0.0.1:${metricsPort}`, key, directory, copied, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function printedKey(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const key = /fxk_[0-9A-Za-z]{38}/.exec(text)?.[0];
    // What it prints last: a stream that is closed before would end it.
    if (key !== undefined && text.includes("Ctrl-C stops it.")) return key;
  }
  throw new Error(`no key was printed:\n${text}`);
}

async function started(child: Bun.Subprocess<"ignore", "pipe", "pipe">, base: string): Promise<void> {
  let output = "";
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) output += decoder.decode(chunk, { stream: true });
  })();
  for (;;) {
    const answer = await fetch(`${base}/status?strict=1`).catch(() => null);
    if (answer?.ok === true) return;
    if (child.exitCode !== null) {
      await listening;
      throw new Error(`the demo ended with status ${child.exitCode}: ${output}`);
    }
    await Bun.sleep(50);
  }
}
