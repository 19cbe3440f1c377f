/**
 * Counts large answers under way by client address. A connection that does not read holds its answer, and with it memory of the
 * process or the kernel. Therefore the number for one address is bounded.
 */

import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/client-address.ts";

/** Smaller answers fit into a socket's buffer and are gone at once. */
export const SMALLEST_LARGE = 64 * 1024;
/** A wide network (IPv4 /24, IPv6 /56) may have so many times what one address may. */
const WIDE_FACTOR = 4;
const RETRY_AFTER_SECONDS = 5;
const SWEEP_FROM = 16;
const SWEEP_MILLISECONDS = 20;
/** Requests whose answers have ended are let go within this time, also when no other request comes. */
const FORGET_MILLISECONDS = 1_000;

export interface AnswersUnderWay {
  /** Failure `rate_limited` while the address, or its network, has as many large answers under way as it may. */
  admit(request: Request): void;
  /** Notes the answer to a request: `bytes` of its body, NaN where that is not known. Small ones are not noted. */
  note(request: Request, bytes: number): void;
  /** Large answers under way; below 16 some that have ended may be counted. */
  count(): number;
}

export interface UnderWayOptions {
  /** Large answers under way to one address (IPv6: /64). */
  readonly most: number;
  readonly addressOf: (request: Request) => string;
  /** Whether the answer was sent to its end, or the client left. */
  readonly isDone: (request: Request) => boolean;
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonic?: () => number;
  /** Calls once after so many milliseconds, without holding the process. */
  readonly later?: (milliseconds: number, run: () => void) => void;
}

export function openAnswersUnderWay({
  most,
  addressOf,
  isDone,
  monotonic = performance.now.bind(performance),
  later = (milliseconds, run) => void setTimeout(run, milliseconds).unref(),
}: UnderWayOptions): AnswersUnderWay {
  /** By network; a request is noted under its narrow and its wide one. */
  const open = new Map<string, Set<Request>>();
  /** Under way at the most: those that have ended since the last look are counted still. */
  let noted = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;

  const sweep = (network: string): number => {
    const requests = open.get(network);
    if (requests === undefined) return 0;
    for (const request of requests) if (isDone(request)) requests.delete(request);
    if (requests.size === 0) open.delete(network);
    return requests.size;
  };
  const isFull = (network: string, limit: number): boolean =>
    (open.get(network)?.size ?? 0) >= limit && sweep(network) >= limit;
  const add = (network: string, request: Request): void => {
    const requests = open.get(network);
    if (requests === undefined) open.set(network, new Set([request]));
    else requests.add(request);
  };
  const sweepAll = () => {
    for (const network of [...open.keys()]) sweep(network);
    let sum = 0;
    for (const requests of open.values()) sum += requests.size;
    noted = sum / 2;
    sweptAt = monotonic();
  };
  let isForgetting = false;
  const forgetLater = () => {
    if (isForgetting) return;
    isForgetting = true;
    later(FORGET_MILLISECONDS, () => {
      isForgetting = false;
      sweepAll();
      if (noted > 0) forgetLater();
    });
  };

  return {
    admit: (request) => {
      if (open.size === 0) return;
      const { narrow, wide } = networksOf(addressOf(request));
      if (isFull(`narrow ${narrow}`, most)) throw full(most, "your address");
      if (isFull(`wide ${wide}`, most * WIDE_FACTOR)) throw full(most * WIDE_FACTOR, `the network ${wide}`);
    },
    note: (request, bytes) => {
      // A size that is not known is that of a stream.
      if (bytes <= SMALLEST_LARGE || isDone(request)) return;
      const { narrow, wide } = networksOf(addressOf(request));
      add(`narrow ${narrow}`, request);
      add(`wide ${wide}`, request);
      noted += 1;
      forgetLater();
    },
    count: () => {
      // Looking at each is only worth it where many may be under way.
      if (noted >= SWEEP_FROM && monotonic() - sweptAt > SWEEP_MILLISECONDS) sweepAll();
      return noted;
    },
  };
}

function full(most: number, to: string): Failure {
  return new Failure("rate_limited", {
    reason: `${most} large answers to ${to} are under way, which is the limit: read them to their end first`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
