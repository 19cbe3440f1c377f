/** A status out of the first bytes of an answer, and nothing else of it: every byte is looked at once. Part of post.ts. */

export type StatusReading = number | "more" | "broken";

/** Takes the next bytes. After a status, or "broken", it is not to be called again. */
export type StatusReader = (bytes: Uint8Array) => StatusReading;

/** Bytes in which a status must have come: a status line can be long without end. */
const MOST_BYTES = 16_384;
/** Interim answers (1xx) before the final one. Two are known in practice: 100 and 103. */
const MOST_INTERIM = 16;
const START = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [^\r\n]*)?\r?$/;
const RETURN = 13;
const FEED = 10;

/**
 * The final status; "more" while it may still come; "broken" for what is not HTTP/1, is longer than 16 KB, or has more than
 * 16 interim answers. These are passed over, but for 101, after which nothing follows.
 *
 * `wholeHead`: for an answer whose head is followed by something else. A success counts once its head has ended, and only
 * if nothing follows yet.
 */
export function statusReader({ wholeHead = false } = {}): StatusReader {
  let seen = 0;
  let interim = 0;
  /** The status line so far; null within the header lines that follow it. */
  let statusLine: string | null = "";
  /** Of the head that is being passed over. */
  let status = 0;
  /** Nothing but a carriage return has come of the present header line. */
  let isBlank = true;

  /** The end of a status line. "more" where its head is to be passed over. */
  const statusLineEnded = (line: string): StatusReading => {
    status = Number(STATUS_LINE.exec(line)?.[1] ?? 0);
    if (status === 0) return "broken";
    const isInterim = status < 200 && status !== 101;
    if (isInterim) interim += 1;
    if (interim > MOST_INTERIM) return "broken";
    if (!isInterim && !(wholeHead && status >= 200 && status <= 299)) return status;
    statusLine = null;
    isBlank = true;
    return "more";
  };
  const take = (byte: number): StatusReading => {
    if (statusLine !== null) {
      if (byte === FEED) return statusLineEnded(statusLine);
      if (statusLine.length < START.length && byte !== START.charCodeAt(statusLine.length)) return "broken";
      statusLine += String.fromCharCode(byte);
    } else if (byte === FEED) {
      if (isBlank && status >= 200) return status;
      if (isBlank) statusLine = "";
      isBlank = true;
    } else if (byte !== RETURN) {
      isBlank = false;
    }
    return "more";
  };

  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const reading = seen < MOST_BYTES ? take(bytes[at] as number) : "broken";
      seen += 1;
      if (reading === "more") continue;
      // Nobody speaks in a tunnel before we do.
      const isFollowed = wholeHead && statusLine === null && at < bytes.length - 1;
      return isFollowed ? "broken" : reading;
    }
    return "more";
  };
}
