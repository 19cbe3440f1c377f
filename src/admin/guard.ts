/** Who may ask: a program on this machine that can read the operator's token; no page that a browser here has open. */

import { createHash, timingSafeEqual } from "node:crypto";
import { Failure } from "#domain/faults/errors.ts";

export interface Door {
  /** Host headers that mean this listener, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** What `matchesToken` compares with. */
  readonly tokenHash: Buffer;
}

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const HTTP_PORT = 80;
const BEARER = /^Bearer +(\S{1,256}) *$/i;

export function doorOf(host: string, port: number, token: string): Door {
  const names = new Set([...LOCAL_NAMES, host.includes(":") ? `[${host}]` : host]);
  const hosts = [...names].flatMap((name) => [
    `${name}:${port}`,
    // Clients leave the scheme's own port out.
    ...(port === HTTP_PORT ? [name] : []),
  ]);
  return { hosts: new Set(hosts), tokenHash: hashOf(token) };
}

/**
 * Failures, in this order: `misdirected_request` for any other Host (a name that was made to point here), `forbidden` for
 * what a browser sends of a page, `invalid_credentials` without the token.
 */
export function admit({ hosts, tokenHash }: Door, { headers }: Request): void {
  if (!hosts.has(headers.get("host")?.toLowerCase() ?? "")) throw new Failure("misdirected_request");
  if (headers.has("origin") || (headers.get("sec-fetch-site") ?? "none") !== "none") {
    throw new Failure("forbidden", { reason: "this is not for pages in a browser" });
  }
  const [, presented = ""] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  // Of equal length whatever was sent, so that the comparison takes the same time.
  if (timingSafeEqual(hashOf(presented), tokenHash)) return;
  throw new Failure("invalid_credentials", {
    wording: "send the token in secrets/admin.token under DATA_DIR as Authorization: Bearer",
  });
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
