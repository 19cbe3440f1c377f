/** Assembles ASCII bytes: printed digits are copied without making a string of each. */

export interface AsciiWriter {
  /** Bytes written since the last `take`. */
  readonly length: number;
  text(ascii: string): void;
  /** The whole source by default. */
  bytes(source: Uint8Array, from?: number, to?: number): void;
  /** A copy of what was written; the writer is empty then. */
  take(): Uint8Array<ArrayBuffer>;
}

/** `room`: bytes that it holds before it grows. */
export function newAsciiWriter(room = 64 * 1024): AsciiWriter {
  let buffer = Buffer.allocUnsafeSlow(room);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    get length() {
      return length;
    },
    text(ascii) {
      reserve(ascii.length);
      length += buffer.write(ascii, length, "latin1");
    },
    bytes(source, from = 0, to = source.byteLength) {
      reserve(to - from);
      // Most pieces are a few bytes, for which a loop is quicker than a view and its copy.
      const target = buffer;
      let at = length;
      for (let index = from; index < to; index++) target[at++] = source[index] as number;
      length = at;
    },
    take() {
      const taken = new Uint8Array(length);
      taken.set(buffer.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}
