/** Reads a response body within bounds, on the wire and after gunzip. Part of fetch.ts. */

import { gunzipSync } from "node:zlib";
import { UpstreamFault } from "#domain/faults/upstream.ts";

/**
 * Reads a body that was fetched with `decompress: false`. Never holds more than `maxBytes` of wire data and
 * `maxBytes` of decoded data, whatever the headers claim: a gzip bomb stops at the limit. Throws UpstreamFault, without the address;
 * a broken connection or the deadline rejects as fetch does.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw new UpstreamFault("too_large", `announces ${announced} bytes, more than the ${maxBytes} allowed`);
  }
  const wire = await readWire(response, maxBytes);
  const encoding = (response.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return wire;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    throw new UpstreamFault("connection", "answers in a content encoding that was not requested");
  }
  return gunzip(wire, maxBytes);
}

async function readWire(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new UpstreamFault("too_large", `sends more than the ${maxBytes} bytes allowed`);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

function gunzip(wire: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(wire, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") {
      throw new UpstreamFault("too_large", `unpacks to more than the ${maxBytes} bytes allowed`);
    }
    throw new UpstreamFault("connection", "sends a damaged or truncated gzip body");
  }
}

/** The beginning of an error body, for its reason; empty when it is HTML, binary or cannot be read. */
export async function readExcerpt(response: Response): Promise<string> {
  if (!/^(application\/json|text\/plain)/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return "";
  }
  try {
    return new TextDecoder().decode(await readBody(response, 4096));
  } catch {
    // The status is the fault to report; a broken error body adds nothing to it.
    return "";
  }
}
