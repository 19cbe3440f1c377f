/** Frankfurter's second version at the root, for clients that take a host and no path: the same answers, and its own description. */

import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const PREFIX = "/compat/frankfurter/v2";
const app = openTestApp();

describe("/v2", () => {
  test.each([
    "/rates",
    "/rates?base=USD&quotes=EUR,GBP",
    "/rates?date=2026-04-06&quotes=USD",
    "/rates?from=2026-04-01&to=2026-04-10&quotes=USD&group=week",
    "/rates.csv?quotes=USD",
    "/rate/EUR/USD",
    "/currencies",
    "/currency/USD",
    "/providers",
    "/rates?quotes=ZZZ",
    "/rates?date=2026-13-01",
    "/currency/ZZZ",
  ])("%s is answered as below the prefix, byte for byte, refusals too", async (path) => {
    const answerOf = async (prefix: string) => {
      const answer = await app.ask(`${prefix}${path}`);
      const { status, headers } = answer;
      const names = ["content-type", "cache-control", "etag", "x-source", "x-data-updated-at"];
      return [status, ...names.map((name) => headers.get(name)), await answer.text()];
    };
    expect(await answerOf("/v2")).toEqual(await answerOf(PREFIX));
  });

  test("an unknown path is refused with the same message", async () => {
    const answer = await app.visit("/v2/nothing-of-the-kind");
    expect([answer.status, await answer.json()]).toEqual([404, { status: 404, message: "not found" }]);
  });

  test.each([
    ["/v2", PREFIX],
    ["/compat/oxr/api", "/compat/oxr"],
  ])("%s has every route that is below %s, and no other", (prefix, first) => {
    const below = (prefix: string) =>
      sampleApp()
        .routes.filter(({ path }) => path.startsWith(`${prefix}/`))
        .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`)
        .filter((route) => !route.includes(" /api/"))
        .sort();
    expect(below(prefix)).toEqual(below(first));
    expect(below(prefix).length).toBeGreaterThan(5);
  });

  test("records are sent as lines where the client accepts lines, and other methods are refused", async () => {
    const lines = await app.ask("/v2/rates?quotes=USD", { headers: { accept: "application/x-ndjson" } });
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
    await app.refused("/v2/rates", "method_not_allowed", { method: "PUT" });
  });
});

describe.each(["/v2", PREFIX])("%s/openapi.json", (prefix) => {
  const document = async (): Promise<Json> =>
    (await (await app.ask(`${prefix}/openapi.json`)).json()) as Json;

  test("is a valid document of every route below it, with the base address of its paths", async () => {
    const served = await document();
    const { valid, errors } = await new Validator().validate(structuredClone(served));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(served["servers"]).toEqual([{ url: prefix, description: expect.any(String) }]);
    const routes = sampleApp()
      .routes.filter(({ method, path }) => method === "GET" && path.startsWith(`${prefix}/`))
      .map(({ path }) => path.slice(prefix.length).replace(/:(\w+)/g, "{$1}"))
      .filter((path) => path !== "/openapi.json");
    expect(Object.keys(served["paths"]).sort()).toEqual([...new Set(routes)].sort());
    expect(JSON.stringify(served)).not.toContain("/compat/frankfurter/v2/");
  });

  test("describes the answers: every 200 has the shape of its schema", async () => {
    const served = await document();
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    ajv.addSchema(served, "https://document.test/");
    for (const [path, { get }] of Object.entries<Json>(served["paths"])) {
      const content = get.responses["200"].content;
      if (content["application/json"] === undefined) continue;
      const filled = (get.parameters ?? []).reduce(
        (text: string, { in: place, name, example }: Json) =>
          place === "path" ? text.replace(`{${name}}`, example) : text,
        path,
      );
      const pointer = ["paths", path, "get", "responses", "200", "content", "application/json", "schema"]
        .map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      const check = ajv.compile({ $ref: `https://document.test/#/${pointer}` });
      expect([filled, check(await app.get(`${prefix}${filled}`))]).toEqual([filled, true]);
    }
  });
});

/** What Frankfurter's own MCP server (0.3.1) requests: of its base address it uses only the host, and it escapes commas. */
const RECORD = {
  date: expect.any(String),
  base: expect.any(String),
  quote: expect.any(String),
  rate: expect.any(Number),
};

test.each([
  ["/v2/rates?base=USD&quotes=EUR%2CGBP", 2, RECORD],
  ["/v2/rates?base=EUR&date=2026-04-06&quotes=USD", 1, { ...RECORD, date: "2026-04-02", rate: 1.162 }],
  ["/v2/rates?from=2026-04-01&to=2026-04-10&quotes=USD", 6, RECORD],
  ["/v2/rates?quotes=USD&providers=ECB", 1, RECORD],
  ["/v2/currencies", 31, { iso_code: expect.stringMatching(/^[A-Z]{3}$/), name: expect.any(String) }],
  ["/v2/providers", 2, { key: expect.any(String), name: expect.any(String) }],
])("%s of Frankfurter's own MCP server has the members that it reads", async (path, count, members) => {
  const records = (await app.get(path)) as readonly Json[];
  expect(records).toHaveLength(count);
  for (const one of records) expect(one).toMatchObject(members);
});
