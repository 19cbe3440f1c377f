/** The dashboard's API has a document of its own, valid and true. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { DASHBOARD_OPERATIONS } from "./operations.ts";
import { expectValid } from "./valid.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const PATH = "/dashboard/api/openapi.json";
const served = async (): Promise<Json> => (await (await openTestApp().ask(PATH)).json()) as Json;

describe("/dashboard/api/openapi.json", () => {
  test("is served without a session, as the public one is, and to a caller that has it already not again", async () => {
    const app = openTestApp();
    const first = await app.ask(PATH);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toStartWith("application/json");
    const again = await app.ask(PATH, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  test("is valid by the schema of OpenAPI 3.1 and by Redocly's strict rules", async () => {
    await expectValid(await served());
  }, 30_000);

  test("describes every route below /dashboard/api/, and every operation of it has its route", async () => {
    const routes = sampleApp()
      .routes.filter(({ path }) => path.startsWith("/dashboard/api/"))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`);
    const documented = Object.entries((await served())["paths"] as Json).flatMap(([path, methods]) =>
      Object.keys(methods as Json).map((method) => `${method} ${path}`),
    );
    expect([...new Set(routes)].sort()).toEqual(documented.sort());
    expect(documented.sort()).toEqual(
      DASHBOARD_OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(DASHBOARD_OPERATIONS.map(({ id }) => id)).size).toBe(DASHBOARD_OPERATIONS.length);
  });
});
