/**
 * Bodies that never change while the process runs. Small ones and documents are made at the first request, tagged, and compressed for
 * each coding that is asked for. They are sent as Blobs: all answers share a Blob's bytes, while each would have its own copy of an
 * array. The budget of caches lets go of what was unused for longest; it is then made again. Large files are sent from the disk, where
 * their compressed forms lie beside them.
 */

import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import { Failure } from "#domain/faults/errors.ts";
import { etagOf } from "./conditions.ts";
import { encodingFor } from "./content-coding.ts";
import { pathOf } from "./failures.ts";
import { SENT_BY_SYSTEM_BYTES } from "./large-bodies.ts";
import type { Encoding } from "./negotiation.ts";
import { respond } from "./respond.ts";
import { type AnswersUnderWay, SMALLEST_LARGE } from "./under-way.ts";

/** Quality 9 takes 36 MB whatever the body is, and 55 MB for one of 4 MB; quality 6 with a window of 256 KB takes 5 and 14 MB and gives 2 to 11 % more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** Off the event loop, and well: each body is compressed once. */
const COMPRESS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
};

export type StaticBody = MadeBody | FileBody;

interface BodyFields {
  readonly mime: string;
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MadeBody extends BodyFields {
  /** Gives the same bytes whenever it is called. */
  readonly load: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A file, with the same compressed as `<path>.br` and `<path>.gz`. */
interface FileBody extends BodyFields {
  readonly path: string;
}

/** A body in the codings that it has. */
interface Forms {
  readonly codings: readonly Encoding[];
  facts(): Facts | Promise<Facts>;
  form(encoding: Encoding | null, mustBeInMemory: boolean): Blob | Promise<Blob>;
}

/** Known from the first request on. */
interface Facts {
  readonly etag: string;
  readonly size: number;
}

export interface StaticDeps {
  readonly simulated: boolean;
  readonly underWay: AnswersUnderWay;
  readonly caches: CacheBudget;
}

/**
 * Makes the answering function of one body: 200, or 304 for a matching If-None-Match. Failure `rate_limited` for a large one
 * while too many are under way to the address.
 */
export function createStaticBody(
  body: StaticBody,
  { simulated, underWay, caches }: StaticDeps,
): (request: Request) => Promise<Response> {
  const forms = "path" in body ? formsOnDisk(body.path, caches) : madeForms(body, caches);
  return async (request) => {
    const { etag, size } = await forms.facts();
    const { mime, cacheControl } = body;
    const fields = { mime, cacheControl, etag, vary: "Accept-Encoding", headers: body.headers ?? {} };
    return respond(request, { simulated }, fields, async () => {
      const encoding = encodingFor(request.headers, size, forms.codings);
      // Given a file, the server would cut a range out of it. These answers are whole.
      const sent = await forms.form(encoding, request.headers.has("range"));
      if (sent.size > SMALLEST_LARGE) underWay.admit(request);
      return { body: sent, bytes: sent.size, encoding };
    });
  };
}

function madeForms(body: MadeBody, caches: CacheBudget): Forms {
  const cache = caches.cache<object, Blob>("static_bodies");
  let facts: Facts | null = null;
  const plain = shared(cache, async () => {
    const bytes = await body.load();
    const etag = etagOf(bytes);
    facts ??= { etag, size: bytes.byteLength };
    // Another body under the known tag would be a wrong answer that clients keep.
    if (facts.etag !== etag) throw new Error("a static body is another one than at its first request");
    return new Blob([bytes]);
  });
  const coded = {
    br: shared(cache, async () => await compress("br", await plain())),
    zstd: shared(cache, async () => await compress("zstd", await plain())),
    gzip: shared(cache, async () => await compress("gzip", await plain())),
  } satisfies Record<Encoding, () => Promise<Blob>>;
  return {
    codings: ["br", "zstd", "gzip"],
    facts: async () => {
      // Making the body sets them.
      if (facts === null) await plain();
      return facts as unknown as Facts;
    },
    form: (encoding) => (encoding === null ? plain() : coded[encoding]()),
  };
}

/** What the system does not send is kept in memory, where all readers share it. */
function formsOnDisk(path: string, caches: CacheBudget): Forms {
  const cache = caches.cache<object, Blob>("static_bodies");
  const form = (file: string) => {
    const onDisk = Bun.file(file);
    const inMemory = shared(cache, async () => new Blob([await onDisk.bytes()]));
    return (mustBeInMemory: boolean) =>
      onDisk.size > SENT_BY_SYSTEM_BYTES && !mustBeInMemory ? onDisk : inMemory();
  };
  const forms = { plain: form(path), br: form(`${path}.br`), gzip: form(`${path}.gz`), zstd: form(path) };
  const read = async (): Promise<Facts> => {
    const bytes = await Bun.file(path).bytes();
    return { etag: etagOf(bytes), size: bytes.byteLength };
  };
  /** Read once for all that ask meanwhile, and again only where that failed. */
  let facts: Promise<Facts> | null = null;
  return {
    codings: ["br", "gzip"],
    facts: () => {
      facts ??= read().catch((fault: unknown) => {
        facts = null;
        throw fault;
      });
      return facts;
    },
    form: (encoding, mustBeInMemory) => forms[encoding ?? "plain"](mustBeInMemory),
  };
}

/**
 * Bytes that take long to make are made once. After that they are stored compressed, in a sixth of their size, and are there again in a
 * millisecond when the cache has let go of them.
 */
export function madeOnce(make: () => Promise<Uint8Array<ArrayBuffer>>): MadeBody["load"] {
  let packed: Uint8Array<ArrayBuffer> | null = null;
  return async () => {
    if (packed !== null) return new Uint8Array(await Bun.zstdDecompress(packed));
    const bytes = await make();
    packed = new Uint8Array(await Bun.zstdCompress(bytes));
    return bytes;
  };
}

/** Makes the answering function of files by their names. Failure `not_found` for any other name. */
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

/**
 * A form of a body, made once for all that ask while it is not there. One that is too large for the budget is kept all the same: a copy
 * for each answer would be more.
 */
function shared(cache: Cache<object, Blob>, make: () => Promise<Blob>): () => Promise<Blob> {
  const key = {};
  let making: Promise<Blob> | null = null;
  return () => {
    const known = cache.get(key);
    if (known !== undefined) return Promise.resolve(known);
    making ??= make().then(
      (blob) => {
        cache.set(key, blob, blob.size);
        if (cache.get(key) !== undefined) making = null;
        return blob;
      },
      (fault: unknown) => {
        making = null;
        throw fault;
      },
    );
    return making;
  };
}

/** The compression of large bodies takes tens of megabytes for each: they wait for each other. */
let last: Promise<unknown> = Promise.resolve();

function compress(encoding: Encoding, plain: Blob): Promise<Blob> {
  const blob = last.then(async () => new Blob([await COMPRESS[encoding](await plain.bytes())]));
  last = blob.then(
    () => {},
    () => {},
  );
  return blob;
}
