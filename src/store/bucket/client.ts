/** Requests to S3-compatible storage: signed, with a deadline, repeated with growing pauses; nothing here knows of tables. */

import { AwsV4Signer } from "aws4fetch";
import { inSeveral } from "#domain/queues/fair-queue.ts";
import { StorageAway } from "#store/delta/storage.ts";

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** How long ago it was written, in milliseconds, by the storage's own clock. */
  readonly age: number;
}

/**
 * Reads a page of a listing; `at` is the instant of the answer by the storage's clock. Throws for any other text, also for a page without
 * its end: no length is stated, and behind a proxy that speaks HTTP/1.0 a connection that broke looks like the end.
 */
export function listedIn(text: string, at: number): readonly ListedObject[] {
  if (!/<ListBucketResult.*<\/ListBucketResult>/s.test(text))
    throw new Error("the answer is no whole listing");
  return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => {
    const [key, bytes, written] = [
      within(entry, "Key"),
      within(entry, "Size"),
      within(entry, "LastModified"),
    ];
    const object = {
      // Keys are percent-encoded (`encoding-type=url`) and need no unescaping of XML.
      key: decodeURIComponent((key ?? "").replaceAll("+", " ")),
      bytes: Number(bytes ?? Number.NaN),
      age: at - Date.parse(written ?? ""),
    };
    if (key === null || Number.isNaN(object.bytes) || Number.isNaN(object.age))
      throw new Error("an entry of a listing has no key, size or time");
    return object;
  });
}

/** Returns the token of the next page; null after the last. */
export function nextPageIn(text: string): string | null {
  if (within(text, "IsTruncated") !== "true") return null;
  const token = within(text, "NextContinuationToken");
  if (token === null) throw new Error("a listing breaks off");
  return token
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function within(text: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? null;
}

export interface BucketPlace {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. The bucket is the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

export interface Patience {
  readonly attempts: number;
  /** Mean pause after the first attempt, in milliseconds; doubled after each later one. */
  readonly firstPause: number;
  /** Milliseconds for one attempt of a small request. */
  readonly deadline: number;
}

const PATIENCE: Patience = { attempts: 5, firstPause: 200, deadline: 5_000 };
/** The slowest transfer, in bytes a millisecond. */
const SLOWEST = 200;

export type BucketClient = ReturnType<typeof openBucketClient>;

interface Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob;
  /** The size of the body that is sent or expected. */
  readonly bytes?: number;
  readonly expected: readonly number[];
}

/**
 * Opens a client. Keys are relative to the bucket. Every method rejects with StorageAway when all attempts have failed. From
 * then on each request has one attempt until one succeeds: an outage delays nothing for long.
 */
export function openBucketClient(place: BucketPlace, patience: Partial<Patience> = {}) {
  const { attempts, firstPause, deadline } = { ...PATIENCE, ...patience };
  const { region, accessKeyId, secretAccessKey, sessionToken } = place;
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken === null ? {} : { sessionToken }) };
  let isAway = false;

  /** Reads the body within the attempt: it may break off, too. */
  const send = async <T>(request: Request, take: (response: Response) => Promise<T>): Promise<T> => {
    const { method, key, query = "", headers = {}, body = null, bytes = 0, expected } = request;
    const name = `${method} ${place.bucket}/${key}`;
    for (let attempt = 1; ; attempt++) {
      try {
        const signed = await new AwsV4Signer({
          ...{ ...keys, service: "s3", region, method, headers, body },
          url: `${place.endpoint}/${place.bucket}/${encoded(key)}${query}`,
        }).sign();
        const response = await fetch(signed.url, {
          ...{ method, body, headers: signed.headers, redirect: "manual" },
          signal: AbortSignal.timeout(deadline + bytes / SLOWEST),
        });
        if (!expected.includes(response.status))
          throw new Refusal(response.status, codeIn(await response.text().catch(() => "")));
        const taken = await take(response);
        isAway = false;
        return taken;
      } catch (fault) {
        const isFinal = fault instanceof Refusal && !fault.mayPass;
        const detail = fault instanceof Error ? fault.message : String(fault);
        if (isFinal || isAway || attempt >= attempts) {
          isAway ||= !isFinal;
          throw new StorageAway(`${name}: ${detail}`);
        }
        await Bun.sleep(firstPause * 2 ** (attempt - 1) * (0.5 + Math.random()));
      }
    }
  };

  const get = <T>(key: string, bytes: number, take: (response: Response) => Promise<T>): Promise<T | null> =>
    send({ method: "GET", key, bytes, expected: [200, 404] }, async (response) => {
      if (response.status === 200) return await take(response);
      // A missing bucket is a fault of the settings or the storage.
      if (codeIn(await response.text()) === "NoSuchBucket") throw new Refusal(404, "NoSuchBucket");
      return null;
    });

  return {
    /** Lists the objects under a prefix, by ascending key; only those after `after`. */
    list: async (prefix: string, after: string | null = null): Promise<readonly ListedObject[]> => {
      const objects: ListedObject[] = [];
      const beyond = after === null ? "" : `&start-after=${encodeURIComponent(after)}`;
      for (let token: string | null = null; ; ) {
        const from: string = token === null ? "" : `&continuation-token=${encodeURIComponent(token)}`;
        const query = `?list-type=2&encoding-type=url${from}&prefix=${encodeURIComponent(prefix)}${beyond}`;
        const page = await send({ method: "GET", key: "", query, expected: [200] }, async (response) => {
          const date = Date.parse(response.headers.get("date") ?? "");
          const text = await response.text();
          return { listed: listedIn(text, Number.isNaN(date) ? Date.now() : date), next: nextPageIn(text) };
        });
        objects.push(...page.listed);
        token = page.next;
        if (token === null) return objects;
      }
    },
    /** Resolves with null when there is no such object. */
    text: (key: string): Promise<string | null> => get(key, 0, (response) => response.text()),
    /** Writes an object of `bytes` bytes into a file; resolves with false when there is no such object. */
    download: async (key: string, path: string, bytes: number): Promise<boolean> =>
      (await get(key, bytes, (response) => Bun.write(path, response))) !== null,
    /** Writes or replaces an object. The storage checks `sha256`. */
    put: (key: string, body: string | Blob, sha256: string): Promise<void> =>
      send({ method: "PUT", key, body, ...about(body, sha256), expected: [200] }, drained),
    /** Writes a new object. Resolves with false when it exists, perhaps by an earlier attempt with a lost answer. */
    putIfAbsent: (key: string, body: string | Blob, sha256: string): Promise<boolean> =>
      send(
        { method: "PUT", key, body, ...about(body, sha256, { "if-none-match": "*" }), expected: [200, 412] },
        async (response) => {
          await drained(response);
          return response.status === 200;
        },
      ),
    remove: (key: string): Promise<void> =>
      send({ method: "DELETE", key, expected: [200, 204, 404] }, drained),
  };
}

function about(body: string | Blob, sha256: string, condition: Record<string, string> = {}) {
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.size;
  return { bytes, headers: { "x-amz-content-sha256": sha256, ...condition } };
}

/** Reads the answer to its end: only then is the connection reused. */
async function drained(response: Response): Promise<void> {
  await response.arrayBuffer();
}

class Refusal extends Error {
  readonly mayPass: boolean;

  constructor(status: number, code: string) {
    super(`the storage answered ${status}${code === "" ? "" : ` ${code}`}`);
    this.mayPass = status >= 500 || [408, 409, 425, 429].includes(status) || code === "RequestTimeTooSkewed";
  }
}

function codeIn(text: string): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? "";
}

/** Escapes a key as the signature requires. */
function encoded(key: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return key
    .split("/")
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, escaped))
    .join("/");
}

const AT_ONCE = 16;

/** Makes several requests at once, as inSeveral: a start reads hundreds of small objects. */
export const inGroups = <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> =>
  inSeveral(items, AT_ONCE, work);
