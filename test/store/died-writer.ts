/** A folder as a writer leaves it that died between two effects of its work. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyOf } from "./lake/sample.ts";

export interface Work {
  /** Folders with the same files but for the effects of one writer. */
  readonly before: string;
  readonly after: string;
  /** Files that it made, replaced or removed, in the order of its effects. */
  readonly effects: readonly string[];
}

/** Files that differ are effects in the order of the first pattern that they meet, then of their names; removed ones come last. */
export function workBetween(before: string, after: string, order: readonly RegExp[]): Work {
  const bytes = (folder: string, path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path)) : Buffer.alloc(0);
  const differ = (path: string) => !bytes(before, path).equals(bytes(after, path));
  const isGone = (path: string) => !existsSync(join(after, path));
  const changed = [...new Set([...filesIn(before), ...filesIn(after)])].filter(differ).sort();
  const made = changed.filter((path) => !isGone(path));
  const first = (path: string) => order.findIndex((pattern) => pattern.test(path));
  const ordered = order.flatMap((_, at) => made.filter((path) => first(path) === at));
  return { before, after, effects: [...ordered, ...changed.filter(isGone)] };
}

function filesIn(folder: string): readonly string[] {
  return Array.from(new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true }));
}

/** Returns a new folder as it lies on disk when the writer died after `count` of its effects, in the middle of the next one. */
export function diedAfter({ before, after, effects }: Work, count: number): string {
  const directory = copyOf(before);
  for (const path of effects.slice(0, count)) {
    if (existsSync(join(after, path))) cpSync(join(after, path), join(directory, path), { recursive: true });
    else rmSync(join(directory, dirname(path)), { recursive: true });
  }
  const next = effects[count];
  if (next === undefined) return directory;
  mkdirSync(join(directory, dirname(next)), { recursive: true });
  writeFileSync(join(directory, halfOf(next)), "half a fi");
  return directory;
}

/** Data files are written under their own names, all others under temporary ones. */
function halfOf(path: string): string {
  const name = basename(path);
  if (name.startsWith("part-")) return join(dirname(path), name.replace("part-", "part-0"));
  return join(dirname(path), path.startsWith("current/") ? ".next.tmp" : `.${name}.4242.tmp`);
}
