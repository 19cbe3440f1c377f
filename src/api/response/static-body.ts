/**
 * Bodies that do not change: loaded at the first request, tagged, and compressed once per coding. They are sent as Blobs:
 * all answers share a Blob's bytes, while each would copy an array.
 */

import { Failure } from "#domain/faults/errors.ts";
import { once } from "#domain/queues/once.ts";
import { etagOf } from "./conditions.ts";
import { pathOf } from "./failures.ts";
import { cacheFor } from "./headers.ts";
import { type LargeBodies, SMALLEST_LARGE } from "./large-bodies.ts";
import { compressAside, type Encoding, encodingFor } from "./negotiation.ts";
import { respond } from "./respond.ts";

type Content = string | Uint8Array<ArrayBuffer> | Blob;

export interface StaticBody {
  readonly mime: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, at the first request; again only after a failure. */
  readonly load: () => Content | Promise<Content>;
}

export interface StaticDeps {
  readonly simulated: boolean;
  readonly large: LargeBodies;
}

/**
 * Makes the answering function of one body: 200, or 304 for a matching If-None-Match. Fails with `rate_limited` for a
 * large one while the address has too many open.
 */
export function createStaticBody(
  body: StaticBody,
  { simulated, large }: StaticDeps,
): (request: Request) => Promise<Response> {
  const { mime, cacheControl, headers = {} } = body;
  const plain = once(async () => {
    const content = await body.load();
    const blob = content instanceof Blob ? content : new Blob([content]);
    return { blob, etag: etagOf(await blob.bytes()) };
  });
  const coded = (encoding: Encoding) =>
    once(async () => new Blob([await compressAside(await (await plain.get()).blob.bytes(), encoding)]));
  const forms = { br: coded("br"), zstd: coded("zstd"), gzip: coded("gzip") };
  return async (request) => {
    const { blob, etag } = await plain.get();
    const fields = { mime, cacheControl, etag, vary: "Accept-Encoding", headers };
    return respond(request, { simulated }, fields, async () => {
      const encoding = encodingFor(request.headers, blob.size);
      const sent = encoding === null ? blob : await forms[encoding].get();
      if (sent.size > SMALLEST_LARGE) large.admit(request);
      return { body: sent, bytes: sent.size, encoding };
    });
  };
}

/** Makes the handler of a JSON document that is made at the first request. */
export function staticJson(make: () => object, deps: StaticDeps) {
  const load = () => JSON.stringify(make());
  const send = createStaticBody({ mime: "application/json", cacheControl: cacheFor(300), load }, deps);
  return async ({ request }: { readonly request: Request }) => await send(request);
}

/** Makes the answering function of files by their names. Fails with `not_found` for any other name. */
export function staticFiles(
  files: Readonly<Record<string, StaticBody>>,
  deps: StaticDeps,
): (request: Request, file: string) => Promise<Response> {
  const bodies = new Map(Object.entries(files).map(([name, body]) => [name, createStaticBody(body, deps)]));
  return async (request, file) => {
    const send = bodies.get(file);
    if (send === undefined) throw new Failure("not_found", { path: pathOf(request.url) });
    return await send(request);
  };
}
