/** A download on disk: written to a temporary file, and renamed when it is complete. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Where downloaded bytes go. */
export interface Sink {
  /** Bytes that are there. */
  readonly size: number;
  /** The ETag of these bytes, from an earlier run too; null where it is not known. */
  readonly etag: string | null;
  /** Before the first bytes of a version. Resolves with false where what is there cannot be taken back. */
  restart(etag: string | null): Promise<boolean>;
  /** Resolves with false once the reader is gone. */
  append(bytes: Uint8Array): Promise<boolean>;
  /** SHA-256 of all bytes, base64; null where they are no longer there. */
  digest(): Promise<string | null>;
  /** All bytes are there: makes them durable, under the final name. */
  finish(): Promise<void>;
  /** Without `finish` before it: what is there stays, for the next run. */
  close(): Promise<void>;
}

interface Origin {
  readonly url: string;
  readonly etag: string;
}

/** `FILE.part` holds the bytes and `FILE.part.json` what they are of, so that a later run of the same command continues. */
export async function partFile(path: string, url: string): Promise<Sink> {
  const [part, facts] = [`${path}.part`, `${path}.part.json`];
  const origin = await originIn(facts);
  let etag = origin?.url === url ? origin.etag : null;
  // Bytes of an unknown version are of no use.
  const handle = await open(part, etag === null ? "w+" : "a+", 0o666);
  let size = (await handle.stat()).size;
  let isOpen = true;
  return {
    get size() {
      return size;
    },
    get etag() {
      return size > 0 ? etag : null;
    },
    async restart(newEtag) {
      await handle.truncate(0);
      size = 0;
      etag = newEtag;
      if (newEtag === null) await rm(facts, { force: true });
      else await writeFile(facts, JSON.stringify({ url, etag: newEtag } satisfies Origin));
      return true;
    },
    async append(bytes) {
      for (let at = 0; at < bytes.length; )
        at += (await handle.write(bytes, at, null, size + at)).bytesWritten;
      size += bytes.length;
      return true;
    },
    async digest() {
      const hash = createHash("sha256");
      for await (const bytes of createReadStream(part)) hash.update(bytes as Buffer);
      return hash.digest("base64");
    },
    async finish() {
      await handle.sync();
      await handle.close();
      isOpen = false;
      await rename(part, path);
      await rm(facts, { force: true });
      await syncFolder(dirname(path));
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await closeOr(handle, size === 0 || etag === null ? [part, facts] : []);
    },
  };
}

/** Bytes that go on at once, to standard output: what is written cannot be taken back. */
export function passingSink(write: (bytes: Uint8Array) => Promise<boolean>): Sink {
  let size = 0;
  let etag: string | null = null;
  return {
    get size() {
      return size;
    },
    get etag() {
      return etag;
    },
    async restart(newEtag) {
      etag = newEtag;
      return size === 0;
    },
    async append(bytes) {
      size += bytes.length;
      return await write(bytes);
    },
    digest: async () => null,
    finish: async () => {},
    close: async () => {},
  };
}

async function originIn(path: string): Promise<Origin | null> {
  try {
    const { url, etag } = JSON.parse(await readFile(path, "utf8")) as Partial<Origin>;
    return typeof url === "string" && typeof etag === "string" ? { url, etag } : null;
  } catch {
    // Absent, or cut short: the download begins anew.
    return null;
  }
}

async function closeOr(handle: FileHandle, remove: readonly string[]): Promise<void> {
  await handle.close();
  for (const path of remove) await rm(path, { force: true });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
