/** Real servers on 127.0.0.1 for the client's tests: a well-behaved one, and one that writes the raw bytes of a test. */

import type { UpstreamFault } from "#domain/faults/upstream.ts";
import type { Upstream, UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { openUpstream, type UpstreamOptions } from "#sources/fetch/fetch.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";

export const NOW = Date.parse("2026-03-17T16:30:00Z");
export const clock: Clock = { now: () => NOW };
export const AGENT = "crossrate-test/1 (+https://example.org)";

/** Copied at once: the runtime empties a request after it was answered. */
export interface Seen {
  readonly url: string;
  readonly headers: Headers;
}

export interface Answering {
  readonly base: string;
  readonly seen: Seen[];
}

/** Answers the nth request (from 0) with what `answer` gives. */
export function serve(answer: (request: Request, nth: number) => Response | Promise<Response>): Answering {
  const seen: Seen[] = [];
  const { url } = listen(
    (request) => answer(request, seen.push({ url: request.url, headers: new Headers(request.headers) }) - 1),
    10,
  );
  return { base: url, seen };
}

/** Writes these bytes as the answer to every request, then either hangs up or trickles on for ever. */
export function serveRaw(head: string, then: "close" | "hang" | "trickle"): string {
  const timers = new Set<Timer>();
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write(head);
        if (then === "close") socket.end();
        if (then === "trickle") timers.add(setInterval(() => socket.write("x"), 10));
      },
    },
  });
  atEnd(() => {
    for (const timer of timers) clearInterval(timer);
    listener.stop(true);
  });
  return `http://127.0.0.1:${listener.port}`;
}

/** A client whose pauses are written down instead of waited for. */
export function client(
  base: string,
  options: Partial<UpstreamOptions> = {},
): { upstream: Upstream; pauses: number[] } {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const upstream = openUpstream({ clock, base, userAgent: AGENT, sleep, random: () => 0, ...options });
  return { upstream, pauses };
}

export function requestFor(path: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    url: `https://upstream.example${path}`,
    accept: "text/csv",
    maxBytes: 100_000,
    timeoutSeconds: 5,
    ...more,
  };
}

export function textIn(document: UpstreamDocument | "unchanged"): string {
  return document === "unchanged" ? document : new TextDecoder().decode(document.bytes);
}

export async function faultOf(answer: Promise<unknown>): Promise<UpstreamFault> {
  return await answer.then(
    () => Promise.reject(new Error("a document came")),
    (error: UpstreamFault) => error,
  );
}

/** What comes of one request for `/x` to a server that answers so: a document's text or a fault, and what both ends saw. */
export async function asked(
  answer: Parameters<typeof serve>[0],
  more: Partial<UpstreamRequest> = {},
  options: Partial<UpstreamOptions> = {},
) {
  const { base, seen } = serve(answer);
  const { upstream, pauses } = client(base, options);
  const came = await upstream.get(requestFor("/x", more)).catch((fault: UpstreamFault) => fault);
  const fault = came as UpstreamFault;
  return { base, seen, pauses, came, fault, text: came instanceof Error ? "" : textIn(came) };
}
