/** Two replicas on one Postgres and one Redis: what is done at one holds at the other, within the documented time. */

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { openAccountTools } from "#assembly/accounts.ts";
import { readConfig } from "#config.ts";
import { KEY_CHANNEL } from "#store/redis/key-news/key-news.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { type RedisServer, redisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { bearer, from, join, json, limitsIn, post, signUp, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica, type TestClock } from "./replica.ts";

setDefaultTimeout(30_000);
const program = optionalTool("redis-server", "replicas that share limits");
const programs = optionalPostgres("replicas that share a ledger");
const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Every replica has it by then. */
const EFFECTIVE_AFTER = 5 * SECOND;

describe.skipIf(program === null || programs === null)("two replicas", () => {
  let redis: RedisServer;
  let dataDir = "";
  beforeAll(async () => {
    redis = redisServer(program ?? "");
    await redis.start();
  });
  afterAll(() => redis.end());

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
    await until("both listen", async () => {
      const [, listeners] = (await redis.ask("PUBSUB", "NUMSUB", KEY_CHANNEL)) as [string, number];
      return listeners === 2;
    });
  });
  afterEach(async () => {
    await Promise.all([a.close(), b.close()]);
  });

  const call = ({ url }: Replica, key: string) =>
    statusOf(`${url}/v1/latest?symbols=USD`, { headers: bearer(key) });
  const both = (key: string) => Promise.all([call(a, key), call(b, key)]);
  const ask = async ({ url }: Replica, method: string, path: string, token: string) =>
    await json(await fetch(`${url}${path}`, { method, headers: bearer(token) }));

  /** The clock is fixed: cached keys do not age. */
  const effectiveBy = async (replica: Replica, key: string, status: number) =>
    await until(`it answers ${status}`, async () => (await call(replica, key)) === status);

  test("a revoked key is refused at once where it was revoked and by the other as soon as it is notified; no other key is affected", async () => {
    const [member, other] = [await join(a.url), await join(b.url)];
    expect(await both(member.key)).toEqual([200, 200]);
    expect(await both(other.key)).toEqual([200, 200]);
    await ask(a, "DELETE", "/v1/keys", member.token);
    expect(await call(a, member.key)).toBe(401);
    await effectiveBy(b, member.key, 401);
    expect(await both(other.key)).toEqual([200, 200]);
  });

  test("Redis gone: a revoked key is refused by the other 5 s later all the same", async () => {
    const member = await join(a.url);
    expect(await both(member.key)).toEqual([200, 200]);
    await redis.kill();
    try {
      await ask(a, "DELETE", "/v1/keys", member.token);
      expect(await both(member.key)).toEqual([401, 200]);
      clock.at += EFFECTIVE_AFTER;
      expect(await both(member.key)).toEqual([401, 401]);
    } finally {
      await redis.start();
    }
  });

  test("what an operator's command changes beside them takes effect in both as soon as they are notified", async () => {
    const { key, organizationId } = await join(a.url);
    expect(await both(key)).toEqual([200, 200]);
    const config = readConfig({ DATA_DIR: dataDir, ACCESS: "metered", ...settings });
    const tools = await openAccountTools(config, clock, () => {});
    await tools.suspendOrganization(organizationId, true);
    await tools.close();
    for (const replica of [a, b]) await effectiveBy(replica, key, 403);
  });

  test("attempts to sign in count at both together", async () => {
    const { email } = await signUp(a.url);
    const answers = [];
    for (let nth = 0; nth < 14; nth++) {
      const { url } = nth % 2 === 0 ? a : b;
      const attempt = post({ email, password: "not the right one" }, from("203.0.113.77"));
      answers.push((await fetch(`${url}/v1/auth/sign-in`, attempt)).status);
    }
    expect(answers).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
  });

  test("a rotated key works at both until exactly 24 h later, the new one at once; a second rotation ends the first one within 5 s", async () => {
    const { token, key: first } = await join(a.url);
    expect(await both(first)).toEqual([200, 200]);
    const second = (await ask(b, "POST", "/v1/keys/rotate", token)).plaintext;
    expect(await both(second)).toEqual([200, 200]);
    clock.at += DAY - 1;
    expect(await both(first)).toEqual([200, 200]);
    clock.at += 1;
    // The lookup is a millisecond old and still trusted: it contains the end of the grace.
    expect(await both(first)).toEqual([401, 401]);
    expect(await both(second)).toEqual([200, 200]);
    const third = (await ask(a, "POST", "/v1/keys/rotate", token)).plaintext;
    const fourth = (await ask(b, "POST", "/v1/keys/rotate", token)).plaintext;
    clock.at += EFFECTIVE_AFTER;
    expect(await both(second)).toEqual([401, 401]);
    expect(await both(third)).toEqual([200, 200]);
    expect(await both(fourth)).toEqual([200, 200]);
  });

  test("another plan, a suspension and its end take effect in both within 5 s", async () => {
    const { key, organizationId } = await join(a.url);
    const limit = async ({ url }: Replica) =>
      limitsIn(await fetch(`${url}/v1/latest?symbols=USD`, { headers: bearer(key) }))?.limit;
    expect(await Promise.all([limit(a), limit(b)])).toEqual([12, 12]);
    await a.setTier(organizationId, "pro");
    clock.at += EFFECTIVE_AFTER;
    expect(await Promise.all([limit(a), limit(b)])).toEqual([500, 500]);
    const change = async (status: "suspended" | "active") => {
      const by = { at: clock.now(), actor: "operator" } as const;
      await b.crossrate.accounts?.ledger.organizations.change(organizationId, { status }, by);
      clock.at += EFFECTIVE_AFTER;
    };
    await change("suspended");
    expect(await both(key)).toEqual([403, 403]);
    await change("active");
    expect(await both(key)).toEqual([200, 200]);
  });

  test("callers without a key count by address at both together", async () => {
    const headers = from("2001:db8:1:2::7");
    let passed = 0;
    for (let nth = 0; nth < 20; nth++) {
      const { url } = nth % 2 === 0 ? a : b;
      // Every address of the /64 is one caller.
      const own = nth < 10 ? headers : from(`2001:db8:1:2:${nth}::1`);
      if ((await statusOf(`${url}/v1/latest?symbols=USD`, { headers: own })) === 200) passed += 1;
    }
    expect(passed).toBe(12);
  });

  test("what either has served is in the account's figures at both, within the second that a flush takes", async () => {
    const { key, token } = await join(a.url);
    for (let nth = 0; nth < 5; nth++) expect(await both(key)).toEqual([200, 200]);
    for (const replica of [a, b]) {
      await until("both have written", async () => {
        const { usage } = await ask(replica, "GET", "/v1/account", token);
        return usage.calls_this_month === 10;
      });
    }
  });
});
