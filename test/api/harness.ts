/** The application on a small known world and a fixed clock, and a client that checks every answer against the OpenAPI document. */

import { expect } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { openMeterless } from "#api/request/metering.ts";
import { createApp, type HttpDeps } from "#api/server.ts";
import { EVENT_FRAMES } from "#api/stream/stream.ts";
import { openMcp } from "#assembly/mcp.ts";
import { NOTHING_UNSETTLED } from "#domain/acceptance/unsettled.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import type { Instant } from "#domain/time/day.ts";
import type { StatusLog } from "#ports/ledger.ts";
import type { Exports, HotBook } from "#ports.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { openSpot, type SpotDeps } from "#rates/spot.ts";
import { openStream, type StreamDeps } from "#rates/stream/stream.ts";
import { type ExportsOptions, openExports } from "#store/export/exports.ts";
import { datasetOf, ecb, fred, type PlainObservation } from "#test/domain/history/columns.ts";
import { SMALL_EXPORTS } from "#test/store/export/plans.ts";
import { openSite } from "#web/pages.ts";
import { assertResponseConforms } from "./openapi/conformance.ts";

export { post } from "#test/metered/client.ts";

/** Nothing was ever looked at. */
const EMPTY_STATUS_LOG: StatusLog = {
  note: async () => {},
  prune: async () => {},
  read: async () => ({ incidents: [], days: [], delays: new Map() }),
};

/** Monday 13 April 2026, 16:30 UTC: half an hour after the ECB's figures of the day are due. */
export const NOW = Date.parse("2026-04-13T16:30:00Z");

/** Two weeks around Easter 2026 with the ECB closed from Friday the 3rd to Monday the 6th, and three H.10 figures. */
export const WORLD: readonly PlainObservation[] = [
  ...[
    "2026-03-31",
    "2026-04-01",
    "2026-04-02",
    "2026-04-07",
    "2026-04-08",
    "2026-04-09",
    "2026-04-10",
    "2026-04-13",
  ].flatMap((date, index) => [
    ecb(date, "USD", (1.16 + index / 1000).toFixed(4)),
    ecb(date, "GBP", (0.85 + index / 1000).toFixed(5)),
    ecb(date, "JPY", (186 + index / 4).toFixed(2)),
    ecb(date, "HUF", "366.90"),
  ]),
  ...["2026-04-02", "2026-04-03", "2026-04-10"].map((date) => fred(date, "TWD", "32.1", 2)),
];

/** The real thing, in a folder of this process; the next process clears it away. One DuckDB serves all tests of a process. */
export function testExports(changes: Partial<ExportsOptions> = {}): Exports {
  return openExports({
    ...SMALL_EXPORTS,
    directory: join(tmpdir(), "crossrate-test-exports"),
    isOwnProcess: false,
    emit: (event) => {
      if (event.kind !== "export_made") throw new Error(JSON.stringify(event));
    },
    ...changes,
  });
}

/** A dataset with a document for every figure: what the real lake says of them is in test/api/rates/explain.test.ts. */
function documented(dataset: Dataset): Dataset {
  const { count } = dataset.history.observations;
  const document = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml";
  const list = [{ document, documentSha256: "3f".repeat(32) }];
  const { publishedAt = new Float64Array(count).fill(Number.NaN), superseded = [] } = dataset.revisions ?? {};
  const documents = { list, places: new Int32Array(count) };
  return { ...dataset, revisions: { publishedAt, superseded, documents } };
}

export const SAMPLE_SOURCES: Pick<HttpDeps, "giver"> = {
  giver: (name) =>
    name === "ecb_daily"
      ? {
          authority: "European Central Bank",
          terms: "Source: European Central Bank, euro foreign exchange reference rates.",
        }
      : { authority: name, terms: `Source: ${name}.` },
};

/** These tests hold their world in memory: there are no files to open. */
const NO_LAKE: HttpDeps["lakeFiles"] = {
  manifest: async () => {
    throw new Error("this test has no lake");
  },
  open: async () => null,
};

/** The protocol as the product serves it, without official tables. */
const TEST_MCP = openMcp({
  version: "0.0.0-test",
  officialTables: [],
  emit: (event) => {
    throw new Error(JSON.stringify(event));
  },
});

export interface TestLive extends Pick<SpotDeps, "policy" | "delayMinutes"> {
  readonly hotBook: Pick<HotBook, "read" | "subscribe" | "state">;
  readonly feeds: HttpDeps["feeds"];
}

export interface TestChanges extends Partial<Omit<HttpDeps, "spot" | "hotBook" | "feeds" | "stream">> {
  readonly streaming?: Partial<Pick<StreamDeps, "every" | "streamSubscribers">>;
  readonly live?: Partial<TestLive>;
  readonly world?: Dataset;
  readonly now?: Instant;
}

/** No live quote and nothing that would be served live. */
export const NOTHING_LIVE: TestLive = {
  hotBook: {
    read: () => EMPTY_BOOK,
    subscribe: () => () => {},
    state: () => ({ status: "ok", detail: null, lastSeenAt: null }),
  },
  feeds: {
    order: [],
    currencies: [],
    kind: "memory",
    states: () => null,
    references: () => new Map(),
    refused: () => [],
  },
  policy: { currencies: new Set(), staleAfterSeconds: () => 300 },
  delayMinutes: 0,
};

/** A stream that looks for changes only when the book reports some. */
const NO_TICKS: Pick<StreamDeps, "every" | "streamSubscribers" | "frames"> = {
  every: () => () => {},
  streamSubscribers: 100,
  frames: EVENT_FRAMES,
};

/** One for all applications of a process: nothing changes it, and what is derived of a history is kept by that history. */
const PLAIN_WORLD = datasetOf(WORLD);

export type TestApp = ReturnType<typeof openTestApp>;

export function openTestApp(given: TestChanges = {}) {
  const { live, streaming, world = PLAIN_WORLD, ...changes } = given;
  let { now = NOW } = given;
  let [dataset, before] = [documented(world), documented(world)];
  const lively = { ...NOTHING_LIVE, ...live };
  const plain: Omit<HttpDeps, "spot" | "stream"> = {
    hotBook: lively.hotBook,
    feeds: lively.feeds,
    clock: { now: () => now },
    emit: (event) => {
      if (event.kind === "request_failed") throw new Error(`internal error: ${event.error}`);
    },
    version: "0.0.0-test",
    simulated: false,
    dataset: () => dataset,
    pinned: (version) => [dataset, before].find(({ history }) => history.version === version) ?? null,
    unsettled: () => ({ ecb_daily: NOTHING_UNSETTLED, fred_daily: NOTHING_UNSETTLED }),
    process: () => ({ role: "all", collecting: true, stopping: false }),
    collection: () => [],
    probeLake: async () => "ok",
    lakeDamage: () => [],
    lakeFiles: NO_LAKE,
    signedHistory: null,
    ...SAMPLE_SOURCES,
    cursorSecret: "a secret of this test",
    ...openAllSeriesCaches(new CacheBudget(48 * 1024 * 1024)),
    exports: testExports(),
    archive: null,
    callerOf: () => "a test",
    answersPerAddress: 64,
    isDone: () => true,
    allowedHosts: [],
    mcpOrigins: [],
    mcp: TEST_MCP,
    batchLimit: 100,
    publicUrl: "http://localhost",
    statusLog: EMPTY_STATUS_LOG,
    startedAt: NOW,
    pageDelayMinutes: 0,
    streamBounds: { perCaller: 20, perNetwork: 100, keyless: 100 },
    account: null,
    billing: null,
    accounts: null,
    identity: null,
    webhooks: null,
    official: null,
    officialStatus: null,
    meter: openMeterless(0),
    openSite,
    ...changes,
  };
  const spot = openSpot({ ...plain, ...lively });
  const { hotBook } = lively;
  const stream = openStream({ ...plain, ...NO_TICKS, spot, hotBook, ...streaming });
  const deps: HttpDeps = { ...plain, spot, stream };
  const app = createApp(deps);
  const visit = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("host")) headers.set("host", "localhost");
    return await app.answer(new Request(`http://localhost${path}`, { ...init, headers }));
  };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await visit(path, init);
    await assertResponseConforms(init.method ?? "GET", path, await asReceived(init.method, response.clone()));
    return response;
  };
  const refused = async (path: string, code: ErrorCode, init?: RequestInit) => {
    const response = await ask(path, init);
    const body = await response.clone().json();
    expect(`${path} ${body.code}`).toBe(`${path} ${code}`);
    return response;
  };
  return {
    ...app,
    deps,
    /** Answers a request and checks the answer against the document; paths start with "/". */
    ask,
    visit,
    /** The same instance at another time. */
    at: (instant: string | Instant) => {
      now = typeof instant === "string" ? Date.parse(instant) : instant;
    },
    /** The same instance with newer figures; those before stay readable for pages that have begun. */
    show: (next: Dataset) => {
      [before, dataset] = [dataset, documented(next)];
    },
    /** As a browser asks for it; `text` is the page without its markup. */
    page: async (path: string) => {
      const answer = await visit(path, { headers: { accept: "text/html" } });
      const html = await answer.text();
      const { status, headers } = answer;
      return { status, headers, html, text: html.replace(/<[^>]*>/g, "") };
    },
    async get(path: string, init?: RequestInit) {
      const response = await ask(path, init);
      expect(`${path} ${response.status}`).toBe(`${path} 200`);
      return await response.json();
    },
    /** A request that must be refused with a code; resolves with the response. */
    refused,
    reason: async (...request: Parameters<typeof refused>): Promise<string> =>
      (await (await refused(...request)).json()).message,
  };
}

/** What a client would see: the server sends no body to HEAD, and clients undo the content encoding. */
async function asReceived(method: string | undefined, response: Response): Promise<Response> {
  if (method === "HEAD") return new Response(null, response);
  const encoding = response.headers.get("content-encoding");
  if (encoding === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const plain =
    encoding === "br"
      ? brotliDecompressSync(bytes)
      : encoding === "gzip"
        ? gunzipSync(bytes)
        : zstdDecompressSync(bytes);
  return new Response(new Uint8Array(plain), response);
}
