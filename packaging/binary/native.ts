/**
 * Stands for `@duckdb/node-bindings` inside a single binary: the addon and its library are embedded, compressed, and are
 * unpacked into a folder of the user before they are loaded, because the system loads libraries only from files.
 */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** Folder inside the binary. */
export const EMBEDDED = "native";
export const LIST = "files.json";

export interface NativeFile {
  readonly name: string;
  /** SHA-256 of the unpacked file, in hexadecimal digits. */
  readonly sha256: string;
}

/** The addon's exports. Throws when no folder of this user takes the files. */
export function loadNative(): object {
  const embedded = join(import.meta.dir, EMBEDDED);
  const files = JSON.parse(readFileSync(join(embedded, LIST), "utf8")) as readonly NativeFile[];
  const read = (name: string) => Bun.zstdDecompressSync(readFileSync(join(embedded, `${name}.zst`)));
  const folder = unpacked(files, read, cacheFolders(process.platform, process.env));
  const module = { exports: {} };
  process.dlopen(module, join(folder, "duckdb.node"));
  return module.exports;
}

/** Where files may be unpacked, in order: the user's cache, else a folder of this user below the temporary one. */
export function cacheFolders(
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const home = environment["HOME"] || homedir();
  const ofSystem = platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
  const cache = environment["XDG_CACHE_HOME"] || ofSystem;
  return [join(cache, "crossrate"), join(tmpdir(), `crossrate-${process.getuid?.() ?? "cache"}`)];
}

/**
 * Path of a folder that holds the files, each with its digest. A file that is there and right is left alone; any other one
 * is replaced in one step, so that processes may start at the same time.
 */
export function unpacked(
  files: readonly NativeFile[],
  read: (name: string) => Uint8Array,
  folders: readonly string[],
): string {
  const digest = new Bun.CryptoHasher("sha256")
    .update(files.map(({ sha256 }) => sha256).join())
    .digest("hex");
  const faults: string[] = [];
  for (const folder of folders) {
    const place = join(folder, `native-${digest.slice(0, 16)}`);
    try {
      for (const path of [folder, place]) claim(path);
      for (const { name, sha256 } of files) {
        const path = join(place, name);
        if (digestOf(path) !== sha256) replace(path, read(name));
        if (digestOf(path) !== sha256) throw new Error(`${path} was changed while it was written`);
      }
      return place;
    } catch (fault) {
      faults.push(fault instanceof Error ? fault.message : String(fault));
    }
  }
  throw new Error(
    `DuckDB's library cannot be unpacked: ${faults.join("; ")}; set XDG_CACHE_HOME to a folder that this user may write to, with 100 MB of room`,
  );
}

/** Makes the folder. Throws when it is there and another user owns it or may write to it: libraries are code. */
function claim(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(path);
  const isOwn = process.getuid === undefined || uid === process.getuid();
  if (!isOwn) throw new Error(`${path} belongs to another user`);
  if ((mode & 0o022) !== 0) chmodSync(path, 0o700);
}

/** null where there is no file, or nothing in it. Mapped, not read: the library would be 70 MB of heap at every start. */
function digestOf(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  return new Bun.CryptoHasher("sha256").update(Bun.mmap(path, { shared: false })).digest("hex");
}

function replace(path: string, bytes: Uint8Array): void {
  const fresh = `${path}.${process.pid}`;
  try {
    // Not flushed, which takes longer than the rest: what a power cut leaves has another digest, and is replaced.
    writeFileSync(fresh, bytes, { mode: 0o600 });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}
