/** Facts of an answer's connection. The runtime does not report the version of HTTP. */

const PASSED_ON = ["via", "forwarded", "x-forwarded-for"] as const;

/**
 * Returns whether a file must have its length, because the reader might not see that it was cut short. In HTTP/1.0 a
 * body without a length ends with its connection, also when the server dies. Proxies that use it, such as nginx by
 * default, ask for the connection to be closed. Others use HTTP/1.1 and still end a broken body as if it were complete,
 * such as Caddy 2.6.
 */
export function needsLength({ headers }: Request): boolean {
  const connection = headers.get("connection");
  if (connection !== null && /(?:^|,)\s*close\s*(?:,|$)/i.test(connection)) return true;
  return PASSED_ON.some((name) => headers.has(name));
}
