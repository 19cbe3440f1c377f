/**
 * Bounds answers of more than 64 KB. A slow connection keeps its answer in the memory of the process or the kernel:
 * their number per address is bounded, and so are the bytes made for one reader only.
 */

import { Failure } from "#domain/faults/errors.ts";
import { networksOf } from "#domain/net/address.ts";

/** Smaller answers fit into a socket's buffer. */
export const SMALLEST_LARGE = 64 * 1024;
/** A wide network (IPv4 /24, IPv6 /56) may have this multiple of one address's limit. */
const WIDE_FACTOR = 4;
/** The limit of all readers together. */
const MOST_OWN_BYTES = 96 * 1024 * 1024;
/** The longest answer: the series of all currencies over the whole history. */
const LONGEST_BYTES = 10 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;
/** Ended requests are released within this time, also without another request. */
const SWEEP_MILLISECONDS = 1_000;

export type LargeBodies = ReturnType<typeof openLargeBodies>;

export interface LargeBodiesOptions {
  /** Large answers open to one address (IPv6: /64). */
  readonly most: number;
  readonly addressOf: (request: Request) => string;
  /** Returns whether the answer was sent to its end, or the client left. */
  readonly isDone: (request: Request) => boolean;
  /** Calls once after so many milliseconds, without keeping the process alive. */
  readonly later?: (milliseconds: number, run: () => void) => void;
}

export function openLargeBodies({
  most,
  addressOf,
  isDone,
  later = (milliseconds, run) => void setTimeout(run, milliseconds).unref(),
}: LargeBodiesOptions) {
  /** By network; a request is noted under its narrow and its wide one. */
  const open = new Map<string, Set<Request>>();
  const ownBytes = new Map<Request, number>();
  let sumOfOwnBytes = 0;
  let isSweepDue = false;

  const sweep = (network: string): number => {
    const requests = open.get(network) ?? new Set();
    for (const request of requests) if (isDone(request)) requests.delete(request);
    if (requests.size === 0) open.delete(network);
    return requests.size;
  };
  const sweepBytes = () => {
    for (const [request, bytes] of ownBytes) {
      if (!isDone(request)) continue;
      ownBytes.delete(request);
      sumOfOwnBytes -= bytes;
    }
  };
  const sweepLater = () => {
    if (isSweepDue) return;
    isSweepDue = true;
    later(SWEEP_MILLISECONDS, () => {
      isSweepDue = false;
      for (const network of [...open.keys()]) sweep(network);
      sweepBytes();
      if (open.size + ownBytes.size > 0) sweepLater();
    });
  };
  /** Notes bytes of an answer; they replace those noted before. Fails with `service_unavailable` without room. */
  const reserve = (request: Request, bytes: number) => {
    const others = () => sumOfOwnBytes - (ownBytes.get(request) ?? 0);
    if (others() + bytes > MOST_OWN_BYTES) sweepBytes();
    if (others() + bytes > MOST_OWN_BYTES) {
      const reason = `too many large answers are waiting for their readers; try again in ${RETRY_AFTER_SECONDS} seconds`;
      throw new Failure("service_unavailable", { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    sumOfOwnBytes = others() + bytes;
    ownBytes.set(request, bytes);
    sweepLater();
  };
  const isFull = (network: string, limit: number): boolean =>
    (open.get(network)?.size ?? 0) >= limit && sweep(network) >= limit;

  return {
    /** Reserves room for a long answer before it is made. Fails with `service_unavailable` without room. */
    admitLong: (request: Request): void => {
      sweepBytes();
      reserve(request, LONGEST_BYTES);
      // Making a long answer leaves 25 MB of garbage, which would stay while several more are made.
      if (ownBytes.size > 1) Bun.gc(true);
    },
    /** Fails with `rate_limited` while the address, or its network, has too many large answers open. */
    admit: (request: Request): void => {
      if (open.size === 0) return;
      const { narrow, wide } = networksOf(addressOf(request));
      const bounds = [
        [`narrow ${narrow}`, most, "your address"],
        [`wide ${wide}`, most * WIDE_FACTOR, `the network ${wide}`],
      ] as const;
      for (const [network, limit, to] of bounds) {
        if (!isFull(network, limit)) continue;
        const reason = `${limit} large answers to ${to} are open, which is the limit: read them to their end first`;
        throw new Failure("rate_limited", { reason, retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
    },
    /** Notes the answer to a request: `bytes` of its body, NaN when unknown. Small ones are not noted. */
    note: (request: Request, bytes: number): void => {
      // NaN passes: an unknown size means a stream.
      if (bytes <= SMALLEST_LARGE || isDone(request)) return;
      const { narrow, wide } = networksOf(addressOf(request));
      for (const network of [`narrow ${narrow}`, `wide ${wide}`])
        open.set(network, (open.get(network) ?? new Set()).add(request));
      sweepLater();
    },
    /** Notes and returns bytes that no other reader shares. Fails with `service_unavailable` without room. */
    own: <Body extends Blob | Uint8Array<ArrayBuffer>>(request: Request, bytes: Body): Body => {
      const byteLength = bytes instanceof Blob ? bytes.size : bytes.byteLength;
      if (byteLength > SMALLEST_LARGE || ownBytes.has(request)) reserve(request, byteLength);
      return bytes;
    },
  };
}
