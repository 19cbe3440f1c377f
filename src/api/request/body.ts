/** Reads a JSON body of bounded size. */

import { Failure } from "#domain/faults/errors.ts";
import { parseExact, refuseCoding } from "#domain/net/message.ts";

/** Far above the largest legal batch. */
const LARGEST_BODY_BYTES = 64 * 1024;

/**
 * The most that the runtime receives of a body: Stripe's largest event and some more, which lets our own refusal answer
 * most bodies that are too large. Above it the runtime answers 413 at once. It stores received bytes while a request
 * waits for its turn: this bounds the memory of a connection.
 */
export const LARGEST_RECEIVED_BYTES = 288 * 1024;

/**
 * Parses the JSON of a request. Fails with `unsupported_media_type` unless declared as JSON without a coding,
 * `payload_too_large` above the limit (nothing beyond it is read), `invalid_request` when it does not parse.
 */
export async function readJson(request: Request): Promise<unknown> {
  refuseCoding(request.headers.get("content-encoding"));
  requireJson(request);
  return parse(await readBounded(request));
}

/** A body twice: with numbers as doubles, for checks of the shape, and with the digits of each number as sent. */
export interface ExactJson {
  /** Every number is finite: one beyond the doubles becomes the largest double. */
  readonly rough: unknown;
  /** Every number is replaced by its `ExactNumber`. */
  readonly exact: unknown;
}

/** Reads as readJson, for bodies with exact numbers. */
export async function readExactJson(request: Request): Promise<ExactJson> {
  refuseCoding(request.headers.get("content-encoding"));
  requireJson(request);
  const bytes = await readBounded(request);
  return { rough: parse(bytes, (text) => JSON.parse(text, finite)), exact: parse(bytes, parseExact) };
}

const finite = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) : value;

/** Reads an optional body: undefined when absent, whatever its declared type. */
export async function readOptionalJson(request: Request): Promise<unknown> {
  const bytes = await readBounded(request);
  if (bytes.byteLength === 0) return undefined;
  requireJson(request);
  return parse(bytes);
}

/** Reads the fields of a page's form. Fails as `readBounded`, and with `unsupported_media_type` for any other body. */
export async function readForm(request: Request, most?: number): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new Failure("unsupported_media_type", {
      wording: "send the form as application/x-www-form-urlencoded",
    });
  }
  return new URLSearchParams(new TextDecoder().decode(await readBounded(request, most)));
}

/** Fails with `unsupported_media_type` unless the body is declared as JSON. */
export function requireJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json" && !type?.endsWith("+json")) throw new Failure("unsupported_media_type");
}

function parse(bytes: Uint8Array, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Failure("invalid_request", { reason: "the body is not valid JSON" }, cause);
  }
}

/**
 * Reads the bytes of a body. Fails with `unsupported_media_type` for a Content-Encoding, `payload_too_large` above
 * `most`; nothing beyond that is read.
 */
export async function readBounded(request: Request, most = LARGEST_BODY_BYTES): Promise<Uint8Array> {
  refuseCoding(request.headers.get("content-encoding"));
  const length = request.headers.get("content-length");
  if (Number(length ?? 0) > most) throw new Failure("payload_too_large", { limit: most });
  // No more bytes arrive than announced, and reading them at once costs a fraction of reading a stream.
  const isAnnounced = /^\d+$/.test(length ?? "") && !request.headers.has("transfer-encoding");
  if (isAnnounced) return await request.bytes();
  return await readStream(request, most);
}

async function readStream(request: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw new Failure("payload_too_large", { limit: most });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
