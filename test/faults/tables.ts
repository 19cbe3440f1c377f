/** An independent Delta reader (tables.py) as a process that answers again and again. */

import { join } from "node:path";

export type TableAnswer =
  | null
  | { readonly fault: string }
  | {
      readonly version: number;
      readonly digest: string;
      readonly files: number;
      readonly older: readonly string[];
      readonly pinned: { readonly revisions?: string; readonly held?: string };
    };

/** What Delta readers see of a lake; versions replaced after `kept` must be readable. */
export type DeltaReader = (
  lake: string,
  kept: Readonly<Record<string, number>>,
) => Promise<Readonly<Record<string, TableAnswer>>>;

export function startDeltaReader(python: string): { readonly ask: DeltaReader; end(): Promise<void> } {
  const child = Bun.spawn([python, join(import.meta.dir, "tables.py")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    ask: async (lake, kept) => {
      child.stdin.write(`${JSON.stringify({ lake, kept })}\n`);
      await child.stdin.flush();
      while (!text.includes("\n")) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the Delta reader ended");
        text += value;
      }
      const [line = "", ...rest] = text.split("\n");
      text = rest.join("\n");
      return JSON.parse(line);
    },
    end: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
}
