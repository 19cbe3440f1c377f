/** Reads a file while it grows: each pull takes what is there and waits for more, until the writer is done. */

import { closeSync, open as openFile, read as readFile } from "node:fs";
import { promisify } from "node:util";

/** A file that is being written, at its end only. */
export interface Growing {
  readonly path: string;
  /** The known first bytes of the file, sent before the file exists. */
  readonly opening: Uint8Array;
  readonly state: "growing" | "complete" | "failed";
  /** Resolves when the file is complete, and rejects with the writer's fault. */
  readonly ended: Promise<void>;
}

/** The size of one read: the most that an idle reader holds. */
const PIECE_BYTES = 32 * 1024;
const POLL_MILLISECONDS = 2;

/** `left` is called once: when everything was read, when it failed, or when the reader went away. */
export function tail(growing: Growing, left: () => void, signal: AbortSignal): ReadableStream<Uint8Array> {
  const { source, leave } = readerOf(growing, left, signal);
  // Nothing is read before the reader requests it.
  const stream = new ReadableStream(source, { highWaterMark: 0 });
  dropped.register(stream, leave);
  return stream;
}

/** Streams that were neither read to their end nor cancelled. The registered function must not reference the stream itself. */
const dropped = new FinalizationRegistry<() => void>((leave) => leave());

function readerOf(growing: Growing, left: () => void, signal: AbortSignal) {
  /** A plain descriptor: a stream that is dropped without a cancel must not end the process. */
  let file: number | null = null;
  let offset = 0;
  let reading = false;
  let gone = false;
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const leave = () => {
    if (gone) return;
    gone = true;
    signal.removeEventListener("abort", leave);
    left();
    // A descriptor must not be closed while it is read from.
    if (!reading) close();
  };
  signal.addEventListener("abort", leave, { once: true });
  const readOn = async (): Promise<Uint8Array<ArrayBuffer> | null> => {
    reading = true;
    try {
      file ??= await openIfThere(growing.path);
      return file === null ? null : await readFrom(file, offset);
    } finally {
      reading = false;
      if (gone) close();
    }
  };

  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      if (growing.opening.length > 0) controller.enqueue(growing.opening.slice());
    },
    async pull(controller) {
      try {
        while (!gone) {
          // Taken before reading: when the file is complete now, the read sees all of it.
          const { state } = growing;
          if (state === "failed") await growing.ended;
          const bytes = await readOn();
          if (gone) break;
          if (bytes !== null) {
            const news = afterOpening(bytes, offset, growing.opening);
            offset += bytes.length;
            if (news.length === 0) continue;
            controller.enqueue(news);
            return;
          }
          if (state === "complete") {
            if (file === null || offset < growing.opening.length) {
              throw new Error("the file ended before it was whole");
            }
            controller.close();
            leave();
            return;
          }
          await Promise.race([growing.ended.catch(() => {}), Bun.sleep(POLL_MILLISECONDS)]);
        }
        // An error, not an end: a reader that still reads must not take a part of the file for the whole.
        throw new DOMException("the reader has left", "AbortError");
      } catch (fault) {
        leave();
        throw fault;
      }
    },
    cancel: leave,
  };
  return { source, leave };
}

const open = promisify(openFile);
const read = promisify(readFile);

async function openIfThere(path: string): Promise<number | null> {
  try {
    return await open(path, "r");
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fault;
  }
}

/** Reads bytes from `offset` on; null when there are none yet. */
async function readFrom(file: number, offset: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const buffer = new Uint8Array(PIECE_BYTES);
  const { bytesRead } = await read(file, buffer, 0, PIECE_BYTES, offset);
  return bytesRead === 0 ? null : buffer.subarray(0, bytesRead);
}

/** Returns the part of a read after the opening, which was sent already. Throws when the file begins differently. */
function afterOpening(
  bytes: Uint8Array<ArrayBuffer>,
  offset: number,
  opening: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const checked = Math.max(0, Math.min(opening.length - offset, bytes.length));
  for (let at = 0; at < checked; at++) {
    if (bytes[at] !== opening[offset + at]) throw new Error("the file does not begin as announced");
  }
  return bytes.subarray(checked);
}
