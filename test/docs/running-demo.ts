/** The demo as the README starts it, in a process of its own, for tests of what the documents say about it. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCommand, until } from "#test/commands/process.ts";
import { freePort } from "#test/support/free-port.ts";

export type RunningDemo = Awaited<ReturnType<typeof startDemo>>;

/** Once every source is collected; rejects with the output of the process when it ends before that. Callers without a key are not limited. */
export async function startDemo() {
  const directory = await mkdtemp(join(tmpdir(), "crossrate-demo-"));
  const plans = join(directory, "plans.json");
  await Bun.write(plans, JSON.stringify({ anonymous: { minute: 10_000, hour: 10_000 } }));
  const metricsPort = freePort();
  const demo = startCommand(["demo"], {
    ...{ HOST: "127.0.0.1", METRICS_PORT: String(metricsPort) },
    ...{ ACCESS: "metered", DATA_DIR: directory, PLANS_FILE: plans },
  });
  const stop = async () => {
    await demo.end();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await demo.until("out", /Ctrl-C stops it\./);
    const [url] = await demo.until("out", /http:\/\/[\w.]+:\d+/);
    const [key] = await demo.until("out", /fxk_[0-9A-Za-z]{38}/);
    await until(
      () => fetch(`${url}/status?strict=1`),
      ({ ok }) => ok,
    );
    const copy = join(directory, "lake/current/official/table_id=mex_fix/publications.parquet");
    /** Resolves once the lake has a copy of the official publications, which is made beside everything else and takes its time. */
    const copied = async () => {
      while (!existsSync(copy)) await Bun.sleep(50);
    };
    return { url, metricsUrl: `http://127.0.0.1:${metricsPort}`, key, directory, copied, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
