/** Normalizes the URL of an endpoint or says why it is refused. It is checked at registration and before every attempt. */

import { parseAddress } from "#domain/net/address.ts";
import { LONGEST_URL } from "./rules.ts";

/** An address parsed once, so that no other code parses it differently. */
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

const URL_REFUSALS = [
  "too_long",
  "unreadable",
  "scheme",
  "user_info",
  "fragment",
  "port",
  "address_literal",
  "trailing_dot",
  "private_name",
  "host",
] as const;
type UrlRefusal = (typeof URL_REFUSALS)[number];

const MESSAGES: Readonly<Record<UrlRefusal, string>> = {
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

/** Names that mean something else, or nothing, outside one network (RFC 6761, 6762, 8375; ICANN's .internal). */
const PRIVATE_ENDINGS = [".localhost", ".local", ".internal", ".home.arpa"];
const LONGEST_HOST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Rules of the specification, "Endpoint registration rules". `allowPrivate` is for tests and the demo: then http, other
 * ports, address literals and local names are let through, and nothing else.
 */
export function readEndpointUrl(
  text: string,
  allowPrivate = false,
): EndpointUrl | { readonly refused: UrlRefusal; readonly message: string } {
  const found = read(text, allowPrivate);
  return typeof found === "string" ? { refused: found, message: MESSAGES[found] } : found;
}

function read(text: string, allowPrivate: boolean): EndpointUrl | UrlRefusal {
  if (text.length > LONGEST_URL) return "too_long";
  // What URL would repair in silence: cut white space, turned backslashes, missing or extra slashes, an empty user.
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

/** `url.hostname` has every notation of an address brought into the usual one, and every script into ASCII. */
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
