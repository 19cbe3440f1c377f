/** The destination of an export: a file that is complete or absent, or standard output. */

import { statSync } from "node:fs";
import { type FileHandle, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Writable } from "node:stream";
import { UsageFault } from "#cli/command.ts";

export interface Destination {
  /** Resolves when the bytes are taken; with false once the reader is gone. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** All bytes were written: makes them durable, under the final name. */
  finish(): Promise<void>;
  /** Leaves nothing behind; harmless after `finish`. */
  discard(): Promise<void>;
}

/**
 * A temporary file beside `path` that takes its place when it is finished; until then an existing file stays as it is.
 * Throws UsageFault where something other than a file has that name.
 */
export async function fileDestination(path: string): Promise<Destination> {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile()) {
    throw new UsageFault(
      `--out ${path}: a file is needed, and this is none; leave --out out for standard output`,
    );
  }
  // The file that a link points at is replaced, not the link.
  const target = existing === undefined ? resolve(path) : await realpath(path);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}-${process.pid}.tmp`);
  const handle = await named(path, open(temporary, "w"));
  const writeAll = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
    return true;
  };
  const settle = async () => {
    await handle.sync();
    await handle.close();
    await rename(temporary, target);
    await syncFolder(folder);
  };
  return {
    write: (bytes) => named(path, writeAll(bytes)),
    finish: () => named(path, settle()),
    async discard() {
      await closeQuietly(handle);
      await rm(temporary, { force: true });
    },
  };
}

/** A stream that its reader may close early, as `head` does. */
export function streamDestination(stream: Writable): Destination {
  // The write to a closed pipe fails by itself; without a listener the event would end the process.
  const ignored = () => {};
  stream.on("error", ignored);
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (fault) => {
          if (fault === null || fault === undefined) resolve(true);
          else if ((fault as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
          else reject(fault);
        });
      }),
    finish: async () => {},
    discard: async () => {},
  };
}

/** The reason of the system, with the name that the person knows instead of the temporary one. */
async function named<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    throw new Error(`${path} cannot be written: ${why.replace(/, \w+( '.*)?$/, "")}`, { cause: fault });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function closeQuietly(handle: FileHandle): Promise<void> {
  try {
    await handle.close();
  } catch {
    // Closed already.
  }
}
