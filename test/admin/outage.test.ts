/** A Postgres that is gone: operators' requests are refused with Retry-After, nothing is half done, and the listener recovers by itself. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { bearer, join } from "#test/metered/client.ts";
import { type PostgresServer, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { postgresPrograms } from "#test/store/ledger/ledgers.ts";
import { until } from "#test/support/until.ts";
import { type AdminFixture, openAdminFixture } from "./server.ts";

setDefaultTimeout(40_000);

describe.skipIf(postgresPrograms === null)("the operators' listener while Postgres is gone", () => {
  let postgres: PostgresServer;
  let server: AdminFixture;
  beforeAll(async () => {
    postgres = await startPostgres(postgresPrograms ?? "");
    server = await openAdminFixture({ DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await server?.replica.close();
    await postgres.stop();
  });

  test("reads and changes are 503 with Retry-After; after the recovery no refused change was made, and both work", async () => {
    const { key, organizationId } = await join(server.replica.url);
    const tier = `/admin/organizations/${organizationId}/tier`;
    await postgres.kill();
    const headers = { ...bearer(server.token), "content-type": "application/json" };
    for (const init of [{}, { method: "POST", body: '{"tier":"pro"}' }]) {
      const path = init.method === undefined ? "/admin/accounts" : tier;
      const answer = await fetch(`${server.url}${path}`, { headers, ...init });
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.json()).toMatchObject({ result: "error", code: "service_unavailable" });
    }
    await postgres.start();
    await until(
      "it is there again",
      async () => (await fetch(`${server.url}/admin/accounts`, { headers })).status === 200,
    );
    const { accounts } = await server.get(`/admin/accounts/find?who=${organizationId}`);
    expect(accounts[0].organization.tier).toBe("free");
    await server.post(tier, { tier: "pro" });
    expect((await server.called(key)).limit).toBe("500");
  });
});
