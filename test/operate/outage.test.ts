/** A Postgres that is gone: operators' requests are refused with Retry-After, nothing is half done, and the listener recovers by itself. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "#test/metered/client.ts";
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
    const owner = (await server.ledger().organizations.byId(organizationId))?.ownerId;
    const tier = `/operator/people/${owner}/organization/tier`;
    await postgres.kill();
    for (const ask of [() => server.open("/operator"), () => server.submit(tier, { tier: "pro" })]) {
      const answer = await ask();
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.text()).toContain("accounts cannot be reached at the moment");
    }
    await postgres.start();
    await until("it is there again", async () => (await server.open("/operator")).status === 200);
    expect((await server.ledger().organizations.byId(organizationId))?.tier).toBe("free");
    expect((await server.submit(tier, { tier: "pro" })).status).toBe(303);
    expect((await server.called(key)).limit).toBe("500");
  });
});
