/** The lake's files as bytes, for readers far away: only what a manifest names, and always one intact version of a file. */

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#domain/errors.ts";
import type { LakeFile, LakeFiles } from "#ports/lake-files.ts";
import { INTRADAY_FOLDER, INTRADAY_MANIFEST, identityAt } from "#store/archive/layout.ts";
import { MANIFEST_FILE, SERVED_FOLDER } from "./layout.ts";
import { openServedVersions } from "./served.ts";

/** What is larger gets a name of its own, under which a server can send it without reading it into memory. */
const LARGE_BYTES = 256 * 1024;
/** Digests are taken a piece at a time, so that a large file keeps nobody waiting. */
const PIECE_BYTES = 512 * 1024;

/** The lake under `directory`, which must have been opened once. Reads without a lock, as any other reader does. */
export function openLakeFiles(directory: string): LakeFiles {
  const versions = openServedVersions(join(directory, SERVED_FOLDER));
  const daily = openListing(join(directory, MANIFEST_FILE));
  const intraday = openListing(join(directory, INTRADAY_MANIFEST));
  /** Digests by path: files are replaced, never edited, so what identifies a file on disk identifies its content. */
  const digests = new Map<string, { readonly identity: string; readonly sha256: Promise<string> }>();

  const digestOf = (path: string, handle: FileHandle, identity: string, bytes: number): Promise<string> => {
    const known = digests.get(path);
    if (known?.identity === identity) return known.sha256;
    const sha256 = sha256Of(handle, bytes);
    digests.set(path, { identity, sha256 });
    // What could not be read now may be readable next time.
    sha256.catch(() => digests.delete(path));
    return sha256;
  };

  return {
    manifest: async (of = "daily") => {
      const path = of === "daily" ? MANIFEST_FILE : INTRADAY_MANIFEST;
      const text = await readFile(join(directory, path), "utf8").catch(() => unreadable());
      return { text, sha256: createHash("sha256").update(text).digest("hex") };
    },
    open: async (path) => {
      const named = path.startsWith(`${INTRADAY_FOLDER}/`) ? intraday : daily;
      if (!named().has(path)) return null;
      const inPlace = join(directory, path);
      try {
        const own = statSync(inPlace).size > LARGE_BYTES ? versions.nameOf(inPlace) : null;
        return await openVersion(own ?? inPlace, own, (...found) => digestOf(path, ...found));
      } catch (fault) {
        if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw fault;
      }
    },
  };
}

/** An open handle keeps its version, whatever takes the file's place meanwhile. */
async function openVersion(
  path: string,
  own: string | null,
  digestOf: (handle: FileHandle, identity: string, bytes: number) => Promise<string>,
): Promise<LakeFile> {
  const handle = await open(path, "r");
  try {
    const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
    const bytes = Number(size);
    // The manifest follows the files: while a commit runs, its digest may be of the version before this one.
    const sha256 = await digestOf(handle, `${dev} ${ino} ${size} ${mtimeNs}`, bytes);
    return {
      bytes,
      sha256,
      ...(own === null ? {} : { path: own }),
      read: (start, end) => readFrom(handle, start, end),
      close: () => handle.close(),
    };
  } catch (fault) {
    await handle.close();
    throw fault;
  }
}

/** The paths that a manifest names; it is read again only when it was replaced. */
function openListing(manifest: string): () => ReadonlySet<string> {
  let known: { readonly identity: string; readonly paths: ReadonlySet<string> } | null = null;
  return () => {
    const identity = identityAt(manifest) ?? unreadable();
    if (known?.identity === identity) return known.paths;
    let files: readonly { readonly path: string }[];
    try {
      ({ files } = JSON.parse(readFileSync(manifest, "utf8")));
    } catch {
      return unreadable();
    }
    known = { identity, paths: new Set(files.map(({ path }) => path)) };
    return known.paths;
  };
}

async function readFrom(handle: FileHandle, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(end - start);
  await fillFrom(handle, start, part);
  return part;
}

async function sha256Of(handle: FileHandle, bytes: number): Promise<string> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(Math.min(PIECE_BYTES, bytes));
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    const piece = buffer.subarray(0, Math.min(PIECE_BYTES, bytes - at));
    await fillFrom(handle, at, piece);
    hash.update(piece);
  }
  return hash.digest("hex");
}

async function fillFrom(handle: FileHandle, start: number, part: Uint8Array): Promise<void> {
  for (let at = 0; at < part.length; ) {
    const { bytesRead } = await handle.read(part, at, part.length - at, start + at);
    if (bytesRead === 0)
      throw new Error("a file of the lake is shorter than it was: something else edits it");
    at += bytesRead;
  }
}

function unreadable(): never {
  throw new Failure("service_unavailable", { reason: "the lake's manifest cannot be read right now" });
}
