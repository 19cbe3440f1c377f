/** The addresses to which events may be sent: public unicast only, from the IANA special-purpose address registries. */

import type { AddressBytes } from "#domain/net/address.ts";
import { isWithin, type Network, parseNetwork } from "#domain/net/client-address.ts";

/** What is not public unicast in IPv4. Whole blocks, also where single addresses in them are reachable. */
const NOT_PUBLIC_4 = networks(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared with a carrier; cloud metadata at 100.100.100.200
  "127.0.0.0/8", // loopback
  "168.63.129.16", // a cloud's wire server, inside every machine of it
  "169.254.0.0/16", // link-local; cloud metadata at 169.254.169.254
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // IETF protocol assignments; cloud metadata at 192.0.0.192
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112, answered by the nearest of many servers
  "192.52.193.0/24", // multicast tunnels
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private use
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
);

/**
 * All that is given out as global unicast. Outside it are loopback, IPv4 in other dress (::7f00:1, NAT64's 64:ff9b::/96),
 * unique local, link-local and multicast addresses, the discard prefixes, and what is not assigned yet.
 */
const GLOBAL_6 = networks("2000::/3");

/** What inside it is not public unicast. */
const NOT_PUBLIC_6 = networks(
  "2001::/23", // IETF protocol assignments: Teredo, benchmarking, ORCHID and others
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address, perhaps a private one, in other dress
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // a test network of the past
  "3fff::/20", // documentation
);

/** ISATAP (RFC 5214): an interface identifier that carries an IPv4 address, under any prefix. */
const ISATAP_MARK = [0x00, 0x5e, 0xfe];

/** Of 4 bytes or 16. IPv4 that is mapped into IPv6 must have been unmapped, as parseAddress does. */
export function isPublicAddress(bytes: AddressBytes): boolean {
  if (bytes.length === 4) return !isWithin(bytes, NOT_PUBLIC_4);
  if (bytes.length !== 16) return false;
  return isWithin(bytes, GLOBAL_6) && !isWithin(bytes, NOT_PUBLIC_6) && !isIsatap(bytes);
}

function isIsatap(bytes: AddressBytes): boolean {
  // Byte 8 is 0x00, or 0x02 where the IPv4 address is declared unique.
  return ((bytes[8] ?? 0) & 0xfd) === 0 && ISATAP_MARK.every((byte, place) => bytes[9 + place] === byte);
}

function networks(...texts: string[]): readonly Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new TypeError(`not a network: ${text}`);
    return network;
  });
}
