/** The lake's files as bytes, for readers far away: only what the manifest names, and always one intact version of a file. */

import { createHash } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#domain/errors.ts";
import type { LakeFile, LakeFiles } from "#ports.ts";
import { MANIFEST_FILE } from "./layout.ts";
import { readManifest } from "./manifest.ts";

/** The lake under `directory`, which must have been opened once. Reads without a lock, as any other reader does. */
export function openLakeFiles(directory: string): LakeFiles {
  /** Digests by path: files are replaced, never edited, so what identifies a file on disk identifies its content. */
  const digests = new Map<string, { readonly identity: string; readonly sha256: string }>();

  const digestOf = async (path: string, handle: FileHandle, identity: string, size: number) => {
    const known = digests.get(path);
    if (known?.identity === identity) return known.sha256;
    const sha256 = sha256Of(await readFrom(handle, 0, size));
    digests.set(path, { identity, sha256 });
    return sha256;
  };

  return {
    manifest: async () => {
      const text = await readFile(join(directory, MANIFEST_FILE), "utf8").catch(() => unreadable());
      return { text, sha256: sha256Of(text) };
    },
    open: async (path) => {
      const manifest = readManifest(directory) ?? unreadable();
      if (!manifest.files.some((file) => file.path === path)) return null;
      const handle = await open(join(directory, path), "r").catch(absent);
      if (handle === null) return null;
      try {
        const { dev, ino, size, ctimeNs } = await handle.stat({ bigint: true });
        const bytes = Number(size);
        // The manifest follows the files: while a commit runs, its digest may be of the version before this one.
        const sha256 = await digestOf(path, handle, `${dev} ${ino} ${size} ${ctimeNs}`, bytes);
        return lakeFile(handle, bytes, sha256);
      } catch (fault) {
        await handle.close();
        throw fault;
      }
    },
  };
}

/** An open handle keeps its version, whatever takes the file's place meanwhile. */
function lakeFile(handle: FileHandle, bytes: number, sha256: string): LakeFile {
  return {
    bytes,
    sha256,
    read: (start, end) => readFrom(handle, start, end),
    close: () => handle.close(),
  };
}

async function readFrom(handle: FileHandle, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(end - start);
  for (let at = 0; at < part.length; ) {
    const { bytesRead } = await handle.read(part, at, part.length - at, start + at);
    if (bytesRead === 0)
      throw new Error("a file of the lake is shorter than it was: something else edits it");
    at += bytesRead;
  }
  return part;
}

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function unreadable(): never {
  throw new Failure("service_unavailable", { reason: "the lake's manifest cannot be read right now" });
}

function absent(fault: NodeJS.ErrnoException): null {
  if (fault.code === "ENOENT") return null;
  throw fault;
}
