/** Checked addresses → a connection to the first that takes one, straight or through a proxy. Part of post.ts. */

import type { Socket } from "node:net";
import { AttemptFailed } from "./attempt-failed.ts";
import { openSocket, statusOf } from "./connection.ts";
import { type EgressProxy, tunnelRequest } from "./proxy.ts";
import { statusReader } from "./status-line.ts";

/** Of several addresses so many are tried, each but the last for at most this part of the deadline. */
const MOST_ADDRESSES = 4;
const PART_OF_DEADLINE = 0.2;

export interface WayOut {
  readonly proxy: EgressProxy | null;
  readonly deadlineMilliseconds: number;
}

export interface Way {
  readonly signal: AbortSignal;
  /** The one that was last connected to, or tried. */
  address: string | null;
}

/** Nothing has been sent before a connection stands, so another address may be tried. */
export async function firstReached(
  from: WayOut,
  checked: readonly string[],
  port: number,
  attempt: Way,
): Promise<Socket> {
  const addresses = checked.slice(0, MOST_ADDRESSES);
  const part = from.deadlineMilliseconds * PART_OF_DEADLINE;
  for (const address of addresses.slice(0, -1)) {
    attempt.address = address;
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(part)]);
    const socket = await reach(from, address, port, signal).catch(() => null);
    if (socket !== null) return socket;
    if (attempt.signal.aborted) throw new AttemptFailed("timeout");
  }
  attempt.address = addresses.at(-1) ?? null;
  return await reach(from, attempt.address ?? "", port, attempt.signal);
}

/** A connection to this very address, through the proxy where there is one. */
async function reach({ proxy }: WayOut, address: string, port: number, signal: AbortSignal): Promise<Socket> {
  if (proxy === null) return await openSocket(address, port, signal);
  const socket = await openSocket(proxy.host, proxy.port, signal);
  try {
    const request = tunnelRequest(proxy, address, port);
    const status = await statusOf(socket, request, signal, statusReader({ wholeHead: true }));
    if (status >= 200 && status <= 299) return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof AttemptFailed && error.fault === "timeout" ? error : new AttemptFailed("connect");
  }
  socket.destroy();
  throw new AttemptFailed("connect");
}
