/** The measured server: the product on the filled directory, open, or metered with a key that no limit refuses. */

import { writeFile } from "node:fs/promises";
import { join as pathOf } from "node:path";
import { type Running, startCrossrate } from "#bench/servers.ts";
import { join } from "#test/metered/client.ts";
import { NOW } from "./data.ts";

export type Access = "open" | "metered";

export interface Attacked {
  readonly url: string;
  readonly pid: number;
  /** null where access is open. */
  readonly key: string | null;
  stop(): Promise<void>;
}

const UNLIMITED = { minute: 900_000_000, month: 900_000_000, history_days: null };

export async function startAttacked(directory: string, access: Access): Promise<Attacked> {
  const plans = pathOf(directory, "plans.json");
  await writeFile(plans, JSON.stringify({ free: UNLIMITED }));
  const running: Running = await startCrossrate(
    {
      // As the Dockerfile has it: the bounds are those of a container.
      BUN_JSC_forceRAMSize: "268435456",
      ACCESS: access,
      ROLE: "api",
      LIVE_FEED: "off",
      DATA_DIR: directory,
      PLANS_FILE: plans,
      TRUSTED_PROXIES: "127.0.0.1/32",
      UPSTREAM_BASE: "http://127.0.0.1:9",
      BANXICO_TOKEN: "0".repeat(64),
      NOW,
    },
    "all",
  );
  const { pid } = running;
  // No caller waits for its readers, which do not read.
  const stop = () => running.stop("SIGKILL");
  const url = running.url.replace("localhost", "127.0.0.1");
  const key = access === "open" ? null : (await join(url, `hostile-${pid}@example.org`)).key;
  return { url, pid, key, stop };
}

/** The parsed answer of a server, a refusal too; sent with the key where there is one. */
export async function askJson(url: string, key: string | null, path: string): Promise<unknown> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  return await (await fetch(url + path, { headers })).json();
}
