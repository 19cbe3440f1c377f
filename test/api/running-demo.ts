/** The demo as its users start it again: a process of its own, on a free port, on a data directory that has the history. */

import { NOW, simulatedDirectory } from "#test/commands/lakes.ts";
import { startCommand } from "#test/commands/process.ts";

/** Resolves with the demo's address once every source is read; rejects with its output when it ends before. */
export async function startDemo() {
  const settings = { HOST: "127.0.0.1", DATA_DIR: await simulatedDirectory(NOW), NOW };
  const demo = startCommand(["demo"], settings);
  await demo.until("out", /Every source is read/);
  const [url] = await demo.until("out", /http:\/\/[\w.]+:\d+/);
  return { url };
}
