/** One attempt to deliver an event: name → checked addresses → a connection to one of them → TLS under the name → request → status line. */

import type { AttemptFault, AttemptOutcome } from "#domain/webhook/endpoint.ts";
import { type EndpointUrl, readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import { ATTEMPT_MILLISECONDS, USER_AGENT } from "#domain/webhook/rules.ts";
import type { WebhookPost } from "#ports/webhooks.ts";
import { AttemptFailed } from "./attempt-failed.ts";
import { openTls, statusOf } from "./connection.ts";
import { type EgressProxy, readProxy } from "./proxy.ts";
import { firstReached, type Way } from "./reach.ts";
import { requestBytes } from "./request.ts";
import { checkedAddresses, machineAddresses, publicNames, type Resolve, systemNames } from "./resolve.ts";

export interface WebhookPostOptions {
  /** For tests and the demo: http, other ports and private addresses too. */
  readonly allowPrivate: boolean;
  /** Asked anew for every attempt; refused like private ones. Those of this machine's interfaces unless told. */
  readonly ownAddresses?: () => readonly string[];
  /** `http://[user:password@]host[:port]`; null: straight out. */
  readonly proxy?: string | null;
  readonly userAgent?: string;
  /** The public name system unless told; with `allowPrivate` the machine's own names. */
  readonly resolve?: Resolve;
  /** From the look-up of the name to the status line. */
  readonly deadlineMilliseconds?: number;
  /** Authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
}

type Settled = Required<Omit<WebhookPostOptions, "proxy" | "ca">> & {
  readonly proxy: EgressProxy | null;
  readonly ca: string | undefined;
};

/**
 * Throws TypeError when `proxy` is not one. The sender resolves whatever the receiver does; it rejects only, with
 * TypeError, for headers that are none.
 */
export function openWebhookPost(options: WebhookPostOptions): WebhookPost {
  const settled = settle(options);
  return async (url, headers, body) => {
    const started = performance.now();
    const attempt: Way = { signal: AbortSignal.timeout(settled.deadlineMilliseconds), address: null };
    const outcome = (status: number | null, fault: AttemptFault | null): AttemptOutcome => ({
      status,
      fault,
      milliseconds: Math.round(performance.now() - started),
      address: attempt.address,
    });
    const target = readEndpointUrl(url, settled.allowPrivate);
    if ("refused" in target) return outcome(null, "url");
    const request = requestBytes(target, settled.userAgent, headers, body);
    try {
      return outcome(await send(settled, target, request, attempt), null);
    } catch (error) {
      // What the deadline cut off may have failed in another name first.
      if (attempt.signal.aborted) return outcome(null, "timeout");
      return outcome(null, error instanceof AttemptFailed ? error.fault : "connect");
    }
  };
}

function settle({ proxy = null, ca, ...options }: WebhookPostOptions): Settled {
  const read = proxy === null ? null : readProxy(proxy);
  if (proxy !== null && read === null)
    throw new TypeError("the proxy is not http://[user:password@]host[:port]");
  return {
    ownAddresses: machineAddresses,
    userAgent: USER_AGENT,
    resolve: options.allowPrivate ? systemNames : publicNames(),
    deadlineMilliseconds: ATTEMPT_MILLISECONDS,
    ...options,
    proxy: read,
    ca,
  };
}

async function send(
  settled: Settled,
  target: EndpointUrl,
  request: Uint8Array,
  attempt: Way,
): Promise<number> {
  const { signal } = attempt;
  const addresses = await inTime(checkedAddresses(target.host, settled, signal), signal);
  const socket = await firstReached(settled, addresses, target.port, attempt);
  try {
    const line = target.isTls ? await openTls(socket, target.host, settled.ca, signal) : socket;
    try {
      return await statusOf(line, request, signal);
    } finally {
      line.destroy();
    }
  } finally {
    socket.destroy();
  }
}

/** The names' own limits are longer than ours. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const stop = () => late.reject(new AttemptFailed("timeout"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
