/** Two replicas on one Postgres and one Redis: what is done at one holds at the other, within the documented time. */

import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { openAccountTools } from "#assembly/accounts.ts";
import { readConfig } from "#config.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, json, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica, type TestClock } from "./replica.ts";
import { usageInLedger } from "./usage.ts";

const program = optionalTool("redis-server", "replicas that share limits");
const programs = optionalPostgres("replicas that share a ledger");
/** Every replica has it by then. */
const EFFECTIVE_AFTER = 5_000;

describe.skipIf(program === null || programs === null)("two replicas", () => {
  const redis = redisServer(program ?? "");
  let dataDir = "";
  beforeAll(redis.start);

  let clock: TestClock;
  let a: Replica;
  let b: Replica;
  let settings: Record<string, string>;
  beforeEach(async () => {
    clock = fixedClock();
    // A directory belongs to one ledger, and each test has its own.
    dataDir = await dataDirectory();
    settings = { DATABASE_URL: await freshDatabase(programs ?? ""), REDIS_URL: redis.url, REPLICAS: "2" };
    [a, b] = await Promise.all([
      openReplica({ dataDir, clock, settings }),
      openReplica({ dataDir, clock, settings }),
    ]);
    for (const { crossrate } of [a, b])
      await until("the limits are shared", () => crossrate.accounts?.counters.state().status === "ok");
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
  });

  const call = ({ url }: Replica, key: string) =>
    statusOf(`${url}/v1/latest?symbols=USD`, { headers: bearer(key) });
  const both = (key: string) => Promise.all([call(a, key), call(b, key)]);
  const ask = async ({ url }: Replica, method: string, path: string, token: string) =>
    await json(await fetch(`${url}${path}`, { method, headers: bearer(token) }));

  test("a revoked key is refused at once where it was revoked and by the other 5 s later; no other key is affected", async () => {
    const [member, other] = [await join(a.url), await join(b.url)];
    expect(await both(member.key)).toEqual([200, 200]);
    expect(await both(other.key)).toEqual([200, 200]);
    await ask(a, "DELETE", "/v1/keys", member.token);
    expect(await both(member.key)).toEqual([401, 200]);
    clock.at += EFFECTIVE_AFTER;
    expect(await both(member.key)).toEqual([401, 401]);
    expect(await both(other.key)).toEqual([200, 200]);
  });

  test("what an operator's command changes beside them takes effect in both within 5 s", async () => {
    const { key, organizationId } = await join(a.url);
    expect(await both(key)).toEqual([200, 200]);
    const config = readConfig({ DATA_DIR: dataDir, ACCESS: "metered", ...settings });
    const tools = await openAccountTools(config, clock, () => {});
    await tools.suspendOrganization(organizationId, true);
    await tools.close();
    clock.at += EFFECTIVE_AFTER;
    expect(await both(key)).toEqual([403, 403]);
  });
});

test.skipIf(programs === null)(
  "two servers on one Postgres, with a directory each and without Redis: the month holds for both together, within a second",
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
