/** Hostile clients in a process of their own: their memory is not the server's, and their connections end with it. */

import { join } from "node:path";
import type { Crowd, Job } from "#bench/hostile/crowd.ts";
import { run } from "#test/clients/process.ts";

const PROGRAM = join(import.meta.dir, "..", "..", "bench", "hostile", "crowd.ts");

/** Each client comes from an address of its own. */
export async function crowd(
  url: string,
  job: Pick<Job, "kind" | "targets" | "connections" | "seconds">,
): Promise<Crowd> {
  const { hostname: host, port } = new URL(url);
  const whole: Job = { ...job, host, port: Number(port), addresses: job.connections, key: null };
  return JSON.parse(await run([process.execPath, PROGRAM, JSON.stringify(whole)]));
}
