/** Every table's host leads to a login page: nothing is stored, and the state has the reason. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { openBench } from "./authority.ts";

const ADAPTERS = officialAdapters({ banxicoToken: "0123456789abcdef".repeat(4) });
const LOGIN = "<!DOCTYPE html><html><body><form action='/login'></form></body></html>";

const BEHAVIOURS: readonly (readonly [string, (request: Request) => Response])[] = [
  [
    "a redirect to a login page",
    ({ url }) =>
      url.endsWith("/login")
        ? new Response(LOGIN, { headers: { "Content-Type": "text/html" } })
        : new Response(null, { status: 302, headers: { Location: "https://login.example/login" } }),
  ],
  ["a login page with status 200", () => new Response(LOGIN, { headers: { "Content-Type": "text/html" } })],
];

describe.each(BEHAVIOURS)("%s", (_, answer) => {
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  });
  afterAll(() => server.stop(true));

  test.each(ADAPTERS.map((adapter) => [adapter.id, adapter] as const))("%s", async (id, adapter) => {
    const bench = await openBench({}, adapter, `http://127.0.0.1:${server.port}`);
    const state = await bench.process().collect(id, "latest");
    expect(state.outcome).toBe("failed");
    expect(state.detail).not.toBeNull();
    const query = { table: id, from: null, to: null, after: null, limit: 1 };
    expect(await bench.ledger.publications.list(query)).toEqual([]);
    expect(await bench.events()).toEqual([]);
  });
});
