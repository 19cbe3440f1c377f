/** What the runtime is started with: a heap that fits the caches, unless an operator says otherwise. Read from the kernel's copy of the environment. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startServe } from "./process.ts";

async function environmentOf(given: Record<string, string>): Promise<ReadonlyMap<string, string>> {
  const server = await startServe({
    DATA_DIR: temporaryDirectory(),
    UPSTREAM_BASE: "http://127.0.0.1:9",
    ...given,
  });
  try {
    const pairs = readFileSync(`/proc/${server.pid}/environ`, "utf8").split("\0");
    return new Map(pairs.map((pair) => pair.split("=", 2) as [string, string]));
  } finally {
    await server.end("SIGKILL");
  }
}

const MB = 1024 * 1024;

test.skipIf(process.platform !== "linux")("the heap has 256 MiB with the default caches", async () => {
  const environment = await environmentOf({});
  expect(environment.get("BUN_JSC_forceRAMSize")).toBe(String(256 * MB));
  expect(environment.get("BUN_JSC_gcMaxHeapSize")).toBe(String(16 * MB));
  expect(environment.get("BUN_JSC_maximumMutatorUtilization")).toBe("0.3");
  expect(environment.get("BUN_JSC_smallHeapRAMFraction")).toBe("0.55");
  expect(environment.get("BUN_JSC_smallHeapGrowthFactor")).toBe("2.2");
  expect(environment.get("BUN_JSC_mediumHeapRAMFraction")).toBe("0.8");
  expect(environment.get("BUN_JSC_mediumHeapGrowthFactor")).toBe("1.8");
  expect(environment.get("UV_THREADPOOL_SIZE")).toBe("16");
});

test.skipIf(process.platform !== "linux")(
  "it grows with MEMORY_CACHE_MB, and what is set already stays",
  async () => {
    const environment = await environmentOf({
      MEMORY_CACHE_MB: "96",
      BUN_JSC_gcMaxHeapSize: String(32 * MB),
    });
    expect(environment.get("BUN_JSC_forceRAMSize")).toBe(String(512 * MB));
    expect(environment.get("BUN_JSC_gcMaxHeapSize")).toBe(String(32 * MB));
  },
);
