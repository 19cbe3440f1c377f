/** The description is valid by two validators, complete to the last field, and true: routes, examples and operations agree. */

import { describe, expect, test } from "bun:test";
import { dashboardDocument } from "#api/openapi/dashboard.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { describedRoutes } from "#api/resources.ts";
import { EXAMPLE_ENDPOINT } from "#api/webhooks/endpoints.ts";
import { WORDS, type Words } from "#api/words.ts";
import { officialEvent } from "#domain/official/publication.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import { EVENT_TYPES, testEvent } from "#domain/webhook/endpoint.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { assertExamplesConform } from "./conformance.ts";
import { DASHBOARD_OPERATIONS, expectValid, OPERATIONS, sampleCall } from "./valid.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const app = sampleApp();
const FACTS = { routes: describedRoutes(), version: "0.1.0", serverUrl: "/" };
const DOCUMENT: Json = openApiDocument(FACTS);
const DASHBOARD: Json = dashboardDocument(FACTS);
const ALL = [...OPERATIONS, ...DASHBOARD_OPERATIONS];
const NO_OPERATION =
  /^get \/((docs|pages)\/assets\/.*|docs\/\{file\}|llms(-full)?\.txt|account)?$|^(get|post|delete) \/v1\/mcp\/$/;
/** Documented, though they lie among the pages. */
const OPERATED = new Set(["get /status", "get /docs"]);
/** The site: pages for people, what they ask for, and what search engines read. */
const SITE =
  /^(get|post) \/(\{pair\}|pair|pricing|search|verify-email|reset-password|(site|dashboard|official|status)(\/(?!api\/).*)?|docs(\/reference)?|[a-z-]+\.(xml|txt))$/;

describe("the document is valid", () => {
  test.each([
    ["the public one", DOCUMENT],
    ["the dashboard's", DASHBOARD],
  ])("by the schema of OpenAPI 3.1 and by Redocly's strict rules: %s", (_, document) =>
    expectValid(document),
  );

  test("and the same every time, with the version of the interface and of the product apart", () => {
    expect(openApiDocument(FACTS)).toEqual(DOCUMENT);
    expect(DOCUMENT["openapi"]).toBe("3.1.0");
    expect(DOCUMENT["info"].version).toBe("1.0");
    expect(DOCUMENT["info"]["x-product-version"]).toBe("0.1.0");
  });
});

describe("the document is complete", () => {
  test("every property has a description, and an example or its allowed values", () => {
    const poor: string[] = [];
    for (const [place, property] of properties()) {
      const described =
        property["$ref"] === undefined ? property : { ...named(property["$ref"]), ...property };
      const shows = ["examples", "example", "enum", "const", "properties", "items", "anyOf"];
      const isShown = shows.some((name) => described[name] !== undefined);
      if (typeof described["description"] !== "string" || !isShown) poor.push(place);
    }
    expect(poor).toEqual([]);
  });

  test("every parameter has a description, and an example unless it is a cursor", () => {
    for (const { id, parameters = [] } of ALL) {
      for (const { name, description, example } of parameters) {
        expect(description.length, `${id} ${name}`).toBeGreaterThan(5);
        if (name !== "cursor") expect(example, `${id} ${name}`).toBeDefined();
      }
    }
  });
});

test("the events that the dashboard's document describes are those that are sent, to the last member", () => {
  expect(Object.keys(DASHBOARD["webhooks"])).toEqual([...EVENT_TYPES]);
  const table = { id: "mex_fix", country: "MEX", types: ["fix", "banxico"], zone: "America/Mexico_City" };
  const at = Date.parse("2026-04-13T18:05:11Z");
  const day = parseDay("2026-04-13") as Day;
  const version = { publication: "2026-04-13", validFrom: day, validTo: null, retrievedAt: at };
  const sent = {
    "official.published": officialEvent(table, { ...version, version: 1 }),
    "official.corrected": officialEvent(table, { ...version, version: 2 }),
    "webhook.test": testEvent(EXAMPLE_ENDPOINT, Date.parse("2026-04-13T16:30:00Z")),
  };
  for (const type of EVENT_TYPES) {
    const { requestBody } = DASHBOARD["webhooks"][type].post;
    expect(JSON.parse(sent[type]?.body ?? "")).toEqual(requestBody.content["application/json"].example);
  }
});

describe("the document is true", () => {
  test("every route of the application is documented, and every documented operation has its route", () => {
    const routes = app.routes
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`)
      // Files of pages, the way to the documentation, and pages that links lead people to are no part of the interface.
      .filter((route) => !NO_OPERATION.test(route) && (!SITE.test(route) || OPERATED.has(route)))
      // It has a document of its own.
      .filter((route) => !/ \/v2(\/|$)/.test(route));
    const documented = ALL.map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(routes)].sort()).toEqual(documented.sort());
  });

  test("every path names its methods to any other one and to a preflight, with a slash at its end too", async () => {
    for (const [place, operations = []] of Object.entries(Object.groupBy(ALL, ({ path }) => path))) {
      const [path = ""] = sampleCall(operations[0] as (typeof ALL)[number])[0].split("?");
      const methods = operations.flatMap(({ method }) =>
        method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
      );
      const allow = [...methods, "OPTIONS"].join(", ");
      for (const end of ["", "/"]) {
        const refusal = await app.refused(`${path}${end}`, "method_not_allowed", { method: "PUT" });
        const preflight = await app.ask(`${path}${end}`, { method: "OPTIONS" });
        const named = [refusal, preflight].map(({ headers }) => headers.get("allow"));
        expect([place, preflight.status, ...named]).toEqual([place, 204, allow, allow]);
      }
    }
  });

  // Those that need a person are answered over a real ledger: test/api/account, auth, webhooks.
  for (const operation of ALL.filter(
    ({ tag }) => !["Account", "Sign-in", "Billing", "Webhooks"].includes(tag),
  )) {
    test(`the sample call of ${operation.id} is answered as documented, and once to a caller that keeps it`, async () => {
      const [path, init] = sampleCall(operation);
      const response = await app.ask(path, init);
      expect(response.status).toBe(operation.ok.status ?? 200);
      if (operation.conditional !== true) return;
      const headers = { "if-none-match": response.headers.get("etag") ?? "" };
      const again = await app.ask(path, { headers });
      expect([again.status, await again.text()]).toEqual([304, ""]);
    });
  }

  test("a default that is documented changes nothing when it is sent", async () => {
    const answerOf = async (path: string, init: RequestInit) => {
      const response = await app.visit(path, init);
      return [path, response.status, await response.text()] as const;
    };
    for (const operation of OPERATIONS.filter(
      ({ method, path, tag }) => method === "get" && tag !== "Account" && path !== "/v1/stream",
    )) {
      const [sample, init] = sampleCall(operation);
      // On another base than the default.
      const [place = "", asked] = sample.replace(/\/USD(?=$|\?)/, "/EUR").split("?");
      const words = new URLSearchParams(asked);
      const defaults = (operation.parameters ?? []).filter(
        (one) => one.in === "query" && "default" in one.schema,
      );
      for (const { name } of defaults) words.delete(name);
      const [, status, text] = await answerOf(`${place}?${words}`, init);
      for (const { name, schema } of defaults) {
        const path = `${place}?${words}&${name}=${schema.default}`;
        expect(await answerOf(path, init)).toEqual([path, status, text]);
      }
    }
  });

  test(
    "examples have the documented shape, to the last member, and those of parameters",
    assertExamplesConform,
  );

  const stated = new Set(
    FACTS.routes.flatMap(({ hooks }) => {
      const { id, ok } = (hooks.detail?.[WORDS] ?? {}) as Partial<Words>;
      return ok?.example === undefined ? [] : [id];
    }),
  );
  for (const operation of OPERATIONS.filter(
    ({ tag, id }) =>
      tag === "Official" || (["Rates", "Conversion", "Series"].includes(tag) && stated.has(id)),
  )) {
    test(`the example of ${operation.id} is what its sample call answers`, async () => {
      const response = await app.visit(...sampleCall(operation));
      const isJson = response.headers.get("content-type") === "application/json";
      expect(isJson ? await response.json() : await response.text()).toEqual(operation.ok.example);
    });
  }
});

function named(reference: string): Json {
  return DOCUMENT["components"].schemas[reference.split("/").at(-1) ?? ""];
}

/** Every property of every schema in the document with its path. */
function properties(): [place: string, property: Json][] {
  const found: [string, Json][] = [];
  const walk = (place: string, node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node as Json)) {
      if (["example", "examples", "enum", "default"].includes(key)) continue;
      const here = `${place}/${key}`;
      // A reference narrowed to some codes has its description at its target.
      if (key === "properties" && (node as Json)["$ref"] === undefined) {
        for (const [name, property] of Object.entries(value as Json))
          found.push([`${here}/${name}`, property as Json]);
      }
      walk(here, value);
    }
  };
  walk("", DOCUMENT);
  return found;
}
