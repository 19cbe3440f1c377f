/** Downloads a long body and continues it after a lost connection, by Range and If-Range: two versions are never mixed. */

import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Client, type Query, Unreachable } from "./client.ts";
import { type Clock, UsageFault } from "./command.ts";
import { flushName } from "./server.ts";

interface Download {
  readonly path: string;
  readonly query: Query;
  readonly sink: Sink;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Seconds to wait after successive cuts without a new byte. After the last wait the download fails. */
  readonly waits: readonly number[];
  /** Reports the present bytes and the total; null until the server states it. */
  readonly progress: (bytes: number, total: number | null) => void;
  readonly cut: (bytes: number, waitSeconds: number) => void;
}

export const WAITS_SECONDS = [1, 2, 4, 8, 15];

/**
 * Resolves when all bytes are in the sink, which the caller finishes; `isComplete` is false when their reader left early. Throws
 * Refusal. Throws Unreachable when cuts go on, or when the bytes do not match the server's digest.
 */
export async function download(client: Client, to: Download) {
  const { sink, signal, clock, waits } = to;
  const begun = { etag: null };
  for (let [failures, most] = [0, 0]; ; ) {
    try {
      const { isComplete, headers } = await attempt(client, to, begun);
      if (isComplete) await checkDigest(client, sink, headers);
      return { isComplete, bytes: sink.size, headers };
    } catch (fault) {
      signal.throwIfAborted();
      if (!(fault instanceof Cut)) throw fault;
      failures = sink.size > most ? 0 : failures + 1;
      most = Math.max(most, sink.size);
      const wait = waits[failures];
      if (wait === undefined)
        throw new Unreachable(client.server.url, `the download breaks off: ${fault.message}`, fault);
      to.cut(sink.size, wait);
      await clock.sleep(wait * 1000, signal);
    }
  }
}

class Cut extends Error {}

/** `begun` keeps the ETag of the bytes that are in the sink. */
async function attempt(
  client: Client,
  { path, query, sink, progress }: Download,
  begun: { etag: string | null },
) {
  const { etag } = begun;
  const continued = etag !== null && sink.size > 0;
  // Begins with the last byte that came: if only the end of the answer was lost, a later range would not exist.
  const rest = continued ? { range: `bytes=${sink.size - 1}-`, "if-range": etag } : {};
  // Ranges count plain bytes, not those of a compressed form.
  const headers = { accept: "*/*", "accept-encoding": "identity", ...rest };
  const response = await client.open(path, { query, headers }).catch((fault: unknown) => {
    // After the first bytes an unreachable server counts as a cut, too.
    if (continued && fault instanceof Unreachable) throw new Cut(fault.message, { cause: fault });
    throw fault;
  });
  if (response.status !== 206) {
    if (!(await sink.restart()))
      throw new Unreachable(
        client.server.url,
        "the file was replaced while it was sent; run the command again",
      );
    begun.etag = response.headers.get("etag");
  }
  const range = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
  const stated = range ?? response.headers.get("content-length");
  const total = stated === null ? null : Number(stated);
  let skipped = response.status === 206 ? 1 : 0;
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  try {
    for (;;) {
      const { value } = await reader.read().catch(cutOf);
      if (value === undefined) break;
      const news = value.subarray(skipped);
      skipped -= value.length - news.length;
      if (!(await sink.append(news))) return { isComplete: false, headers: response.headers };
      progress(sink.size, total);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (total !== null && sink.size < total) throw new Cut(`${sink.size} of ${total} bytes came`);
  return { isComplete: true, headers: response.headers };
}

/** The engine adds paragraphs of advice to a fault; the reason is in the first line. */
function cutOf(fault: unknown): never {
  const [reason] = (fault instanceof Error ? fault.message : String(fault)).split("\n");
  throw new Cut(reason, { cause: fault });
}

async function checkDigest({ server }: Client, sink: Sink, headers: Headers): Promise<void> {
  const stated = /sha-256=:([^:]+):/.exec(headers.get("repr-digest") ?? "")?.[1];
  if (stated === undefined) return;
  const digest = await sink.digest();
  if (digest === null || digest === stated) return;
  throw new Unreachable(
    server.url,
    "the bytes that came are not those of the server's digest; run the command again",
  );
}

export interface Sink {
  readonly size: number;
  /** Prepares for the first bytes of a version. Resolves with false when earlier bytes cannot be removed. */
  restart(): Promise<boolean>;
  /** Resolves with false when the reader has left. */
  append(bytes: Uint8Array): Promise<boolean>;
  /** Returns the SHA-256 of all bytes in base64; null when they are no longer here. */
  digest(): Promise<string | null>;
  /** Makes the complete bytes durable, under the final name. */
  finish(): Promise<void>;
  /** Without `finish` the bytes are removed. */
  close(): Promise<void>;
}

/**
 * Bytes come into a hidden file of this process alone: two processes may write the same target. At `finish` it takes the place of an
 * existing file. Throws UsageFault when the path is not a file.
 */
export async function fileSink(path: string): Promise<Sink> {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile())
    throw new UsageFault(
      `${path}: a file is needed, and this is not one; leave --out out for standard output`,
    );
  // The target of a link is replaced, not the link.
  const target = existing === undefined ? resolve(path) : await realpath(path);
  const own = join(dirname(target), `.${basename(target)}-${crypto.randomUUID()}.tmp`);
  const handle = await named(path, open(own, "w+", 0o666));
  let size = 0;
  let isOpen = true;
  const write = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, null, size + at)).bytesWritten;
    size += bytes.length;
    return true;
  };
  const settle = async () => {
    await handle.sync();
    await handle.close();
    isOpen = false;
    await rename(own, target);
    await flushName(target);
  };
  return {
    get size() {
      return size;
    },
    async restart() {
      await handle.truncate(0);
      size = 0;
      return true;
    },
    append: (bytes) => named(path, write(bytes)),
    async digest() {
      const hash = createHash("sha256");
      for await (const bytes of createReadStream(own)) hash.update(bytes as Buffer);
      return hash.digest("base64");
    },
    finish: () => named(path, settle()),
    async close() {
      if (isOpen) await handle.close();
      await rm(own, { force: true });
    },
  };
}

/** Rejects with the system's reason and the file name that the person gave. */
async function named<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    throw new Error(`${path} cannot be written: ${why.replace(/, \w+( '.*)?$/, "")}`, { cause: fault });
  }
}

/** Passes bytes to standard output: they cannot be removed again. */
export function passingSink(write: (bytes: Uint8Array) => Promise<boolean>): Sink {
  let size = 0;
  return {
    get size() {
      return size;
    },
    restart: async () => size === 0,
    async append(bytes) {
      size += bytes.length;
      return await write(bytes);
    },
    digest: async () => null,
    finish: async () => {},
    close: async () => {},
  };
}
