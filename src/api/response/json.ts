/**
 * Encodes JSON bodies: exact digits, copied ready parts, and the position of the serving time. Sends answers that are
 * made for one request; ready.ts sends the frequent ones.
 */

import { RawJson, READY, SERVED_AT } from "#domain/net/message.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { ComputeTurns } from "./compute-turns.ts";
import { etagOf } from "./conditions.ts";
import { isRealBody, REAL_MODE } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { type AnswerFields, codedPayload, type RespondDeps, respond } from "./respond.ts";

const READY_TEXT = JSON.stringify(READY);
const ENCODER = new TextEncoder();

/** A printed body: ready parts, and the texts before, between and behind them, with at most one SERVED_AT. */
export interface Printed {
  readonly texts: readonly string[];
  readonly ready: readonly Pick<RawJson, "parts">[];
  /** In bytes. */
  readonly length: number;
}

/** Prints a body. Ready parts may only be its direct members. */
export function printBody(body: object) {
  const ready: RawJson[] = [];
  let printed: Record<string, unknown> = body as Record<string, unknown>;
  for (const name in body) {
    const member = printed[name];
    if (!(member instanceof RawJson)) continue;
    // A placeholder text, and no toJSON: JSON.stringify takes three times as long for a body that has one.
    if (ready.length === 0) printed = { ...body };
    printed[name] = READY;
    ready.push(member);
  }
  const text = JSON.stringify(printed);
  const texts = ready.length === 0 ? [text] : text.split(READY_TEXT);
  let length = 0;
  for (const one of texts) length += Buffer.byteLength(one);
  for (const { parts } of ready) for (const { byteLength } of parts) length += byteLength;
  return { texts, ready, length };
}

/** Returns a printed body as one text. */
export function wholeText({ texts, ready }: Printed): string {
  let whole = texts[0] ?? "";
  for (const [nth, { parts }] of ready.entries())
    whole += Buffer.concat(parts).toString("latin1") + texts[nth + 1];
  return whole;
}

export interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of the 20 characters of the serving time, or -1. */
  readonly stampAt: number;
}

/** Encodes a printed body, with zeros for the serving time. `take` allocates its memory: every byte is written. */
export function encodeBody(
  { texts, ready, length }: Printed,
  take: (length: number) => Uint8Array<ArrayBuffer> = Buffer.allocUnsafeSlow,
): Encoded {
  const bytes = take(length);
  let end = 0;
  let stampAt = -1;
  for (const [nth, text] of texts.entries()) {
    for (const part of ready[nth - 1]?.parts ?? []) {
      bytes.set(part, end);
      end += part.byteLength;
    }
    const at = text.indexOf(SERVED_AT);
    if (at >= 0) stampAt = end + Buffer.byteLength(text.slice(0, at));
    end += ENCODER.encodeInto(text, bytes.subarray(end)).written;
  }
  if (stampAt >= 0) bytes.fill(ZERO, stampAt, stampAt + SERVED_AT.length);
  return { bytes, stampAt };
}

/** SERVED_AT differs from process to process: no tag may depend on it. */
const ZERO = 48;

/** The newest second as text: many bodies are sent in one. */
let newest = { second: Number.NaN, text: "", bytes: new Uint8Array() };

function textOf(now: Instant) {
  const second = Math.floor(now / 1000);
  if (newest.second === second) return newest;
  const text = formatInstant(second * 1000);
  newest = { second, text, bytes: ENCODER.encode(text) };
  return newest;
}

/** Writes the serving time into a body, to the second. */
export function stamp({ bytes, stampAt }: Encoded, now: Instant): void {
  if (stampAt >= 0) bytes.set(textOf(now).bytes, stampAt);
}

/** Returns the text with the serving time at `stampAt`, in characters; -1: nowhere. */
export function stampText(text: string, stampAt: number, now: Instant): string {
  if (stampAt < 0) return text;
  return text.slice(0, stampAt) + textOf(now).text + text.slice(stampAt + SERVED_AT.length);
}

export interface JsonDeps extends RespondDeps {
  readonly clock: Clock;
}

/** Answers a body that no other request shares, such as a batch or a probe: caches never store it. */
export function respondJson(request: Request, deps: JsonDeps, body: object, status = 200): Response {
  const headers = status === 503 ? { "Retry-After": "5" } : {};
  return send(request, deps, body, encodeBody(printBody(body)), {
    cacheControl: "no-store",
    status,
    headers,
  });
}

/** Answers with a weak ETag over everything but the serving time; 304 when the caller has that content already. */
export function respondTagged(
  request: Request,
  deps: JsonDeps & { readonly large: LargeBodies },
  cacheControl: string,
  body: object,
): Response {
  const made = encodeBody(printBody(body));
  const etag = etagOf(made.bytes);
  return send(request, deps, body, made, { cacheControl, etag, vary: "Accept, Accept-Encoding" });
}

function send(
  request: Request,
  deps: JsonDeps & { readonly large?: LargeBodies },
  body: object,
  made: Encoded,
  { headers, ...fields }: Omit<AnswerFields, "mime">,
): Response {
  const real = isRealBody(deps.simulated, body) ? REAL_MODE : {};
  const described = { ...fields, mime: "application/json", headers: { ...real, ...headers } };
  return respond(request, deps, described, () => {
    stamp(made, deps.clock.now());
    return codedPayload(request, made.bytes, deps.large);
  });
}

export interface TurnDeps extends JsonDeps {
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
}
