/** A command as a process that is still running: what it prints, line by line, and its end. */

import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

export interface RunningCommand {
  /** The next line of its results. Rejects when there are none left. */
  line(): Promise<string>;
  /** The next line on standard error. */
  complaint(): Promise<string>;
  /** Sends Ctrl-C and resolves with the exit code. */
  end(): Promise<number>;
}

export function startCommand(args: readonly string[], environment: Record<string, string>): RunningCommand {
  const child = Bun.spawn([process.execPath, "src/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    line: linesOf(child.stdout),
    complaint: linesOf(child.stderr),
    end: async () => {
      child.kill("SIGINT");
      return await child.exited;
    },
  };
}

function linesOf(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  return async () => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return line;
      }
      const { value } = await reader.read();
      if (value === undefined) throw new Error(`no further line: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
  };
}
