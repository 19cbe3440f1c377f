/** Deleting the account and beginning anew gives no person more calls at any of two replicas: windows and month follow the person. In one process: test/model. */

import { afterEach, describe, expect, test } from "bun:test";
import { monthAt } from "#domain/limits/counts.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, json, type Member, PASSWORD, post, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica, type TestClock, untilLimits } from "./replica.ts";

const program = optionalTool("redis-server", "limits that follow the person over replicas");
const programs = optionalPostgres("limits that follow the person over replicas");
const MINUTE = 60_000;
/** Nothing of the minute before counts any more. */
const TWO_MINUTES = 2 * MINUTE;
const PLANS = { free: { minute: 12, month: 20 }, basic: { minute: 30, month: 40 } };

const redis = program === null ? null : redisServer(program);
await redis?.start();
let open: Replica[] = [];
let clock: TestClock;
afterEach(async () => {
  redis?.goOn();
  await closeAll();
});

async function closeAll(): Promise<void> {
  await Promise.all(open.map((replica) => replica.close()));
  open = [];
}

const call = ({ url }: Replica, key: string) => statusOf(`${url}/v1/currencies`, { headers: bearer(key) });

/** Calls until it is refused, at most `most` times; how many were granted. */
async function granted(replica: Replica, key: string, most = 50): Promise<number> {
  for (let nth = 0; nth < most; nth++) if ((await call(replica, key)) !== 200) return nth;
  return most;
}

async function signIn({ url }: Replica, email: string): Promise<string> {
  const init = post({ email, password: PASSWORD });
  return (await json(await fetch(`${url}/v1/auth/sign-in?cookie=0`, init))).token;
}

async function remove({ url }: Replica, token: string): Promise<void> {
  const answer = await json(await fetch(`${url}/v1/account`, { method: "DELETE", headers: bearer(token) }));
  expect(answer.deleted).toBe(true);
}

/** Provisions for the person whose account was deleted. */
async function beginAnew(replica: Replica, { email }: Member): Promise<Member> {
  const token = await signIn(replica, email);
  const init = { method: "POST", headers: bearer(token) };
  const body = await json(await fetch(`${replica.url}/v1/account/provision`, init));
  expect(body.created).toBe(true);
  return { email, token, key: body.plaintext, organizationId: body.org_id };
}

async function again(at: Replica, member: Member, provisionAt = at): Promise<Member> {
  await remove(at, member.token);
  return await beginAnew(provisionAt, member);
}

async function used({ url }: Replica, { token }: Member): Promise<number> {
  return (await json(await fetch(`${url}/v1/account`, { headers: bearer(token) }))).usage.calls_this_month;
}

describe.skipIf(program === null || programs === null)("two replicas, Redis and Postgres", () => {
  let settings: Record<string, string> = {};
  let dataDir = "";
  const start = async (): Promise<readonly [Replica, Replica]> => {
    const two = () => openReplica({ dataDir, clock, settings, plans: PLANS });
    const both = await Promise.all([two(), two()]);
    open = both;
    await untilLimits("ok", open);
    return both;
  };
  const begin = async () => {
    // Redis has its own clock: the ledger's month has to be the same one. Not in its last minutes.
    clock = fixedClock(Math.min(Date.now(), monthAt(Date.now()).end - 10 * MINUTE));
    dataDir = await dataDirectory();
    const DATABASE_URL = await freshDatabase(programs ?? "");
    settings = { REPLICAS: "2", REDIS_URL: redis?.url ?? "", DATABASE_URL };
    return await start();
  };

  test("over a restart, with calls that were not written yet when it was deleted; counters without a memory", async () => {
    const [a, b] = await begin();
    const first = await join(a.url);
    expect(await granted(a, first.key)).toBe(12);
    // At once: the heartbeat of the usage has not come.
    await remove(b, first.token);
    await closeAll();
    await redis?.ask("FLUSHALL");
    clock.at += TWO_MINUTES;
    const [later] = await start();
    const second = await beginAnew(later, first);
    expect(await used(later, second)).toBe(12);
    expect(await granted(later, second.key)).toBe(8);
    const third = await again(later, second);
    await closeAll();
    await redis?.ask("FLUSHALL");
    clock.at += TWO_MINUTES;
    const [last] = await start();
    expect(await used(last, third)).toBe(20);
    expect(await granted(last, third.key)).toBe(0);
  });

  test("a key works at the other replica until that is notified of its end: its calls there count for the next account", async () => {
    const [a, b] = await begin();
    const first = await join(a.url);
    let passed = 0;
    let isDeleted = false;
    const calling = (async () => {
      while (!isDeleted || (await call(b, first.key)) === 200) {
        if ((await call(b, first.key)) === 200) passed += 1;
        else if (isDeleted) break;
      }
    })();
    await until("some have passed", () => passed >= 3);
    await remove(a, first.token);
    isDeleted = true;
    await calling;
    const second = await beginAnew(a, first);
    const [more, last] = [await granted(a, second.key), await granted(b, second.key)];
    expect(passed + more + last).toBeLessThanOrEqual(12);
    await closeAll();
    await redis?.ask("FLUSHALL");
    const [later] = await start();
    expect(await used(later, second)).toBeGreaterThanOrEqual(passed + more);
  });

  test("Redis away during the deletion: one more window, as for every caller, and the deletion adds none", async () => {
    const [a, b] = await begin();
    const first = await join(a.url);
    expect([await granted(a, first.key, 4), await granted(b, first.key, 4)]).toEqual([4, 4]);
    await redis?.kill();
    try {
      await untilLimits("degraded", open);
      const second = await again(a, first, b);
      const more = (await granted(a, second.key)) + (await granted(b, second.key));
      expect(more).toBe(12);
      await redis?.start();
      const third = await again(b, second, a);
      expect((await granted(a, third.key)) + (await granted(b, third.key))).toBe(0);
    } finally {
      if ((await redis?.ask("PING").catch(() => null)) == null) await redis?.start();
    }
  });
});
