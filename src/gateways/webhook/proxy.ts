/** The proxy that attempts go through, read from its URL: apart from connect.ts, because a start checks it and does not load the network. */

import { decoded, hostOf } from "#gateways/transport.ts";

export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  /** `Basic …`, or null. */
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
