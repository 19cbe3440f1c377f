/** Resolves a host name to the addresses that an attempt may use: all of them, or none if a single one is refused. Part of post.ts. */

import { lookup, Resolver } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { type AddressBytes, parseAddress } from "#domain/net/address.ts";
import { isPublicAddress } from "#domain/webhook/endpoint-url.ts";
import { AttemptFailed } from "./connect.ts";

/** Every address of a name, as text; rejects, or is empty, where there is none. `signal` cancels the query. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** About 3 s for an address family without an answer, so that time is left for the other; the resolver's own limit is 19 s. */
const PATIENCE = { timeout: 1000, tries: 2 };

/**
 * Only the public name system: neither the hosts file nor search domains, which could make a public name mean something
 * inside the network. `servers` (`address:port`) replace the system's.
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
      const found = await Promise.all([
        resolver.resolve4(host).catch(none),
        resolver.resolve6(host).catch(none),
      ]);
      return found.flat();
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

/** As every program on this machine resolves names, `localhost` and those of the hosts file among them. */
export const systemNames: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** The addresses of this machine's interfaces, at this moment. */
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
 * At least one. Rejects with AttemptFailed: `dns` where there is none, `address` where one of them is not public unicast
 * or is our own. One bad address refuses all: who mixes them means the bad one.
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
