/** Servers in processes of their own, which end with their test, however it ends. */

import { afterEach } from "bun:test";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";

/** To be called once a file; the returned function starts one. */
export function processesOfEachTest(): typeof startReplica {
  let running: ReplicaProcess[] = [];
  afterEach(async () => {
    await Promise.all(running.map((one) => one.end("SIGKILL")));
    running = [];
  });
  return async (environment) => {
    const started = await startReplica(environment);
    running.push(started);
    return started;
  };
}
