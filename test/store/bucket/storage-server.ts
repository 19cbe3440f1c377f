/** S3-compatible storage in the test's hands: in this process, or moto in one of its own; and a way to it that can be slow, refuse, break off or end. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BucketPlace, openBucketClient, type Patience } from "#store/bucket/client.ts";
import { type LakeStorageOptions, openLakeStorage } from "#store/bucket/storage.ts";
import type { LakeOptions } from "#store/lake/lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { openedLake } from "#test/store/lake/sample.ts";
import { atEnd, onceInFile } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { startMemoryStorage } from "./memory-storage.ts";

/** Python with moto; null prints why the tests are skipped. */
export const MOTO = optionalPython(["moto.server"], "a lake in a bucket");

/** Quick, so that an outage costs a test little. */
export const QUICK: Patience = { attempts: 3, firstPause: 5, deadline: 3_000 };

export const TABLES = ["revisions", "held", "statements", "daily", "intraday", "official"];

export const CREDENTIALS = {
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test-secret",
  AWS_REGION: "eu-central-1",
};

const memory = onceInFile(() => {
  const storage = startMemoryStorage();
  atEnd(storage.stop);
  return storage;
});

const moto = onceInFile(async (): Promise<string> => {
  const port = freePort();
  const child = Bun.spawn([MOTO ?? "python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], {
    stdout: "ignore",
    stderr: "ignore",
  });
  atEnd(async () => {
    child.kill();
    await child.exited;
  });
  const address = `http://127.0.0.1:${port}`;
  await until("moto answers", () =>
    fetch(`${address}/moto-api/`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    ),
  );
  return address;
});

let buckets = 0;
const nameOfNew = () => `lake-${process.pid}-${++buckets}`;

const placeOf = (endpoint: string, bucket: string): BucketPlace => ({
  ...{ endpoint, bucket, region: CREDENTIALS.AWS_REGION, sessionToken: null },
  ...{ accessKeyId: CREDENTIALS.AWS_ACCESS_KEY_ID, secretAccessKey: CREDENTIALS.AWS_SECRET_ACCESS_KEY },
});

export async function newBucket(): Promise<BucketPlace> {
  const { endpoint, addBucket } = memory();
  const bucket = nameOfNew();
  addBucket(bucket);
  return placeOf(endpoint, bucket);
}

/** A new bucket of moto, which other programs read too; one server for all tests of a process. */
export async function motoBucket(): Promise<BucketPlace> {
  const [endpoint, bucket] = [await moto(), nameOfNew()];
  const response = await fetch(`${endpoint}/${bucket}`, { method: "PUT" });
  if (!response.ok) throw new Error(`the bucket was not made: ${await response.text()}`);
  return placeOf(endpoint, bucket);
}

export async function contentOf(place: BucketPlace): Promise<ReadonlyMap<string, string>> {
  const client = openBucketClient(place);
  const found = new Map<string, string>();
  for (const { key } of await client.list("")) found.set(key, (await client.text(key)) ?? "");
  return found;
}

/** The storage of a lake in a bucket, for a copy in `directory`; closed at the latest with the process. */
export async function openStorage(
  place: BucketPlace,
  directory: string,
  more: Partial<LakeStorageOptions> & { readonly copyBytes?: number } = {},
) {
  const { copyBytes = 100_000_000, ...rest } = more;
  const storage = await openLakeStorage({
    place: { ...place, prefix: "fx/lake", copyBytes },
    ...{ directory, tables: TABLES, leader: "daily", patience: QUICK },
    ...rest,
  });
  atEnd(storage.close);
  return storage;
}

type MachineOptions = NonNullable<Parameters<typeof openStorage>[2]> & {
  readonly directory?: string;
  readonly lake?: Partial<LakeOptions>;
};

/** A machine with its own copy of the lake in a bucket, and what it has emitted. */
export async function lakeMachine(place: BucketPlace, options: MachineOptions = {}) {
  const { directory = temporaryDirectory(), lake: ofLake, ...rest } = options;
  const events: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => void events.push(event);
  const storage = await openStorage(place, directory, { emit, ...rest });
  const lake = await openedLake(directory, { storage, emit, ...ofLake });
  const close = async () => {
    await lake.close();
    await storage.close();
  };
  return { directory, storage, lake, events, kinds: () => events.map(({ kind }) => kind), close };
}

export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  /** 1 for the first one on this way. */
  readonly number: number;
}

/**
 * What becomes of a request. `cut` and `gone` end the connection without an answer, after and before the storage has it; `pause`
 * does something before it passes.
 */
export type Fate =
  | "pass"
  | "cut"
  | "gone"
  | "refuse"
  | { readonly pause: () => unknown }
  | { readonly before: () => unknown };

/** A way to the server; all requests pass until something else is decided. */
export async function wayTo(target: string) {
  let fateOf = (_: PassedRequest): Fate => "pass";
  const requests: PassedRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url = "/" } = request;
    const passed = { method, path: url.split("?")[0] ?? "", number: requests.length + 1 };
    requests.push(passed);
    const fate = fateOf(passed);
    if (fate === "gone") return request.socket.destroy();
    if (fate === "refuse") {
      response.writeHead(503, { "content-type": "application/xml" });
      return response.end("<Error><Code>SlowDown</Code></Error>");
    }
    if (typeof fate === "object" && "before" in fate) {
      await fate.before();
      return request.socket.destroy();
    }
    if (typeof fate === "object" && "pause" in fate) await fate.pause();
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const forwarded = await fetch(target + url, { method, headers, body });
    const bytes = new Uint8Array(await forwarded.arrayBuffer());
    if (fate === "cut") return request.socket.destroy();
    const { "content-encoding": ___, ...kept } = Object.fromEntries(forwarded.headers);
    response.writeHead(forwarded.status, { ...kept, "content-length": String(bytes.length) });
    return response.end(bytes);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    decide: (fate: (request: PassedRequest) => Fate) => {
      fateOf = fate;
    },
  };
}

/** A new bucket, and a way to it: `through` is the bucket by that way. */
export async function bucketBehind(open: () => Promise<BucketPlace> = newBucket) {
  const place = await open();
  const way = await wayTo(place.endpoint);
  return { place, way, through: { ...place, endpoint: way.endpoint } };
}
