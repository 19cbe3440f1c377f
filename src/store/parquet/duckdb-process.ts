/** What the processes that run DuckDB for a server have in common: their environment, and that their use is reported like DuckDB's own. */

import { channel } from "node:diagnostics_channel";
import type { EngineUse } from "#ports/engine.ts";
import { ENGINE_CHANNEL } from "./engine.ts";

/**
 * All of it: nothing of the server's, such as secrets. DuckDB's statements run on the runtime's thread pool, where two long ones must
 * not stop the others.
 */
export const PROCESS_ENVIRONMENT = { UV_THREADPOOL_SIZE: "16" };

const uses = channel(ENGINE_CHANNEL);

/** What the work gives; the channel of DuckDB's uses gets how long it took. */
export async function reported<T>(work: Promise<T>): Promise<T> {
  const began = performance.now();
  let isFailed = true;
  try {
    const result = await work;
    isFailed = false;
    return result;
  } finally {
    if (uses.hasSubscribers)
      uses.publish({ milliseconds: performance.now() - began, isFailed } satisfies EngineUse);
  }
}
