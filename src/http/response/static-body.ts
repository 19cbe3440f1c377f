/**
 * Bodies that never change while the process runs. Each is made at the first request, tagged, and compressed once for each coding. They
 * are sent as Blobs: all answers share a Blob's bytes, while each would have its own copy of an array.
 */

import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { Failure } from "#domain/faults/errors.ts";
import type { Params, Route } from "#http/request/route.ts";
import { etagOf } from "./conditions.ts";
import { encodingFor } from "./content-coding.ts";
import { pathOf } from "./failures.ts";
import type { LargeBodies } from "./large-bodies.ts";
import type { Encoding } from "./negotiation.ts";
import { respond } from "./respond.ts";
import { type AnswersUnderWay, SMALLEST_LARGE } from "./under-way.ts";

/** Off the event loop, and well: each body is compressed once. */
const COMPRESS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
};

export interface StaticBody {
  readonly mime: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called at most once. */
  readonly load: () => Promise<Uint8Array<ArrayBuffer>>;
}

interface Loaded {
  readonly plain: Blob;
  readonly etag: string;
  /** The body in a coding, made when it is first asked for. */
  coded(encoding: Encoding): Promise<Blob>;
}

export interface StaticDeps {
  readonly simulated: boolean;
  readonly underWay: AnswersUnderWay;
  readonly large: LargeBodies;
}

/**
 * Makes the answering function of one body: 200, or 304 for a matching If-None-Match. Failure `rate_limited` for a large one
 * while too many are under way to the address.
 */
export function createStaticBody(
  body: StaticBody,
  { simulated, underWay, large }: StaticDeps,
): (request: Request) => Promise<Response> {
  let loading: Promise<Loaded> | null = null;
  return async (request) => {
    loading ??= load(body).catch((fault: unknown) => {
      loading = null;
      throw fault;
    });
    const { plain, etag, coded } = await loading;
    const { mime, cacheControl } = body;
    const fields = { mime, cacheControl, etag, vary: "Accept-Encoding", headers: body.headers ?? {} };
    return respond(request, { simulated }, fields, async () => {
      const encoding = encodingFor(request.headers, plain.size);
      const sent = encoding === null ? plain : await coded(encoding);
      if (sent.size > SMALLEST_LARGE) underWay.admit(request);
      return { body: large.shared(request, sent), bytes: sent.size, encoding };
    });
  };
}

/** The route of files that are named by the last segment of `path`, `:file`. Failure `not_found` for any other name. */
export function staticFiles(
  path: string,
  files: Readonly<Record<string, StaticBody>>,
  deps: StaticDeps,
): Route {
  const bodies = new Map(Object.entries(files).map(([name, body]) => [name, createStaticBody(body, deps)]));
  const handle = (request: Request, { file = "" }: Params) => {
    const send = bodies.get(file);
    if (send === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
    return send(request);
  };
  return { method: "GET", path, handle };
}

async function load(body: StaticBody): Promise<Loaded> {
  const bytes = await body.load();
  const etag = etagOf(bytes);
  // A Blob copies: what is not referenced below is in memory once.
  const plain = new Blob([bytes]);
  const made = new Map<Encoding, Promise<Blob>>();
  const code = async (encoding: Encoding) => new Blob([await COMPRESS[encoding](await plain.bytes())]);
  return {
    plain,
    etag,
    coded: (encoding) => {
      const known = made.get(encoding) ?? code(encoding);
      made.set(encoding, known);
      return known;
    },
  };
}
