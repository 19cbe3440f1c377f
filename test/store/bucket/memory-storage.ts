/** S3-compatible storage in this process: what the client uses, and stricter than moto about it. client.test.ts holds both to one contract. */

import { sha256 } from "#domain/chain/entry.ts";

interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly writtenAt: number;
}

const PAGE_OBJECTS = 1000;

export function startMemoryStorage() {
  const buckets = new Map<string, Map<string, StoredObject>>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const [, bucket = "", ...parts] = pathname.split("/");
      const key = decodeURIComponent(parts.join("/"));
      if (!request.headers.get("authorization")?.startsWith("AWS4-HMAC-SHA256 "))
        return refusal(403, "AccessDenied");
      const objects = buckets.get(bucket);
      if (objects === undefined) return refusal(404, "NoSuchBucket");
      if (request.method === "GET" && key === "") return listing(objects, searchParams);
      if (request.method === "GET") {
        const object = objects.get(key);
        return object === undefined ? refusal(404, "NoSuchKey") : new Response(object.bytes);
      }
      if (request.method === "DELETE") {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      if (request.method !== "PUT") return refusal(405, "MethodNotAllowed");
      const bytes = new Uint8Array(await request.arrayBuffer());
      const digest = sha256(bytes);
      if (digest !== request.headers.get("x-amz-content-sha256"))
        return refusal(400, "XAmzContentSHA256Mismatch");
      if (request.headers.get("if-none-match") === "*" && objects.has(key))
        return refusal(412, "PreconditionFailed");
      objects.set(key, { bytes, writtenAt: Date.now() });
      return new Response(null);
    },
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    addBucket: (name: string) => void buckets.set(name, new Map()),
    stop: () => server.stop(true),
  };
}

function refusal(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code></Error>`, { status });
}

function listing(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): Response {
  const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
  const prefix = query.get("prefix") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE_OBJECTS);
  const entries = page.map((key) => {
    const { bytes, writtenAt } = objects.get(key) as StoredObject;
    // To the second, as the date of the answer is.
    const written = new Date(writtenAt - (writtenAt % 1000)).toISOString();
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${written}</LastModified><Size>${bytes.length}</Size></Contents>`;
  });
  const isCut = keys.length > page.length;
  const next = isCut
    ? `<NextContinuationToken>${Bun.escapeHTML(page.at(-1) ?? "")}</NextContinuationToken>`
    : "";
  const headers = { date: new Date().toUTCString() };
  return new Response(
    `<ListBucketResult>${entries.join("")}<IsTruncated>${isCut}</IsTruncated>${next}</ListBucketResult>`,
    { headers },
  );
}
