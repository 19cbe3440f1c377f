/** The egress proxy of attempts, read from its URL. Apart from connect.ts: a start checks the URL without loading the network code. */

import { decoded, hostOf } from "#gateways/transport.ts";

export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  readonly authorization: string | null;
}

/** `http://[user:password@]host[:port]`, port 80 by default; null for anything else. */
export function readProxy(text: string): EgressProxy | null {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || url.pathname !== "/" || url.search + url.hash !== "")
    return null;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null || user.includes(":")) return null;
  return {
    host: hostOf(url),
    port: url.port === "" ? 80 : Number(url.port),
    authorization: user === "" ? null : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  };
}
