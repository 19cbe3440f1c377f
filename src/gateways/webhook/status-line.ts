/** A status out of the first bytes of an answer, and nothing else of it. Part of post.ts. */

export type StatusReading = number | "more" | "broken";

/** Characters in which a status must have come: status lines can be long and interim answers many, both without end. */
const MOST_ANSWER = 16_384;
const START = "HTTP/1.";
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [^\r\n]*)?\r?\n/;
const END_OF_HEAD = /\r?\n\r?\n/;

/**
 * `answer` is all that came so far, a byte as a character. The final status; "more" while it may still come; "broken"
 * for what is not HTTP/1, or too long. Interim answers (1xx) are passed over, but for 101, after which nothing follows.
 */
export function readStatus(answer: string): StatusReading {
  return within(answer, finalStatus(answer));
}

/** As readStatus, for an answer whose head is followed by something else: a success counts once its head has ended. */
export function readWholeHead(answer: string): StatusReading {
  const status = readStatus(answer);
  if (typeof status !== "number" || status < 200 || status > 299) return status;
  const end = END_OF_HEAD.exec(answer);
  if (end === null) return within(answer, "more");
  // Nobody speaks in a tunnel before we do.
  return end.index + end[0].length === answer.length ? status : "broken";
}

function within(answer: string, reading: StatusReading): StatusReading {
  return reading === "more" && answer.length > MOST_ANSWER ? "broken" : reading;
}

function finalStatus(answer: string): StatusReading {
  for (let rest = answer; ; ) {
    if (!rest.startsWith(START) && !START.startsWith(rest)) return "broken";
    if (!rest.includes("\n")) return "more";
    const line = STATUS_LINE.exec(rest);
    if (line === null) return "broken";
    const status = Number(line[1]);
    if (status >= 200 || status === 101) return status;
    const end = END_OF_HEAD.exec(rest);
    if (end === null) return "more";
    rest = rest.slice(end.index + end[0].length);
  }
}
