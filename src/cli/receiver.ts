/** A receiver of webhooks on this machine, for `crossrate webhooks listen` and the demo: checks signatures, and lists what arrived. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import { checkSignature, SIGNATURE_HEADER, type SignatureVerdict } from "#domain/webhook/endpoint.ts";

export interface Received {
  readonly at: Instant;
  /** Null without a secret: nothing is checked. */
  readonly verdict: SignatureVerdict | null;
  readonly body: string;
  /** True when an event with this id had arrived before: receivers must expect that. */
  readonly repeated: boolean;
}

const REMEMBERED = 1000;
const REMEMBERED_IDS = 10_000;
/** Senders give up after ten seconds. */
const LONGEST_WAIT_MILLISECONDS = 8_000;
/** An event is a few hundred bytes. */
export const MOST_BYTES = 64 * 1024;

interface ReceiverOptions {
  /** Checks the times in signatures; it should be the sender's clock. */
  readonly now: () => Instant;
  readonly secret: string | null;
  /** 0 takes any free port. */
  readonly port: number;
  /** Answers wait for this, at most eight seconds: a start publishes hundreds of events, and their delivery would slow it. */
  readonly ready?: Promise<void>;
  readonly onReceived?: (one: Received) => void;
}

/** Throws when the port is taken. */
export function startReceiver(options: ReceiverOptions) {
  const { now, port, ready = Promise.resolve(), onReceived = () => {} } = options;
  let { secret } = options;
  const received: Received[] = [];
  const ids = new Set<string>();
  const opened = Promise.race([ready, Bun.sleep(LONGEST_WAIT_MILLISECONDS)]);

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    reusePort: false,
    maxRequestBodySize: MOST_BYTES,
    async fetch(request) {
      if (request.method === "GET") return new Response(listOf(received));
      if (request.method !== "POST")
        return new Response(null, { status: 405, headers: { allow: "GET, POST" } });
      const bytes = await request.bytes();
      await opened;
      const one = judge(request.headers.get(SIGNATURE_HEADER) ?? "", bytes);
      received.push(one);
      if (received.length > REMEMBERED) received.shift();
      onReceived(one);
      // Receivers must acknowledge genuine events only.
      return new Response(null, { status: isBelieved(one.verdict) ? 204 : 400 });
    },
  });

  return {
    /** `http://127.0.0.1:<port>`. POST delivers; GET shows what came, a line each, the newest last. */
    url: `http://127.0.0.1:${server.port}`,
    trust: (text: string): void => {
      secret = text;
    },
    /** The latest deliveries, oldest first, at most a thousand. */
    received: (): readonly Received[] => received,
    stop: () => server.stop(true),
  };

  function judge(header: string, bytes: Uint8Array): Received {
    const at = now();
    const body = new TextDecoder().decode(bytes);
    const verdict = secret === null ? null : checkSignature(header, bytes, secret, at);
    const id = isBelieved(verdict) ? idOf(body) : null;
    const repeated = id !== null && ids.has(id);
    if (id !== null && ids.size < REMEMBERED_IDS) ids.add(id);
    return { at, verdict, body, repeated };
  }
}

function isBelieved(verdict: SignatureVerdict | null): boolean {
  return verdict === null || verdict === "genuine";
}

/** `2026-04-14T15:00:00Z genuine {"id":…}`, to be read and copied. */
function listOf(received: readonly Received[]): string {
  const lines = received.map(({ at, verdict, repeated, body }) => {
    const meaning = `${verdict ?? "not checked"}${repeated ? ", repeated" : ""}`;
    return `${formatInstant(at)} ${meaning} ${body}\n`;
  });
  return lines.length === 0 ? "nothing has arrived yet\n" : lines.join("");
}

function idOf(body: string): string | null {
  try {
    const { id } = JSON.parse(body);
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}
