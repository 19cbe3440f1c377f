/** Makes a new or renamed file of a command durable under its name. */

import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** Flushes the folder of a file. Does nothing where the system cannot open folders, or this user may not list it. */
export async function flushName(path: string): Promise<void> {
  const folder = await open(dirname(path), "r").catch(() => null);
  await folder?.sync().finally(() => folder.close());
}
