/** A webhook receiver for the demo and for tests. It checks signatures as the contract requires, and lists what arrived. */

import { formatInstant, type Instant } from "#domain/time/day.ts";
import { checkSignature, SIGNATURE_HEADER, type SignatureVerdict } from "#domain/webhook/endpoint.ts";

export interface Received {
  readonly at: Instant;
  readonly verdict: SignatureVerdict;
  /** What arrived, byte for byte. */
  readonly body: string;
  /** Of a genuine event; null where the body has none. */
  readonly id: string | null;
  readonly type: string | null;
  /** True when an event with this id had arrived before: receivers must expect that. */
  readonly repeated: boolean;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const REMEMBERED = 1000;
/** Ids that are remembered to detect a repetition. */
const REMEMBERED_IDS = 10_000;
/** Senders give up after ten seconds. */
const LONGEST_WAIT_MILLISECONDS = 8_000;
/** An event is a few hundred bytes. */
const MOST_BYTES = 64 * 1024;

export async function startReceiver({
  now,
  port = 0,
  ready = Promise.resolve(),
}: {
  /** Signatures are held against this clock; the sender should have the same one. */
  readonly now: () => Instant;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Nothing is taken before it, but after eight seconds at the latest: a start publishes hundreds of events, and sending them delays it. */
  readonly ready?: Promise<void>;
}) {
  let secret: string | null = null;
  let status = 204;
  const received: Received[] = [];
  const ids = new Set<string>();
  const waiting = new Set<(one: Received) => void>();
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
      const delivery = judge(request.headers.get(SIGNATURE_HEADER) ?? "", bytes);
      received.push(delivery);
      if (received.length > REMEMBERED) received.shift();
      for (const check of waiting) check(delivery);
      return new Response(null, { status: delivery.verdict === "genuine" ? status : 400 });
    },
  });

  return {
    /** `http://127.0.0.1:<port>`. POST delivers; GET shows what came, a line each, the newest last. */
    url: `http://127.0.0.1:${server.port}`,
    /** The secret to check with from now on; without one nothing is genuine. */
    trust: (text: string): void => {
      secret = text;
    },
    /** The latest deliveries, oldest first, at most a thousand. */
    received: (): readonly Received[] => received,
    /** The first of them that is wanted; one that has yet to come is waited for. */
    first(wanted: (one: Received) => boolean): Promise<Received> {
      const known = received.find(wanted);
      if (known !== undefined) return Promise.resolve(known);
      const { promise, resolve } = Promise.withResolvers<Received>();
      const check = (one: Received) => {
        if (!wanted(one)) return;
        waiting.delete(check);
        resolve(one);
      };
      waiting.add(check);
      return promise;
    },
    /** The status for genuine events from now on; 204 by default. */
    answer: (code: number): void => {
      status = code;
    },
    stop: () => server.stop(true),
  };

  function judge(header: string, bytes: Uint8Array): Received {
    const at = now();
    const body = new TextDecoder().decode(bytes);
    const verdict = secret === null ? "mismatch" : checkSignature(header, bytes, secret, at);
    const { id, type } = verdict === "genuine" ? namesIn(body) : { id: null, type: null };
    const repeated = id !== null && ids.has(id);
    if (id !== null && ids.size < REMEMBERED_IDS) ids.add(id);
    return { at, verdict, body, id, type, repeated };
  }
}

/** `2026-04-14T15:00:00Z genuine {"id":…}`, so that what came can be read and copied. */
function listOf(received: readonly Received[]): string {
  const lines = received.map(
    ({ at, verdict, repeated, body }) =>
      `${formatInstant(at)} ${repeated ? "genuine, repeated" : verdict} ${body}\n`,
  );
  return lines.length === 0 ? "nothing has arrived yet\n" : lines.join("");
}

function namesIn(body: string): Pick<Received, "id" | "type"> {
  try {
    const { id, type } = JSON.parse(body);
    return { id: typeof id === "string" ? id : null, type: typeof type === "string" ? type : null };
  } catch {
    return { id: null, type: null };
  }
}
