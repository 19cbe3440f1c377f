/** Assembles ASCII bytes: printed digits are copied without making a string of each. */

/** `room`: bytes that it holds before it grows. */
export function newAsciiWriter(room = 64 * 1024) {
  let buffer = Buffer.allocUnsafeSlow(room);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.byteLength * 2, length + more));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    /** Bytes written since the last `take`. */
    get length() {
      return length;
    },
    text(ascii: string): void {
      reserve(ascii.length);
      length += buffer.write(ascii, length, "latin1");
    },
    /** The whole source by default. */
    bytes(source: Uint8Array, from = 0, to = source.byteLength): void {
      reserve(to - from);
      // Most pieces are a few bytes, for which a loop is quicker than a view and its copy.
      const target = buffer;
      let at = length;
      for (let index = from; index < to; index++) target[at++] = source[index] as number;
      length = at;
    },
    /** A copy of what was written; the writer is empty then. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = new Uint8Array(length);
      taken.set(buffer.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}
