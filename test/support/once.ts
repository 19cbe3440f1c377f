/** What many test files start from and none changes, made once for a whole run of the check: every process takes a copy. */

import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onceInFile } from "./at-end.ts";
import { temporaryDirectory } from "./temporary.ts";

/** Set by the check for its test processes; without it every test file makes its own. */
export const RUN_DIRECTORY = "CROSSRATE_CHECK_RUN";
/** A process that waits longer than this for another one makes its own: the other was killed, or is very slow. */
const PATIENCE_MILLISECONDS = 20_000;

const own = onceInFile(() => new Map<string, Promise<string>>());

/** Directory filled by `make`, not to be written to. `name` denotes exactly one content. */
export function onceForTheRun(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const known = own().get(name) ?? find(name, make);
  own().set(name, known);
  return known;
}

/** A copy of it, the caller's own. */
export async function copyOf(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const directory = temporaryDirectory();
  cpSync(await onceForTheRun(name, make), directory, { recursive: true });
  return directory;
}

async function find(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const shared = process.env[RUN_DIRECTORY];
  if (shared === undefined) return await fill(temporaryDirectory(), make);
  const [done, making] = [join(shared, name), join(shared, `${name}.making`)];
  const end = performance.now() + PATIENCE_MILLISECONDS;
  while (!existsSync(done)) {
    if (performance.now() > end) return await fill(temporaryDirectory(), make);
    if (!claim(making)) {
      await Bun.sleep(10);
      continue;
    }
    try {
      // Another process may have finished between the check and the claim.
      if (existsSync(done)) break;
      // Renamed when it is whole, so that no other process sees a part of it.
      renameSync(await fill(temporaryDirectory(), make), done);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  return done;
}

/** Making a directory is what only one of many processes can do. */
function claim(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function fill(directory: string, make: (directory: string) => Promise<void>): Promise<string> {
  await make(directory);
  return directory;
}
