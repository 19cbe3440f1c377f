/** What the domain knows of HTTP messages: names in Host headers, unaccepted codings, closed connections. */

import { Failure } from "#domain/faults/errors.ts";

/**
 * Of the Content-Encoding of a request, null where it has none. Failure `unsupported_media_type` for any coding: a few bytes
 * can decode to gigabytes, and no body here is large enough to gain by it. `identity` is no coding.
 */
export function refuseCoding(contentEncoding: string | null): void {
  const codings = (contentEncoding ?? "").toLowerCase().split(",");
  if (codings.every((coding) => ["", "identity"].includes(coding.trim()))) return;
  throw new Failure("unsupported_media_type", {
    wording: "send the body as it is, without Content-Encoding: compressed bodies are not accepted",
    acceptEncoding: "identity",
  });
}

/**
 * The status by which such a request is counted and settled, as nginx names it; it is never sent. It is no 5xx, and the
 * calls that it was granted stay used: the client requested the work.
 */
export const CLIENT_GONE = 499;

/** Whether this was thrown because the client of the request left. Other faults stay what they are, also after it left. */
export function isClientGone(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && thrown instanceof Error && thrown.name === "AbortError";
}

const HOST = /^([a-z0-9_][a-z0-9._-]{0,254}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The name in a Host header, without its port: lower case, without the dot at the end of a complete name, an IPv6 address in brackets and in
 * its shortest form. Null where it is malformed.
 */
export function hostNameOf(host: string): string | null {
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  if (name.startsWith("[")) return URL.parse(`http://${name}`)?.hostname ?? null;
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** The same of a setting, which may leave out the brackets of an IPv6 address. Null for anything else than a name: one with a port, too. */
export function settingHostName(text: string): string | null {
  const isBare = /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text);
  if (!isBare && /:\d*$/.test(text)) return null;
  return hostNameOf(isBare ? `[${text}]` : text);
}

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** An address, or a name without a dot: no page of another site can have it as its own. */
export function isNoPublicName(name: string): boolean {
  return name.startsWith("[") || /^[\d.]+$/.test(name) || !name.includes(".");
}
