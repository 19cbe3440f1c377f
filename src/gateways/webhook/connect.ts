/**
 * The addresses that an attempt may use (all of a name, or no address if one is refused), and a connection to the first that
 * accepts: directly or through a proxy, with TLS where the URL says so. Part of post.ts.
 */

import { lookup, Resolver } from "node:dns/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { connect as startTls } from "node:tls";
import { type AddressBytes, parseAddress } from "#domain/net/address.ts";
import type { AttemptFault } from "#domain/webhook/endpoint.ts";
import { type EndpointUrl, isPublicAddress } from "#domain/webhook/endpoint-url.ts";
import type { EgressProxy } from "./proxy.ts";

/** At most this many addresses are tried, each but the last for at most this share of the deadline. */
const MOST_ADDRESSES = 4;
const SHARE_OF_DEADLINE = 0.2;

/** Why an attempt ended before a status came. */
export class AttemptFailed extends Error {
  override readonly name = "AttemptFailed";
  readonly fault: AttemptFault;

  constructor(fault: AttemptFault) {
    super(fault);
    this.fault = fault;
  }
}

export interface Attempt {
  readonly signal: AbortSignal;
  /** The address that was last connected to, or tried. */
  address: string | null;
  /** The request line and the headers; null before they are sent. */
  head: string | null;
}

interface ConnectOptions {
  readonly proxy: EgressProxy | null;
  readonly deadlineMilliseconds: number;
  /** Authorities to trust instead of the usual ones, PEM. */
  readonly ca: string | undefined;
}

/**
 * A connection over which the request may be sent. Nothing has been sent before, so several addresses may be tried; no
 * name is resolved here. Rejects with AttemptFailed. The caller destroys the socket.
 */
export async function connectToFirst(
  options: ConnectOptions,
  checked: readonly string[],
  target: EndpointUrl,
  attempt: Attempt,
): Promise<Socket> {
  const socket = await firstAccepted(options, checked.slice(0, MOST_ADDRESSES), target.port, attempt);
  if (!target.isTls) return socket;
  try {
    return await openTls(socket, target.host, options.ca, attempt.signal);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function firstAccepted(
  { proxy, deadlineMilliseconds }: ConnectOptions,
  addresses: readonly string[],
  port: number,
  attempt: Attempt,
): Promise<Socket> {
  const open = (address: string, signal: AbortSignal) => {
    attempt.address = address;
    if (proxy !== null) return openTunnel(proxy, address, port, signal);
    return opened(connect({ host: address, port, noDelay: true }), "connect", "connect", signal);
  };
  for (const address of addresses.slice(0, -1)) {
    const share = AbortSignal.timeout(deadlineMilliseconds * SHARE_OF_DEADLINE);
    const socket = await open(address, AbortSignal.any([attempt.signal, share])).catch(() => null);
    if (socket !== null) return socket;
    if (attempt.signal.aborted) throw new AttemptFailed("timeout");
  }
  return await open(addresses.at(-1) ?? "", attempt.signal);
}

/** A tunnel to the checked address, never to a name. Any answer but a plain success is a fault of the connection. */
async function openTunnel(
  proxy: EgressProxy,
  address: string,
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const tunnel = request({
    host: proxy.host,
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    setHost: false,
    headers: { Host: authority, ...(proxy.authorization && { "Proxy-Authorization": proxy.authorization }) },
    agent: false,
  });
  tunnel.removeHeader("Connection");
  const fail = () => {
    tunnel.destroy();
    reject(new AttemptFailed(signal.aborted ? "timeout" : "connect"));
  };
  // The signal is not an option of the request: the tunnel outlives the share of the deadline in which it was opened.
  signal.addEventListener("abort", fail, { once: true });
  if (signal.aborted) fail();
  tunnel.on("connect", ({ statusCode = 0 }, socket, head) => {
    // The other end of a tunnel sends nothing before the client does.
    if (statusCode >= 200 && statusCode <= 299 && head.length === 0) return resolve(socket as Socket);
    socket.destroy();
    fail();
  });
  tunnel.on("response", fail);
  tunnel.on("error", fail);
  tunnel.end();
  try {
    const socket = await promise;
    socket.on("error", () => {});
    return socket;
  } finally {
    signal.removeEventListener("abort", fail);
  }
}

/** Encrypts a connection. The certificate must be for `host` and lead to a known authority, or to `ca`. */
async function openTls(
  socket: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const secured = startTls({
    socket,
    host,
    // An address is never a server name (RFC 6066 §3).
    ...(parseAddress(host) === null && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ["http/1.1"],
    // Explicit: the environment must not switch it off.
    rejectUnauthorized: true,
  });
  secured.once("close", () => socket.destroy());
  return await opened(secured, "secureConnect", "tls", signal);
}

async function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  fault: AttemptFault,
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new AttemptFailed(signal.aborted ? "timeout" : fault));
  // This listener stays: an error event without a listener would end the process.
  socket.on("error", fail);
  socket.once("close", fail);
  socket.once(event, () => resolve());
  signal.addEventListener("abort", fail, { once: true });
  if (signal.aborted) fail();
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", fail);
    socket.removeListener("close", fail);
  }
}

/** Every address of a name, as text. Rejects, or resolves with [], for a name without addresses. `signal` cancels the query. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** About 3 s for an address family without an answer, which leaves time for the other; the resolver's own limit is 19 s. */
const PATIENCE = { timeout: 1000, tries: 2 };

/**
 * Resolves by the public name system only, without hosts file and search domains: these could make a public name mean something inside
 * the network. `servers` (`address:port`) replace the system's.
 */
export function publicNames(servers: readonly string[] = [], patience = PATIENCE): Resolve {
  return async (host, signal) => {
    // One resolver for each attempt: cancelling it does not cancel the queries of other attempts.
    const resolver = new Resolver(patience);
    if (servers.length > 0) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const none = (): string[] => [];
      // IPv4 first: many machines have no way out for IPv6.
      const families = await Promise.all([
        resolver.resolve4(host).catch(none),
        resolver.resolve6(host).catch(none),
      ]);
      return families.flat();
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

/** Resolves names as other programs on this machine do, with `localhost` and the hosts file. */
export const systemNames: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address }) => address),
  );
}

interface AddressRules {
  readonly resolve: Resolve;
  readonly ownAddresses: () => readonly string[];
  readonly allowPrivate: boolean;
}

/**
 * The addresses of a host, at least one. Rejects with AttemptFailed: `dns` without an address, `address` if one of them is our own or not
 * public unicast. One bad address refuses all: a name that mixes them aims at the bad one.
 */
export async function checkedAddresses(
  host: string,
  { resolve, ownAddresses, allowPrivate }: AddressRules,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = parseAddress(host) === null ? await resolved(host, resolve, signal) : [host];
  const own = ownAddresses().map(bytesOf);
  for (const address of addresses) {
    const bytes = bytesOf(address);
    if (bytes === null) throw new AttemptFailed("address");
    if (allowPrivate) continue;
    if (!isPublicAddress(bytes) || own.some((mine) => isSame(mine, bytes)))
      throw new AttemptFailed("address");
  }
  return addresses;
}

async function resolved(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(host, signal).catch(() => []);
  if (addresses.length === 0) throw new AttemptFailed("dns");
  return addresses;
}

/** Null also for an address with a zone: it means something on one machine only. */
function bytesOf(address: string): AddressBytes | null {
  return address.includes("%") ? null : parseAddress(address);
}

function isSame(mine: AddressBytes | null, bytes: AddressBytes): boolean {
  return mine !== null && mine.length === bytes.length && mine.every((byte, place) => byte === bytes[place]);
}
