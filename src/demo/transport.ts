/** From an upstream's answer to bytes on the wire: validators, conditional requests, compression, broken transports. */

import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { Instant } from "#domain/time/day.ts";
import type { ActiveFault, TransportFault } from "./fault.ts";
import type { Answer, DemoRequest } from "./request.ts";
import { zipArchive } from "./zip.ts";

/** `active` is the fault that `request` met, if any. `gone` settles when the server stops. */
export function respond(
  request: DemoRequest,
  answer: Answer,
  active: ActiveFault | null,
  gone: Promise<void>,
): Response | Promise<Response> {
  const headers = new Headers({ "content-type": answer.contentType, date: httpDate(request.now) });
  if (answer.lastModified !== undefined) {
    const changed =
      active !== null && isFigureFault(active) && active.behaviour.kind !== "unchanged" ? active : null;
    const version = `${request.url.href} ${request.world.seed} ${answer.lastModified} ${changed?.serial ?? 0}`;
    const etag = `"${Bun.hash(version).toString(36)}"`;
    // Wrong figures are a change at the moment they were switched on.
    const modified = httpDate(Math.max(answer.lastModified, changed?.since ?? 0));
    headers.set("etag", etag);
    headers.set("last-modified", modified);
    if (active === null || isFigureFault(active)) {
      if (matches(request.headers, etag, modified)) return new Response(null, { status: 304, headers });
    }
  }
  if (active !== null && !isFigureFault(active)) {
    return broken(active.behaviour as TransportFault, answer, headers, gone);
  }
  const body = bytesOf(answer);
  const status = answer.status ?? 200;
  const zipped = answer.contentType === "application/zip";
  if (zipped || !/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    return new Response(body, { status, headers });
  }
  headers.set("content-encoding", "gzip");
  headers.set("vary", "Accept-Encoding");
  return new Response(new Uint8Array(gzipSync(body, { level: 5 })), { status, headers });
}

function isFigureFault({ behaviour: { kind } }: ActiveFault): boolean {
  return ["nan", "wrong-date", "tenfold", "decimal-slip", "correction", "over-limit", "unchanged"].includes(
    kind,
  );
}

/** If-None-Match decides where it is sent; a date matches only itself. */
function matches(headers: Headers, etag: string, modified: string): boolean {
  const tags = headers.get("if-none-match");
  if (tags === null) return headers.get("if-modified-since") === modified;
  return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

async function broken(
  fault: TransportFault,
  answer: Answer,
  headers: Headers,
  gone: Promise<void>,
): Promise<Response> {
  switch (fault.kind) {
    case "status":
      return new Response("the upstream is not well", { status: fault.code });
    case "html":
      return new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } });
    case "empty":
      return new Response(new Uint8Array(), { headers });
    case "truncated": {
      const whole = bytesOf(answer);
      return new Response(whole.slice(0, whole.length >> 1), { headers });
    }
    case "slow":
      return new Response(trickle(bytesOf(answer), fault.bytes ?? 64, fault.everyMilliseconds ?? 50), {
        headers,
      });
    case "hang":
      await gone;
      return new Response(null, { status: 503 });
    case "zip-bomb":
      headers.set("content-type", "application/zip");
      return new Response(zipBomb(fault.mebibytes ?? 1024), { headers });
    case "gzip-bomb":
      headers.set("content-encoding", "gzip");
      return new Response(gzipBomb(fault.mebibytes ?? 1024), { headers });
  }
}

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><h1>Be right back</h1></body></html>\n";

function trickle(bytes: Uint8Array, size: number, everyMilliseconds: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await Bun.sleep(everyMilliseconds);
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
    cancel() {
      at = bytes.length;
    },
  });
}

function bytesOf(answer: Answer): Uint8Array<ArrayBuffer> {
  const body = answer.body();
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

function httpDate(instant: Instant): string {
  return new Date(instant).toUTCString();
}

const MEBIBYTE = 1_048_576;

/** A history archive that declares a modest size and unpacks to `mebibytes` of zeros. */
function zipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  return zipArchive({
    name: "eurofxref-hist.csv",
    compressed: deflatedZeros(mebibytes),
    size: 1_900_000,
    crc: crcOfZeros(mebibytes),
    modified: Date.UTC(2026, 0, 1),
  });
}

/** An intact gzip stream of `mebibytes` of zeros. */
function gzipBomb(mebibytes: number): Uint8Array<ArrayBuffer> {
  const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crcOfZeros(mebibytes), 0);
  trailer.writeUInt32LE((mebibytes * MEBIBYTE) % 2 ** 32, 4);
  return new Uint8Array(Buffer.concat([header, deflatedZeros(mebibytes), trailer]));
}

/** A full flush ends a block on a byte and forgets what came before, so its bytes may be repeated. */
function deflatedZeros(mebibytes: number): Uint8Array {
  const block = deflateRawSync(new Uint8Array(MEBIBYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...new Array<Uint8Array>(mebibytes).fill(block), Uint8Array.of(3, 0)]);
}

function crcOfZeros(mebibytes: number): number {
  const zeros = new Uint8Array(MEBIBYTE);
  let crc = 0;
  for (let done = 0; done < mebibytes; done++) crc = crc32(zeros, crc);
  return crc;
}
