/** A process killed in the middle of its work, and its output by then. */

import { expect } from "bun:test";

/** Runs a script that prints "ready" before it begins, kills it so long after that, and resolves with all it printed. */
export async function killedChild(script: string, parameters: readonly string[], milliseconds: number) {
  const child = Bun.spawn([process.execPath, script, ...parameters], { stdout: "pipe", stderr: "inherit" });
  let output = "";
  let isReady = false;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk;
    if (!isReady && output.includes("ready")) setTimeout(() => child.kill(9), milliseconds);
    isReady = output.includes("ready");
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return output;
}
