/** What hostile clients do, one kind each: a client opens a connection for a request and is called again for each step. */

import { systemRandom } from "#assembly/process.ts";
import { newApiKey } from "#domain/account/key.ts";
import { CODINGS, headWithBody, longPath, openHead, requestBytes, type Sending } from "./request.ts";
import { openSocket, type RawSocket } from "./sockets.ts";

export interface Place {
  readonly host: string;
  readonly port: number;
  /** Address that the client comes from. */
  readonly from: string;
  /** Called with the status of an answer, where the kind reads so far. */
  readonly answered: (status: number) => void;
}

/** Does what there is to do now (milliseconds); "ended" when the connection is over, so that another one takes its place. */
export type Step = (now: number) => "open" | "ended";

export interface Client {
  readonly socket: RawSocket;
  readonly step: Step;
}

export interface Kind {
  readonly meaning: string;
  /** At most so many at once, where more would only be more of the same work. */
  readonly most?: number;
  readonly open: (place: Place, sending: Sending) => Client;
}

const KB = 1024;
const MB = KB * KB;
const SECOND = 1000;
/** Where what was received goes: no client looks at it, but for the first line. */
const SINK = new Uint8Array(MB);
const ONE_BYTE = new Uint8Array(1);
const FILLING = new TextEncoder().encode("x".repeat(64 * KB));
const CHUNK = new TextEncoder().encode(`10000\r\n${"x".repeat(64 * KB)}\r\n`);
const HEADER_START = new TextEncoder().encode("X-Slow: ");
const PIPELINED = 1000;

export const KINDS: Readonly<Record<string, Kind>> = {
  idle: {
    meaning: "connects and sends nothing",
    open: (place) => client(place, true, (socket) => () => ended(socket)),
  },
  unread: {
    meaning: "asks and never reads",
    open: (place, sending) =>
      client(place, true, (socket) => after(sent(socket, requestBytes(sending)), () => over(socket))),
  },
  slow: {
    meaning: "asks and reads one byte a second",
    open: (place, sending) =>
      client(place, true, (socket) =>
        after(
          sent(socket, requestBytes(sending)),
          every(SECOND, () => state(socket.receive(ONE_BYTE))),
        ),
      ),
  },
  pipelined: {
    meaning: `${PIPELINED} requests on one connection, of which no answer is read`,
    // 64,000 requests: more would only measure how many a second are answered.
    most: 64,
    open: (place, sending) =>
      client(place, true, (socket) =>
        after(
          sent(
            socket,
            shared(sending, () => repeated(requestBytes(sending), PIPELINED)),
          ),
          () => over(socket),
        ),
      ),
  },
  "half headers": {
    meaning: "a byte of a header a second, never the end of them",
    open: (place, sending) =>
      client(place, false, (socket) =>
        after(
          sent(socket, joined(openHead(sending), HEADER_START)),
          every(SECOND, () => state(socket.send(FILLING.subarray(0, 1)))),
        ),
      ),
  },
  "half body": {
    meaning: "announces a body of 1,000 bytes and sends none of it",
    open: (place, sending) =>
      client(place, false, (socket) =>
        after(sent(socket, headWithBody(sending, "Content-Length: 1000")), () => ended(socket)),
      ),
  },
  "body by the byte": {
    meaning: "a byte of a body of 1,000 bytes every 50 ms",
    open: (place, sending) =>
      client(place, false, (socket) =>
        after(
          sent(socket, headWithBody(sending, "Content-Length: 1000")),
          every(50, () => state(socket.send(FILLING.subarray(0, 1)))),
        ),
      ),
  },
  "large headers": {
    meaning: "a cookie of 64 KB",
    open: (place, sending) =>
      whole(
        place,
        shared(sending, () => requestBytes(sending, [`Cookie: a=${"x".repeat(64 * KB)}`])),
      ),
  },
  "many headers": {
    meaning: "2,000 headers",
    open: (place, sending) =>
      whole(
        place,
        shared(sending, () => requestBytes(sending, manyHeaders())),
      ),
  },
  "long URL": {
    meaning: "a query of 12 KB",
    open: (place, sending) =>
      whole(
        place,
        shared(sending, () => requestBytes(longPath(sending, 12 * KB))),
      ),
  },
  "large body": {
    meaning: "a body of 10 MB",
    open: (place, sending) =>
      flood(place, headWithBody(sending, `Content-Length: ${10 * MB}`), FILLING, 10 * MB),
  },
  "announced body": {
    meaning: "announces a body of 100 MB and sends as much of it as is taken",
    open: (place, sending) =>
      flood(place, headWithBody(sending, `Content-Length: ${100 * MB}`), FILLING, 100 * MB),
  },
  "endless chunks": {
    meaning: "a chunked body without end",
    open: (place, sending) =>
      flood(place, headWithBody(sending, "Transfer-Encoding: chunked"), CHUNK, Number.POSITIVE_INFINITY),
  },
  aborted: {
    meaning: "asks, and resets the connection after the first byte of the answer; then again",
    most: 64,
    open: (place, sending) =>
      client(place, true, (socket) =>
        after(sent(socket, requestBytes(sending)), () => {
          const count = socket.receive(ONE_BYTE);
          if (count === 0) return "open";
          socket.close(true);
          return "ended";
        }),
      ),
  },
  fast: {
    meaning: "16 at once that read as quickly as they can; then again",
    most: 16,
    open: (place, sending) => whole(place, requestBytes(sending, ["Connection: close"])),
  },
  strangers: {
    meaning:
      "a request for the latest rates from an ever new address behind a proxy, every other with a guessed key; then again",
    most: 64,
    // From the address of the proxy that the server trusts.
    open: (place, sending) => whole({ ...place, from: "127.0.0.1" }, strangerBytes(sending)),
  },
};

function strangerBytes(sending: Sending): Uint8Array {
  const target = { name: "GET /v1/latest", method: "GET", path: "/v1/latest" };
  const [second, third] = [0, 0].map(() => Math.floor(Math.random() * 65536).toString(16));
  const key = Math.random() < 0.5 ? null : newApiKey(systemRandom);
  const lines = [`X-Forwarded-For: 2001:db8:${second}:${third}::1`, "Connection: close"];
  return requestBytes({ ...sending, target, key }, lines);
}

/** The coding of the nth client: those of all codings take turns. */
export function codingOf(nth: number): string {
  return CODINGS[nth % CODINGS.length] ?? "identity";
}

function client(place: Place, smallBuffer: boolean, stepOf: (socket: RawSocket) => Step): Client {
  const plain = openSocket(place.host, place.port, { from: place.from, smallBuffer });
  let isAnswered = false;
  const socket: RawSocket = {
    ...plain,
    receive(into) {
      const count = plain.receive(into);
      if (isAnswered || typeof count !== "number" || count === 0) return count;
      isAnswered = true;
      const status = STATUS.exec(decoder.decode(into.subarray(0, Math.min(count, 16))))?.[1];
      if (status !== undefined) place.answered(Number(status));
      return count;
    },
  };
  return { socket, step: stepOf(socket) };
}

const decoder = new TextDecoder();
const STATUS = /^HTTP\/1\.1 (\d{3}) /;

function manyHeaders(): readonly string[] {
  return Array.from({ length: 2000 }, (_, nth) => `X-${nth}: ${nth}`);
}

const made = new WeakMap<Sending, Uint8Array>();

/** Large requests are made once for all clients that send the same; a process has one kind of clients. */
function shared(sending: Sending, make: () => Uint8Array): Uint8Array {
  const bytes = made.get(sending) ?? make();
  made.set(sending, bytes);
  return bytes;
}

/** Sends all of it, then reads all there is to read. */
function whole(place: Place, bytes: Uint8Array): Client {
  return client(place, false, (socket) => after(sent(socket, bytes), () => ended(socket)));
}

/** Sends a head, and a body made of the same piece again and again, reading what the server says meanwhile. */
function flood(place: Place, head: Uint8Array, piece: Uint8Array, most: number): Client {
  return client(place, false, (socket) => {
    let body = 0;
    let [bytes, offset] = [piece, 0];
    return after(sent(socket, head), () => {
      if (body < most) {
        const count = socket.send(bytes, offset);
        if (count === "ended") return "ended";
        [body, offset] = [body + count, offset + count];
        if (offset === bytes.byteLength) [bytes, offset] = [piece, 0];
      }
      return ended(socket);
    });
  });
}

/** Sends what is left of the bytes; "sent" when nothing is. */
function sent(socket: RawSocket, bytes: Uint8Array): () => "open" | "ended" | "sent" {
  let offset = 0;
  return () => {
    const count = socket.send(bytes, offset);
    if (count === "ended") return "ended";
    offset += count;
    return offset === bytes.byteLength ? "sent" : "open";
  };
}

function after(first: () => "open" | "ended" | "sent", then: Step): Step {
  let isSent = false;
  return (now) => {
    if (isSent) return then(now);
    const outcome = first();
    isSent = outcome === "sent";
    return outcome === "ended" ? "ended" : "open";
  };
}

function every(milliseconds: number, act: Step): Step {
  let next = 0;
  return (now) => {
    if (now < next) return "open";
    next = now + milliseconds;
    return act(now);
  };
}

/** For those that do not read: over when the server has reset the connection. */
function over(socket: RawSocket): "open" | "ended" {
  return socket.isOver() ? "ended" : "open";
}

function ended(socket: RawSocket): "open" | "ended" {
  return state(socket.receive(SINK));
}

function state(moved: number | "ended"): "open" | "ended" {
  return moved === "ended" ? "ended" : "open";
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat([...parts]));
}

function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return joined(...Array.from({ length: times }, () => bytes));
}
