import { describe, expect, test } from "bun:test";
import { openApiDocument } from "#api/openapi/document.ts";
import { describedRoutes } from "#api/resources.ts";
import { bearer, json, post } from "#test/metered/client.ts";
import { openClientServer } from "./server.ts";

/** Routes for people, for other services' clients, and for readers of documents: no calls of programs. */
const OTHER_SURFACES =
  /^\/(compat|docs|openapi\.json|v1\/(auth|account|keys|consent|billing|mcp|official\/changes\.atom))(\/|$)/;
/** Operations that a method gives by another operation. */
const SAME_AS: Readonly<Record<string, string>> = {
  getLatestOnBase: "latest",
  getHistoricalOnBase: "historical",
  convertPair: "convert",
  convertAmountOfficially: "official.convert",
};
/** Files of the lake, which one method fetches by their paths. */
const LAKE_FILE = /^getLake(Daily|Revisions|Held|Intraday|OfficialFile|Current\w+)$/;

const YEAR = {
  symbols: ["USD", "GBP"],
  base: "EUR",
  start_date: "2025-01-01",
  end_date: "2025-12-31",
} as const;
const FIX = { country: "MEX", type: "fix" };
const FIX_PATH = "/v1/official/mex/fix";

let called: { readonly method: string; readonly path: string }[] = [];
const server = await openClientServer();
const fetchAndNote = (request: Request) => {
  called.push({ method: request.method.toLowerCase(), path: new URL(request.url).pathname });
  return fetch(request);
};
const { crossrate } = server.client({ fetch: fetchAndNote });

const raw = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, ...bearer(server.keys.pro) } });
const body = async (path: string) => json(await raw(path));

const DATED = [
  { from: "USD", to: "EUR", amount: "49.90", date: "2024-03-02" },
  { from: "USD", to: "MXN", amount: 1e-7, date: "2026-04-14", table: "mex/fix" },
] as const;
const SWISS = { base: "EUR", symbols: ["CHF"] } as const;
const JANUARY = { start_date: "2015-01-05", end_date: "2015-01-30" };
const OF_YEAR = "base=EUR&symbols=USD,GBP&start_date=2025-01-01&end_date=2025-12-31";
const AS_OF = "2026-04-14T11:00:00Z";

/** A request by hand, the call of the client that gives the same, and the body of both. */
const CALLS: readonly (readonly [path: string, typed: () => Promise<unknown>, body?: object])[] = [
  ["/v1/latest", () => crossrate.latest()],
  [
    "/v1/latest?base=EUR&symbols=USD,TWD&dp=3",
    () => crossrate.latest({ base: "EUR", symbols: ["USD", "TWD"], dp: 3 }),
  ],
  ["/v1/latest?symbols=JPY", () => crossrate.latest({ symbols: "JPY" })],
  ["/v1/2015-01-15?base=EUR&symbols=CHF", () => crossrate.historical("2015-01-15", SWISS)],
  [
    `/v1/2026-04-10?as_of=${AS_OF}&as_of_basis=retrieved`,
    () => crossrate.historical("2026-04-10", { symbols: "*", as_of: AS_OF, as_of_basis: "retrieved" }),
  ],
  [
    "/v1/fluctuation?base=EUR&symbols=CHF&start_date=2015-01-05&end_date=2015-01-30",
    () => crossrate.fluctuation({ ...SWISS, ...JANUARY }),
  ],
  ["/v1/average?base=EUR&symbols=CHF&period=2015", () => crossrate.average({ ...SWISS, period: "2015" })],
  ["/v1/rate/usd-eur?dp=4", () => crossrate.rate("usd-eur", { dp: 4 })],
  ["/v1/convert/USD/EUR/100.50", () => crossrate.convert("USD", "EUR", "100.50")],
  ["/v1/convert/USD/EUR", () => crossrate.convert("USD", "EUR")],
  [
    "/v1/convert/USD/EUR/0.0000001?date=2024-03-01",
    () => crossrate.convert("USD", "EUR", 1e-7, { date: "2024-03-01" }),
  ],
  [
    "/v1/convert",
    () =>
      crossrate.convertBatch("EUR", [
        ["USD", 100],
        ["JPY", "2500.50"],
        ["GBP", 1e-7],
      ]),
    { from: "EUR", pairs: Object.entries({ USD: "100", JPY: "2500.50", GBP: "0.0000001" }) },
  ],
  [
    "/v1/convert/dated",
    () => crossrate.convertDated(DATED),
    { items: [DATED[0], { ...DATED[1], amount: "0.0000001" }] },
  ],
  [
    `/v1/convert/dated?as_of=${AS_OF}`,
    () => crossrate.convertDated([DATED[0]], { as_of: AS_OF }),
    { items: [DATED[0]] },
  ],
  [`/v1/range?${OF_YEAR}&limit=5`, () => crossrate.range({ ...YEAR, limit: 5 })],
  [
    `/v1/range?${OF_YEAR}&format=parquet&estimate=1`,
    () => crossrate.rangeEstimate({ ...YEAR, format: "parquet" }),
  ],
  ["/v1/explain/USD/TWD?date=2024-03-01", () => crossrate.explain("USD", "TWD", { date: "2024-03-01" })],
  ["/v1/currencies", () => crossrate.currencies()],
  ["/health", () => crossrate.health()],
  ["/status", () => crossrate.status()],
  ["/v1/official", () => crossrate.official.tables()],
  ["/v1/official/changes?limit=1", () => crossrate.official.changes({ limit: 1 })],
  [`${FIX_PATH}/publications`, () => crossrate.official.publications(FIX)],
  [
    `${FIX_PATH}/publications/2026-04-14?version=1`,
    () => crossrate.official.publication(FIX, "2026-04-14", { version: 1 }),
  ],
  [
    `${FIX_PATH}/publications/latest?valid_on=2026-04-14`,
    () => crossrate.official.latest(FIX, { validOn: "2026-04-14" }),
  ],
  [
    `${FIX_PATH}/rates?period=2026&symbols=USD&limit=1`,
    () => crossrate.official.rates(FIX, { period: "2026", symbols: "USD", limit: 1 }),
  ],
  [`${FIX_PATH}/in-force?on=2026-04-14`, () => crossrate.official.inForce(FIX, { on: "2026-04-14" })],
  [
    `${FIX_PATH}/convert/USD/MXN/2.5?on=2026-04-14`,
    () => crossrate.official.convert(FIX, "USD", "MXN", { amount: "2.5", on: "2026-04-14" }),
  ],
  ["/v1/lake/manifest.json", () => crossrate.lake.manifest()],
  ["/v1/lake/intraday/manifest.json", () => crossrate.lake.intraday()],
  ["/.well-known/crossrate.json", () => crossrate.lake.head()],
  ["/v1/lake/chain?from=1&limit=2", () => crossrate.lake.chain({ from: 1, limit: 2 })],
  ["/v1/lake/proof/GBP/JPY?date=2025-01-03", () => crossrate.lake.proof("GBP", "JPY", "2025-01-03")],
  [
    "/v1/lake/proof/EUR/USD?date=2025-01-03",
    async () => {
      const { version } = await crossrate.lake.manifest();
      return await crossrate.lake.proof("EUR", "USD", "2025-01-03", { version });
    },
  ],
];

for (const [path, typed, sent] of CALLS)
  test(`a method gives the body of ${path}`, async () => {
    const answer = await raw(path, sent && post(sent));
    expect(await typed()).toEqual((await answer.json()) as never);
  });

test("the lake's views are the text of the server", async () => {
  const file = await crossrate.lake.file("views.sql");
  expect(await file.text()).toBe(await (await raw("/v1/lake/views.sql")).text());
});

test("every public operation has a method", async () => {
  called = [];
  for (const [, typed] of CALLS) await typed();
  await crossrate.lake.file("views.sql");
  // This server collects no publications, so it has no files of them.
  expect(await crossrate.lake.official().catch(({ code }) => code)).toBe("service_unavailable");
  for await (const _ of crossrate.stream({ symbols: "EUR" })) break;
  const operations = Object.entries<Record<string, { operationId: string }>>(
    openApiDocument({ routes: describedRoutes(), version: "", serverUrl: "/" })["paths"],
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id }]) => ({ path, method, id })),
  );
  const templates = operations
    .map((one) => ({ ...one, matches: new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`) }))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);
  const reached = new Set(
    called.map(
      ({ method, path }) => templates.find((one) => one.method === method && one.matches.test(path))?.id,
    ),
  );
  const missing = operations.filter(
    ({ path, id }) =>
      !OTHER_SURFACES.test(path) && !reached.has(id) && SAME_AS[id] === undefined && !LAKE_FILE.test(id),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});

describe("a series", () => {
  const long = {
    symbols: ["USD", "JPY"],
    base: "EUR",
    start_date: "2023-01-01",
    end_date: "2025-12-31",
  } as const;
  const path = "/v1/range?base=EUR&symbols=USD,JPY&start_date=2023-01-01&end_date=2025-12-31";

  test("the rows of all pages are those of the pages by hand, digit for digit", async () => {
    const pages: { data: unknown[]; has_more: boolean; next_cursor: string }[] = [await body(path)];
    for (let last = pages[0]; last?.has_more === true; last = pages.at(-1))
      pages.push(await body(`${path}&cursor=${last.next_cursor}`));
    expect(pages.length).toBeGreaterThan(2);
    expect(await Array.fromAsync(crossrate.rangeRows(long))).toEqual(
      pages.flatMap(({ data }) => data) as never,
    );
    expect(await Array.fromAsync(crossrate.rangePages(long))).toEqual(pages as never);
  });

  test("it goes on from a cursor, and fetches no page before it is asked for", async () => {
    const first = await crossrate.range(long);
    called = [];
    const rows = crossrate.rangeRows({ ...long, cursor: first.next_cursor ?? "" });
    const { value } = await rows.next();
    expect(Date.parse(value?.date ?? "")).toBeGreaterThan(Date.parse(first.data.at(-1)?.date ?? ""));
    await rows.return();
    expect(called).toHaveLength(1);
  });

  test.each(["csv", "parquet", "ndjson", "arrow"] as const)(
    "a file as %s is the server's, byte for byte",
    async (format) => {
      const file = await crossrate.rangeFile({ ...long, format, layout: "wide" });
      const bytes = Buffer.from(await file.arrayBuffer());
      const same = Buffer.from(await (await raw(`${path}&format=${format}&layout=wide`)).arrayBuffer());
      expect(bytes.equals(same)).toBe(true);
      expect(file.headers.get("content-disposition")).toContain(`.${format}`);
    },
  );
});

test("all events of official publications come, over the pages", async () => {
  const events = await Array.fromAsync(crossrate.official.events({ limit: 1 }));
  expect(events.map(({ id }) => id)).toEqual(["evt_mex_fix_2026-04-14_v1", "evt_mex_fix_2026-04-14_v2"]);
});

test("all rows of an official series come, over the pages", async () => {
  const rows = await Array.fromAsync(
    crossrate.official.validities(FIX, { period: "2026", versions: "all", limit: 1 }),
  );
  expect(rows.map(({ publication, version }) => `${publication} ${version}`)).toEqual([
    ...["2026-04-14 2", "2026-04-14 1"],
  ]);
});

test("a file of the lake comes by its path in the manifest, whole or in part", async () => {
  const { files } = await crossrate.lake.manifest();
  const [file] = files;
  const whole = new Uint8Array(await (await crossrate.lake.file(file?.path ?? "")).arrayBuffer());
  expect(whole.length).toBe(file?.bytes as number);
  const part = await crossrate.lake.file(file?.path ?? "", { bytes: [0, 3] });
  expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: "PAR1" });
});

test("all entries of the signed history come, over the pages, and follow from each other up to the head", async () => {
  const { head } = await crossrate.lake.head();
  called = [];
  const entries = await Array.fromAsync(crossrate.lake.chainEntries());
  expect(called).toHaveLength(1);
  expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, at) => at));
  expect(entries.at(-1)).toMatchObject({ sequence: head.sequence, signature: head.signature });
  // A server that sends one at a time.
  const small = server.client({
    fetch: (request) => fetch(new Request(`${request.url}&limit=1`, request)),
  });
  expect(await Array.fromAsync(small.crossrate.lake.chainEntries(1))).toEqual(entries.slice(1));
});

test("what has no method is called by its path", async () => {
  const { data, error } = await crossrate.http.GET("/v1/latest/{path_base}", {
    params: { path: { path_base: "EUR" } },
  });
  expect({ base: data?.base, error }).toEqual({ base: "EUR", error: undefined });
});
