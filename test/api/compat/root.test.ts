/** Frankfurter's second version at the root, for clients that take a host and no path: the same answers, and its own description. */

import { describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const PREFIX = "/compat/frankfurter/v2";
const app = openTestApp();

describe("/v2", () => {
  test.each([
    ["/v2/nothing-of-the-kind", { status: 404, message: "not found" }],
    ["/compat/frankfurter/v1/a/b", { message: "not found" }],
  ])("an unknown path is refused in the form of its version: %s", async (path, body) => {
    const answer = await app.visit(path);
    expect([answer.status, await answer.json()]).toEqual([404, body]);
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
});
