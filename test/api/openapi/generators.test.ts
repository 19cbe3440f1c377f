/** What the description promises to generated clients beyond its validity; `bun run check:clients` has the generators themselves. */

import { describe, expect, test } from "bun:test";
import { dashboardDocument } from "#api/openapi/dashboard.ts";
import { frankfurterDocument, openApiDocument } from "#api/openapi/document.ts";
import { describedRoutes } from "#api/resources.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const FACTS = { routes: describedRoutes(), version: "0.1.0", serverUrl: "/" };
const DOCUMENT: Json = openApiDocument({ ...FACTS, batchLimit: 250 });

function objectsIn(node: unknown): readonly Json[] {
  if (typeof node !== "object" || node === null) return [];
  return [...(Array.isArray(node) ? [] : [node as Json]), ...Object.values(node).flatMap(objectsIn)];
}

describe("the shape that generators read", () => {
  test.each([
    ["/openapi.json", DOCUMENT],
    ["/dashboard/api/openapi.json", dashboardDocument(FACTS)],
    ["/compat/frankfurter/v2/openapi.json", frankfurterDocument(FACTS)],
  ])("has a width for every number, or clients would read rates as float32: %s", (_, document) => {
    const numbers = objectsIn(document).filter(({ type }) => /number|integer/.test(String(type)));
    expect(numbers).not.toBeEmpty();
    expect(numbers.filter(({ format }) => !/^(double|int32|int64)$/.test(format))).toEqual([]);
  });

  test("has nothing of what the server sends: clients would call it", () => {
    expect(DOCUMENT["webhooks"]).toBeUndefined();
  });

  test("uses the names of the specification", () => {
    const stated =
      "LatestResponse HistoricalResponse ConvertResponse ConvertBatchRequest ConvertBatchResponse RateResponse RangeResponse CurrenciesResponse AccountResponse ApiKeyCreatedResponse CheckoutRequest CheckoutResponse ConsentRequest ConsentResponse";
    expect(Object.keys(DOCUMENT["components"].schemas)).toEqual(expect.arrayContaining(stated.split(" ")));
  });
});

describe("the document's parameters", () => {
  test("pairs of a batch are at least one and at most what this server takes", () => {
    expect(DOCUMENT["components"].schemas.ConvertBatchRequest.properties.pairs).toMatchObject({
      minItems: 1,
      maxItems: 250,
    });
  });

  test.each([
    ["EUR", true],
    ["EUR,GBP", true],
    ["EUR, GBP,  jpy", true],
    ["*", true],
    ["EUR GBP", false],
    ["EUR,,GBP", false],
  ])("symbols=%s: %p", (text, taken) => {
    const parameters: Json[] = DOCUMENT["paths"]["/v1/latest"].get.parameters;
    const { schema } = parameters.find(({ name }) => name === "symbols") as Json;
    expect(new RegExp(schema.pattern).test(text)).toBe(taken);
  });

  test("plan_gated is an answer of what reads history, and of nothing else", () => {
    const gated = Object.entries<Json>(DOCUMENT["paths"])
      .flatMap(([path, methods]) =>
        Object.entries<Json>(methods).map(([method, one]) => ({ path, method, one })),
      )
      .filter(({ one }) => JSON.stringify(one["responses"]["403"] ?? "").includes("plan_gated"))
      .map(({ path, method }) => `${method} ${path}`);
    expect(gated).toEqual([
      "get /v1/{date}",
      "get /v1/{date}/{path_base}",
      "get /v1/fluctuation",
      "get /v1/average",
      "get /v1/explain/{from_ccy}/{to_ccy}",
      "get /v1/convert/{from_ccy}/{to_ccy}",
      "get /v1/convert/{from_ccy}/{to_ccy}/{amount}",
      "post /v1/convert/dated",
      "get /v1/range",
      "get /v1/lake/daily/{source}/{year}/{file}",
      "get /v1/lake/current/daily/{source}/{year}/rates.parquet",
      "get /v1/lake/revisions/{source}/{year}/{file}",
      "get /v1/lake/current/revisions/{source}/{year}/revisions.parquet",
      "get /v1/lake/held/{file}",
      "get /v1/lake/current/held/held.parquet",
      "get /v1/lake/intraday/{partition}/{file}",
      "get /v1/lake/current/intraday/{partition}/quotes.parquet",
      "get /v1/lake/proof/{from_ccy}/{to_ccy}",
    ]);
  });
});
