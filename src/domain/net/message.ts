/**
 * What the domain knows of HTTP messages (names in Host headers, unaccepted codings, closed connections), and JSON that keeps
 * its digits: "0.85670" and an amount of 40 digits stay as they are.
 */

import { Failure } from "#domain/faults/errors.ts";

/** `contentEncoding` may be null. Failure `unsupported_media_type` unless it is `identity`: few bytes can decode to gigabytes. */
export function refuseCoding(contentEncoding: string | null): void {
  const codings = (contentEncoding ?? "").toLowerCase().split(",");
  if (codings.every((coding) => ["", "identity"].includes(coding.trim()))) return;
  throw new Failure("unsupported_media_type", {
    wording: "send the body as it is, without Content-Encoding: compressed bodies are not accepted",
    acceptEncoding: "identity",
  });
}

/** The status under which such a request is counted and settled, as nginx names it; never sent. Its calls stay used. */
export const CLIENT_GONE = 499;

export function isClientGone(thrown: unknown, signal: AbortSignal): boolean {
  return signal.aborted && thrown instanceof Error && thrown.name === "AbortError";
}

/** Whether a redirect stays on this site: browsers read a second slash, and a backslash, as the beginning of a host. */
export function isOwnPath(text: string): boolean {
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]{0,500}$/.test(text);
}

const HOST = /^([a-z0-9_][a-z0-9._-]{0,254}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The name in a Host header, without its port: lower case, without a final dot, IPv6 in brackets and shortest form. Null where it is malformed. */
export function hostNameOf(host: string): string | null {
  const name = HOST.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  if (name.startsWith("[")) return URL.parse(`http://${name}`)?.hostname ?? null;
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** The host name in a setting, which may omit the brackets of IPv6. Null for anything else, also for a name with a port. */
export function settingHostName(text: string): string | null {
  const isBare = /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(text);
  if (!isBare && /:\d*$/.test(text)) return null;
  return hostNameOf(isBare ? `[${text}]` : text);
}

export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether an address is on this machine, where secrets may go over plain HTTP. URL has already normalized other spellings. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK_NAMES.has(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** An address, or a name without a dot: no page of another site can own it. */
export function isNoPublicName(name: string): boolean {
  return name.startsWith("[") || /^[\d.]+$/.test(name) || !name.includes(".");
}

/** A number by its digits; JSON.stringify prints them unchanged. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A body of this type, its numbers exact. */
export type Exact<T> = T extends number
  ? ExactNumber
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Exact<T[Name]> }
      : T;

/** ECMAScript's source text access, which the compiler's type library lacks. */
interface SourceTextJson {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source: string }) => unknown,
  ): unknown;
}

const { rawJSON, isRawJSON, parse } = JSON as unknown as SourceTextJson;

/** `digits` follow the grammar of JSON numbers; throws SyntaxError for what is no JSON. */
export const exactNumber = (digits: string): ExactNumber => rawJSON(digits);

/** No zeros that a number does not need. */
const SHORTEST = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/**
 * A number for a body that is only printed: plain where it prints as these very digits, else exact. JSON.stringify takes four times
 * as long for a body with a raw text in it.
 */
export function printedNumber(digits: string): number | ExactNumber {
  const number = Number(digits);
  // A double keeps fifteen digits, and prints them without an exponent from 1e-6 on.
  if (digits.length <= 15 && SHORTEST.test(digits) && Math.abs(number) >= 1e-6) return number;
  return Number.isFinite(number) && String(number) === digits ? number : rawJSON(digits);
}

export const isExactNumber = (value: unknown): value is ExactNumber => isRawJSON(value);

/** Numbers become exact, each text what `textOf` returns for it. Throws SyntaxError when the text is not JSON. */
export function parseExact(text: string, textOf = (value: string) => value): unknown {
  return parse(text, (_, value, { source }) => {
    if (typeof value === "number") return rawJSON(source);
    return typeof value === "string" ? textOf(value) : value;
  });
}

const random = () => crypto.randomUUID().replaceAll("-", "").slice(0, 20);
/**
 * Placeholders in a printed body for later values: random texts that no one else knows. SERVED_AT stands for `timestamp`, and has its
 * length: the transport writes the second of its answer over it.
 */
export const SERVED_AT = random() as string & { readonly isServedAt: true };
export const READY = random();

/** A value that is printed already: ASCII bytes of JSON, in consecutive parts. READY stands for it in a printed body. */
export class RawJson {
  readonly parts: readonly Uint8Array[];
  /** Looks the same parts up again; null when a part is no longer in memory, or is kept nowhere. It holds no part itself. */
  readonly again: () => readonly Uint8Array[] | null;
  constructor(parts: readonly Uint8Array[], again: RawJson["again"] = () => null) {
    this.parts = parts;
    this.again = again;
  }
}
