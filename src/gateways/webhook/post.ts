/** One attempt to deliver an event: host name → checked addresses → connection → request → status. */

import { Agent, type ClientRequest, request } from "node:http";
import type { Socket } from "node:net";
import {
  ATTEMPT_MILLISECONDS,
  type AttemptFault,
  type AttemptOutcome,
  CONTENT_TYPE,
  USER_AGENT,
} from "#domain/webhook/endpoint.ts";
import { type EndpointUrl, readEndpointUrl } from "#domain/webhook/endpoint-url.ts";
import type { WebhookPost } from "#ports/webhooks.ts";
import {
  type Attempt,
  AttemptFailed,
  checkedAddresses,
  connectToFirst,
  machineAddresses,
  publicNames,
  type Resolve,
  systemNames,
} from "./connect.ts";
import { type EgressProxy, readProxy } from "./proxy.ts";

/** A status line and its headers may have this many bytes, those of an interim response too. */
const MOST_HEAD_BYTES = 16_384;
/** Interim responses (1xx) before the final one. Two are known in practice: 100 and 103. */
const MOST_INTERIM = 16;

export interface WebhookPostOptions {
  /** Allows http, other ports and private addresses, for tests and the demo. */
  readonly allowPrivate: boolean;
  /** Own addresses, read for every attempt and refused like private ones. Default: those of this machine's interfaces. */
  readonly ownAddresses?: () => readonly string[];
  /** `http://[user:password@]host[:port]`; null: direct connections. */
  readonly proxy?: string | null;
  /** Default: the public name system; with `allowPrivate` this machine's own resolution. */
  readonly resolve?: Resolve;
  /** From the look-up of the name to the end of the response's headers. */
  readonly deadlineMilliseconds?: number;
  /** Authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
}

type Settings = Required<Omit<WebhookPostOptions, "proxy" | "ca">> & {
  readonly proxy: EgressProxy | null;
  readonly ca: string | undefined;
};

/** Throws TypeError when `proxy` is not a proxy's URL. The returned function never rejects for a fault of the receiver. */
export function openWebhookPost(options: WebhookPostOptions): WebhookPost {
  const settings = settingsOf(options);
  return async (url, headers, body) => {
    const started = performance.now();
    const attempt: Attempt = {
      signal: AbortSignal.timeout(settings.deadlineMilliseconds),
      address: null,
      head: null,
    };
    const outcome = (status: number | null, fault: AttemptFault | null): AttemptOutcome => ({
      status,
      fault,
      milliseconds: Math.round(performance.now() - started),
      address: attempt.address,
      head: attempt.head,
    });
    const target = readEndpointUrl(url, settings.allowPrivate);
    if ("refused" in target) return outcome(null, "url");
    const bytes = Buffer.from(body);
    const sent = {
      Host: target.authority,
      "Content-Type": CONTENT_TYPE,
      "User-Agent": USER_AGENT,
      ...headers,
      "Content-Length": String(bytes.length),
      Connection: "close",
    };
    try {
      return outcome(await send(settings, target, sent, bytes, attempt), null);
    } catch (error) {
      // An attempt that the deadline cut off may report another fault first.
      if (attempt.signal.aborted) return outcome(null, "timeout");
      return outcome(null, error instanceof AttemptFailed ? error.fault : "connect");
    }
  };
}

function settingsOf({ proxy = null, ca, ...options }: WebhookPostOptions): Settings {
  const read = proxy === null ? null : readProxy(proxy);
  if (proxy !== null && read === null)
    throw new TypeError("the proxy is not http://[user:password@]host[:port]");
  return {
    ownAddresses: machineAddresses,
    resolve: options.allowPrivate ? systemNames : publicNames(),
    deadlineMilliseconds: ATTEMPT_MILLISECONDS,
    ...options,
    proxy: read,
    ca,
  };
}

async function send(
  settings: Settings,
  target: EndpointUrl,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  attempt: Attempt,
): Promise<number> {
  const { signal } = attempt;
  const addresses = await inTime(checkedAddresses(target.host, settings, signal), signal);
  const socket = await connectToFirst(settings, addresses, target, attempt);
  attempt.head = headOf(target, headers);
  try {
    return await statusOf(socket, target, headers, body, signal);
  } finally {
    socket.destroy();
  }
}

/** The sent head as the owner of the endpoint sees it. */
function headOf({ target }: EndpointUrl, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${target} HTTP/1.1`, ...lines].join("\n");
}

/** The resolver's own limits are longer than the deadline. */
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

/** Sends the request over `socket` and waits for the final status. No body is read and no redirect followed. */
async function statusOf(
  socket: Socket,
  target: EndpointUrl,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const post = request({
    agent: new ConnectedAgent(socket),
    // If the agent's connection is not used, the request fails: the name must not be resolved a second time.
    lookup: (_, __, done) => done(new Error("the address was resolved and checked before"), "", 4),
    method: "POST",
    path: target.target,
    setHost: false,
    headers,
    maxHeaderSize: MOST_HEAD_BYTES,
    signal,
  });
  let interim = 0;
  post.on("information", () => {
    interim++;
    if (interim > MOST_INTERIM) fail(post, "response");
  });
  post.on("response", ({ statusCode = 0 }) => resolve(statusCode));
  post.on("upgrade", ({ statusCode = 0 }) => resolve(statusCode));
  post.on("error", (error) => fail(post, faultOf(error)));
  post.end(body);
  try {
    return await promise;
  } finally {
    post.destroy();
  }

  function fail(sent: ClientRequest, fault: AttemptFault): void {
    reject(new AttemptFailed(fault));
    sent.destroy();
  }
}

class ConnectedAgent extends Agent {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super({ keepAlive: false });
    this.#socket = socket;
  }

  override createConnection(): Socket {
    return this.#socket;
  }
}

/** A server may refuse TLS after the handshake was done on our side, for example without a client certificate. */
function faultOf(error: Error): AttemptFault {
  const code = "code" in error ? String(error.code) : "";
  if (/^(?:ERR_SSL_|ERR_TLS_)/.test(code)) return "tls";
  return code.startsWith("HPE_") ? "response" : "closed";
}
