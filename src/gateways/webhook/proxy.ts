/** An HTTP proxy on the way out: a tunnel (CONNECT) to an address that we have checked, never to a name. Part of post.ts. */

export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  /** `Basic …`, or null. */
  readonly authorization: string | null;
}

/** `http://[user:password@]host[:port]`, port 80 unless told; null for anything else. */
export function readProxy(text: string): EgressProxy | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || url.pathname !== "/" || url.search + url.hash !== "")
    return null;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null || user.includes(":")) return null;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 80 : Number(url.port),
    authorization: user === "" ? null : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  };
}

/** The request for a tunnel to an address and a port. */
export function tunnelRequest({ authorization }: EgressProxy, address: string, port: number): Uint8Array {
  const authority = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
  if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
