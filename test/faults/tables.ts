/** An independent Delta reader (tables.py) as a process that answers again and again. */

import { join } from "node:path";
import { startAnswering } from "#test/support/answering.ts";

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
  const program = startAnswering([python, join(import.meta.dir, "tables.py")]);
  return {
    ask: async (lake, kept) => JSON.parse(await program.ask(JSON.stringify({ lake, kept }))),
    end: program.end,
  };
}
