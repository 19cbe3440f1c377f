/** What is known of the connection of a request. The runtime does not say which version of HTTP it speaks. */

/**
 * Whether the end of the connection would be taken for the end of a body without a length, so that a server that dies leaves what looks like a whole
 * answer. That is so in HTTP/1.0. Proxies that speak it, such as nginx by default, ask for the connection to be closed; who does that in
 * HTTP/1.1 needs no other treatment, and gets it.
 */
export function endsWithConnection({ headers }: Request): boolean {
  const connection = headers.get("connection");
  return connection !== null && /(?:^|,)\s*close\s*(?:,|$)/i.test(connection);
}
