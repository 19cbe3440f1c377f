/** Asks GET and HEAD of a URL over a socket, and holds one against the other. */

import { expect } from "bun:test";

export type Given = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body as they came; null for an answer without an end. */
  readonly length: number | null;
}

/** Headers of the connection and of the moment; and what an export says of itself to those who ask before they fetch it. */
const ITS_OWN = ["date", "connection", "keep-alive", "transfer-encoding", "content-length"];
const OF_AN_ESTIMATE = ["x-export-rows", "x-export-bytes", "x-quota-cost"];

/** Headers that may be missing from an answer that is still being made, and are there once its file is finished. */
const OF_A_FILE = ["accept-ranges", "repr-digest"];

/** GET first, so that what is made once is there for both. Range is defined for GET alone: there HEAD is as GET without it. */
export async function assertSameHead(
  url: string,
  given: Given,
  { moves = false, unlike = [] }: { moves?: boolean; unlike?: readonly string[] } = {},
): Promise<void> {
  const { range: _, ...whole } = given;
  const get = await answerOf("GET", url, whole);
  const head = await answerOf("HEAD", url, given);
  const told = `${url} ${JSON.stringify(given)}`;
  expect(head.length, told).toBe(0);
  expect([told, head.status]).toEqual([told, get.status]);
  const isFile = get.headers["content-disposition"] !== undefined;
  const skipped = new Set([...ITS_OWN, ...unlike, ...(isFile ? [...OF_AN_ESTIMATE, ...OF_A_FILE] : [])]);
  const kept = ({ headers }: Answer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !skipped.has(name)));
  expect({ told, ...kept(head) }).toEqual({ told, ...kept(get) });
  const announced = head.headers["content-length"];
  if (announced === undefined) return;
  if (moves) expect(Number(announced)).toBeGreaterThan(0);
  else expect([told, get.length]).toEqual([told, Number(announced)]);
}

/** One request on a connection of its own, which stays open unless it asks for the end. */
async function answerOf(method: string, url: string, given: Given): Promise<Answer> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const lines = Object.entries({ host, "x-request-id": "a-test", ...given }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  let text = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (own) =>
        void own.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
      data: (_, bytes) => {
        text += bytes.toString("latin1");
        const answer = read(method, text);
        if (answer !== null) resolve(answer);
      },
      close: () =>
        reject(new Error(`${method} ${url}: the connection ended in the middle of ${JSON.stringify(text)}`)),
      error: (_, fault) => reject(fault),
    },
  });
  try {
    return await promise;
  } finally {
    socket.terminate();
  }
}

/** The answer as soon as it is there as a whole; of a stream as soon as its headers are. */
function read(method: string, text: string): Answer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(first.split(" ")[1]);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(":")).toLowerCase();
    const value = line.slice(name.length + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`;
  }
  const body = text.slice(end + 4);
  const answer = { status, headers };
  if (method === "HEAD" || status === 204 || status === 304) return { ...answer, length: body.length };
  if (headers["content-type"]?.startsWith("text/event-stream")) return { ...answer, length: null };
  if (headers["transfer-encoding"] === "chunked") {
    const length = unchunked(body);
    return length === null ? null : { ...answer, length };
  }
  const length = Number(headers["content-length"]);
  return body.length < length ? null : { ...answer, length: body.length };
}

/** Bytes in the chunks of a body, null while the last one is not there. */
function unchunked(body: string): number | null {
  let length = 0;
  for (let at = 0; ; ) {
    const end = body.indexOf("\r\n", at);
    if (end < 0) return null;
    const size = Number.parseInt(body.slice(at, end), 16);
    if (size === 0) return length;
    length += size;
    at = end + 2 + size + 2;
    if (at > body.length) return null;
  }
}
