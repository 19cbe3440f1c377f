/** Manifests of the first layout: each listed the files of a lake, or of an archive, with their digests. */

import { existsSync, readFileSync } from "node:fs";
import { LakeDamaged } from "./damage.ts";

export interface OldManifest {
  readonly sha256: string;
  readonly mode: string;
  /** Lower-case hex by path. */
  readonly digests: ReadonlyMap<string, string>;
}

/** `restOf` reads what else it has. Null when there is none: then the files are the truth, as they were. Throws LakeDamaged. */
export function readOldManifest<Rest>(
  path: string,
  // biome-ignore lint/suspicious/noExplicitAny: JSON of another release; what does not fit throws.
  restOf: (read: any) => Rest,
): (OldManifest & Rest) | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  try {
    const read = JSON.parse(text);
    return {
      sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
      mode: read.mode,
      digests: new Map(read.files.map((file: { path: string; sha256: string }) => [file.path, file.sha256])),
      ...restOf(read),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new LakeDamaged(
      path,
      `cannot be understood (${reason}). Restore it from a backup, or delete it: then the files are taken as they are`,
    );
  }
}
