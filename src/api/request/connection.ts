/** What is known of the way that an answer takes. The runtime does not say which version of HTTP a request has. */

const PASSED_ON = ["via", "forwarded", "x-forwarded-for"] as const;

/**
 * Whether a file has to have its length, because the reader might not see otherwise that it was cut short. In HTTP/1.0 a body without a length
 * ends with its connection, also when the server dies. Proxies that speak it, such as nginx by default, ask for the connection to be
 * closed. Others speak HTTP/1.1 and yet end a body that broke off as if it were whole, such as Caddy 2.6.
 */
export function needsLength({ headers }: Request): boolean {
  const connection = headers.get("connection");
  if (connection !== null && /(?:^|,)\s*close\s*(?:,|$)/i.test(connection)) return true;
  return PASSED_ON.some((name) => headers.has(name));
}
