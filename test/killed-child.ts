/** A process killed in the middle of its work, and what it had said by then. */

import { expect } from "bun:test";

/** Runs a script that prints "ready" before it begins, kills it so long after that, and resolves with all it printed. */
export async function killedChild(script: string, words: readonly string[], milliseconds: number) {
  const child = Bun.spawn([process.execPath, script, ...words], { stdout: "pipe", stderr: "inherit" });
  let said = "";
  let isReady = false;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (!isReady && said.includes("ready")) setTimeout(() => child.kill(9), milliseconds);
    isReady = said.includes("ready");
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return said;
}
