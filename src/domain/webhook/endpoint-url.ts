/** Normalizes the URL of an endpoint or says why it is refused, at registration and before every attempt. Only public unicast addresses pass, by the IANA special-purpose address registries. */

import {
  type AddressBytes,
  isWithin,
  type Network,
  parseAddress,
  parseNetwork,
} from "#domain/net/address.ts";
import { LONGEST_URL } from "./endpoint.ts";

/** A URL parsed once: no other code can parse it differently. */
export interface EndpointUrl {
  /** Normal form: host in lower case ASCII, path and query percent-encoded, no port where it is the scheme's own. */
  readonly url: string;
  readonly isTls: boolean;
  /** Host name in ASCII; an address literal, where one is allowed, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as a `Host` header has them. */
  readonly authority: string;
  /** Path and query, as in a request line. */
  readonly target: string;
}

const MESSAGES = {
  too_long: `Use an address of at most ${LONGEST_URL} characters.`,
  unreadable: "Give one full address such as https://hooks.example.com/rates, without spaces or backslashes.",
  scheme: "Start the address with https://.",
  user_info: "Leave out user name and password: deliveries are proved by their signature.",
  fragment: "Leave out the part from # on: it would never be sent.",
  port: "Use port 443, which needs no number in the address.",
  address_literal: "Use a host name instead of an internet address.",
  trailing_dot: "Leave out the dot at the end of the host name.",
  private_name: "Use a public host name with at least one dot; local and internal names are refused.",
  host: "Check the host name: letters, digits and hyphens between dots.",
};
type UrlRefusal = keyof typeof MESSAGES;

/** Names that mean something else, or nothing, outside one network (RFC 6761, 6762, 8375; ICANN's .internal). */
const PRIVATE_ENDINGS = [".localhost", ".local", ".internal", ".home.arpa"];
const LONGEST_HOST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The specification's endpoint registration rules. `allowPrivate`, for tests and the demo, also accepts http, other ports,
 * address literals and local names.
 */
export function readEndpointUrl(
  text: string,
  allowPrivate = false,
): EndpointUrl | { readonly refused: UrlRefusal; readonly message: string } {
  const address = read(text, allowPrivate);
  return typeof address === "string" ? { refused: address, message: MESSAGES[address] } : address;
}

function read(text: string, allowPrivate: boolean): EndpointUrl | UrlRefusal {
  if (text.length > LONGEST_URL) return "too_long";
  // What URL would repair silently: white space, backslashes, missing or extra slashes, an empty user.
  if (/[\s\\\p{Cc}\p{Cs}]/u.test(text)) return "unreadable";
  const scheme = /^https?(?=:\/\/)/i.exec(text)?.[0].toLowerCase();
  const isTls = scheme === "https";
  if (scheme === undefined || !(isTls || allowPrivate)) return "scheme";
  const authority = text.slice(scheme.length + 3).split(/[/?#]/, 1)[0] ?? "";
  if (authority === "") return "unreadable";
  if (authority.includes("@")) return "user_info";
  if (text.includes("#")) return "fragment";
  const url = URL.parse(text);
  if (url === null) return "unreadable";
  if (url.href.length > LONGEST_URL) return "too_long";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const refusal = (allowPrivate ? null : publicRefusal(url)) ?? hostRefusal(host);
  if (refusal !== null) return refusal;
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  return { url: url.href, isTls, host, port, authority: url.host, target: `${url.pathname}${url.search}` };
}

/** In `url.hostname` every notation of an address is in its usual form, and every script in ASCII. */
function publicRefusal({ port, hostname }: URL): UrlRefusal | null {
  if (port !== "") return "port";
  if (hostname.startsWith("[") || parseAddress(hostname) !== null) return "address_literal";
  if (hostname.endsWith(".")) return "trailing_dot";
  const isPrivate = PRIVATE_ENDINGS.some((ending) => `.${hostname}`.endsWith(ending));
  return isPrivate || !hostname.includes(".") ? "private_name" : null;
}

function hostRefusal(host: string): UrlRefusal | null {
  if (parseAddress(host) !== null) return null;
  return host.length <= LONGEST_HOST && host.split(".").every((label) => LABEL.test(label)) ? null : "host";
}

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
 * All global unicast. Outside it are loopback, IPv4 in other forms (::7f00:1, NAT64's 64:ff9b::/96), unique local, link-local,
 * multicast, discard prefixes, and what is not assigned yet.
 */
const GLOBAL_6 = networks("2000::/3");

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

/** `bytes`: 4 or 16. IPv4 that is mapped into IPv6 must have been unmapped, as parseAddress does. */
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
