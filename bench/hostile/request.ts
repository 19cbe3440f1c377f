/** The bytes of requests, well-formed and otherwise. */

import type { Target } from "./targets.ts";

export const CODINGS = ["identity", "gzip", "br", "zstd, br, gzip"] as const;

export interface Sending {
  readonly target: Target;
  /** Value of Accept-Encoding. */
  readonly coding: string;
  /** API key, or null. */
  readonly key: string | null;
}

const encoder = new TextEncoder();

/** A whole request. `more` are header lines that come last, such as "Connection: close". */
export function requestBytes(sending: Sending, more: readonly string[] = []): Uint8Array {
  const { body } = sending.target;
  const lines = body === undefined ? [] : bodyLines(`Content-Length: ${encoder.encode(body).byteLength}`);
  return encoder.encode(`${headOf(sending, [...lines, ...more])}${body ?? ""}`);
}

/** A request without the empty line that ends its headers. */
export function openHead(sending: Sending): Uint8Array {
  return encoder.encode(headOf(sending, []).slice(0, -2));
}

/** The head of the same request with a body that is framed by `framing`, without the body; a GET may have one, too. */
export function headWithBody(sending: Sending, framing: string): Uint8Array {
  return encoder.encode(headOf(sending, bodyLines(framing)));
}

/** The same request with a path that is `bytes` longer. */
export function longPath({ target, ...rest }: Sending, bytes: number): Sending {
  const path = `${target.path}${target.path.includes("?") ? "&" : "?"}x=${"x".repeat(bytes)}`;
  return { ...rest, target: { ...target, path } };
}

function bodyLines(framing: string): readonly string[] {
  return ["Content-Type: application/json", framing];
}

function headOf({ target, coding, key }: Sending, lines: readonly string[]): string {
  const all = [
    `${target.method} ${target.path} HTTP/1.1`,
    "Host: localhost",
    `Accept-Encoding: ${coding}`,
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...lines,
  ];
  return `${all.join("\r\n")}\r\n\r\n`;
}
