/** Two servers on one Postgres, without Redis. A revocation and an operator's change at another one: key-directory.test.ts. */

import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { usageInLedger } from "./load.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

const programs = optionalPostgres("replicas that share a ledger");

test.skipIf(programs === null)(
  "with a directory each the month holds for both together, within a second",
  async () => {
    const clock = fixedClock();
    const settings = {
      DATABASE_URL: await freshDatabase(programs ?? ""),
      MASTER_KEYS: `1:${randomBytes(32).toString("base64")}`,
    };
    const plans = { free: { minute: 20, month: 20 } };
    const open = async () => await openReplica({ dataDir: await dataDirectory(), clock, settings, plans });
    const [a, b] = [await open(), await open()];
    const { key, organizationId } = await join(a.url);
    const call = ({ url }: Replica) => statusOf(`${url}/v1/latest`, { headers: bearer(key) });
    expect([await call(a), await call(b)]).toEqual([200, 200]);
    for (let nth = 0; nth < 18; nth++) expect(await call(a)).toBe(200);
    await until(
      "all of them are written",
      async () => (await usageInLedger(b, clock, [organizationId])).calls === 20,
    );
    clock.at += 1_000;
    let more = 0;
    // It asks the ledger, and no call waits for it.
    await until("the other one has noticed", async () => {
      const status = await call(b);
      more += status === 200 ? 1 : 0;
      return status === 429;
    });
    expect(more).toBeLessThan(10);
    await Promise.all([a.close(), b.close()]);
  },
);
