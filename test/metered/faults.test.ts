/** Redis and Postgres killed, paused, emptied under two replicas that are being called: the documented behaviour, and every served call in the ledger. */

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
import { writeFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { optionalTool } from "#test/require-tool.ts";
import { type RedisServer, redisServer } from "#test/store/hot-book/redis-server.ts";
import { until } from "#test/store/hot-book/until.ts";
import { optionalPostgres, type PostgresServer, startPostgres } from "#test/store/ledger/postgres.ts";
import { bearer, from, type Json, join, type Member, post } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { type Load, servedToKeys, startLoad, tally } from "./load.ts";
import { openReplica, type Replica, runningClock, type TestClock } from "./replica.ts";
import { usageInLedger } from "./usage.ts";

setDefaultTimeout(40_000);
const program = optionalTool("redis-server", "limits while Redis is away");
const programs = optionalPostgres("accounts while Postgres is away");
/** Far above what any of these loads needs. */
const WIDE = { minute: 50_000, month: 1_000_000 };

describe.skipIf(program === null || programs === null)("under load", () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let dataDir = "";
  beforeAll(async () => {
    [postgres, dataDir] = await Promise.all([startPostgres(programs ?? ""), dataDirectory()]);
    writeFileSync(pathOf(dataDir, "plans.json"), JSON.stringify({ plus: WIDE }));
  });
  afterAll(() => postgres.stop());

  let clock: TestClock;
  let replicas: Replica[];
  let members: Member[];
  let load: Load | null;
  beforeEach(async () => {
    load = null;
    redis = redisServer(program ?? "");
    await redis.start();
    clock = runningClock();
    const settings = {
      DATABASE_URL: await postgres.database(),
      REDIS_URL: redis.url,
      REPLICAS: "2",
      PLANS_FILE: pathOf(dataDir, "plans.json"),
    };
    replicas = await Promise.all([1, 2].map(() => openReplica({ dataDir, clock, settings })));
    await untilLimits("ok");
    const [first] = replicas as [Replica];
    members = [await join(first.url), await join(first.url)];
    for (const { organizationId } of members) await first.setTier(organizationId, "plus");
  });
  afterEach(async () => {
    redis.goOn();
    postgres.resume();
    await load?.stop();
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.end();
  });

  const urls = () => replicas.map(({ url }) => url);
  const begin = async () => {
    load = startLoad({ urls: urls(), keys: members.map(({ key }) => key) });
    await moreOf(load, 20);
    expect(Object.keys(tally(load.sinceLast())).sort()).toEqual(["key 200", "stranger 200"]);
    return load;
  };
  /** So many more of either kind: with a key, and without. */
  const moreOf = async ({ told }: Load, calls: number) => {
    for (const who of ["key", "stranger"] as const) {
      const count = () => told.reduce((sum, one) => sum + (one.who === who ? 1 : 0), 0);
      const wanted = count() + calls;
      await until(`more was called by ${who}`, () => count() >= wanted);
    }
  };
  const untilLimits = async (wanted: "ok" | "degraded") => {
    for (const { crossrate } of replicas)
      await until(`limits are ${wanted}`, () => crossrate.accounts?.counters.state().status === wanted);
  };
  const statusOf = async (url: string): Promise<readonly [number, Json]> => {
    const answer = await fetch(`${url}/status`);
    return [answer.status, await answer.json()];
  };
  const untilDatabase = async (wanted: "ok" | "failed") => {
    const known = urls().map((url) =>
      until(
        `the database is ${wanted}`,
        async () => (await statusOf(url))[1].checks.database.status === wanted,
      ),
    );
    await Promise.all(known);
  };
  /** Every call that was served is in the ledger, once; what is told of the outage is one line when it began and one when it ended. */
  const settle = async ({ stop, told }: Load) => {
    await stop();
    load = null;
    const { served, calls } = servedToKeys(told);
    const ids = members.map(({ organizationId }) => organizationId);
    await until(
      "everything is written",
      async () => (await usageInLedger(replicas[0] as Replica, clock, ids)).served >= served,
    );
    await Promise.all(replicas.map((replica) => replica.close()));
    const last = await openReplica({ dataDir, clock, settings: { DATABASE_URL: databaseUrl() } });
    replicas = [last];
    expect(await usageInLedger(last, clock, ids)).toMatchObject({ served, calls });
  };
  const databaseUrl = () => replicas[0]?.settings["DATABASE_URL"] ?? "";

  test.each(["killed and started empty", "paused and gone on"] as const)(
    "Redis %s: nobody is refused, each replica grants its share, /status says so, and the month goes on from where it was",
    async (how) => {
      const running = await begin();
      if (how.startsWith("killed")) await redis.kill();
      else redis.pause();
      await untilLimits("degraded");
      running.sinceLast();
      await moreOf(running, 80);
      expect(Object.keys(tally(running.sinceLast())).sort()).toEqual(["key 200", "stranger 200"]);
      for (const url of urls()) {
        const [status, { status: word, checks }] = await statusOf(url);
        expect([status, word, checks.limits.status, checks.database.status]).toEqual([
          200,
          "degraded",
          "degraded",
          "ok",
        ]);
        expect(checks.limits.detail).toStartWith("Redis: ");
        // Of a stranger's twelve a minute each of the two grants its half.
        const passed = [];
        for (let nth = 0; nth < 12; nth++)
          passed.push((await fetch(`${url}/v1/latest?symbols=USD`, { headers: from("192.0.2.200") })).status);
        expect(passed.filter((one) => one === 200)).toHaveLength(6);
      }
      if (how.startsWith("killed")) await redis.start();
      else redis.goOn();
      await untilLimits("ok");
      running.sinceLast();
      await moreOf(running, 50);
      expect(Object.keys(tally(running.sinceLast())).sort()).toEqual(["key 200", "stranger 200"]);
      await running.stop();
      // Redis knows the whole month again: as much as was served.
      const { calls } = servedToKeys(running.told);
      const [first] = replicas as [Replica];
      const remembered = await Promise.all(
        members.map(async ({ organizationId: id }) => {
          const allowance = { ...WIDE, hour: null };
          const taken = await first.crossrate.accounts?.counters.take({ kind: "org", id, allowance }, 0);
          return taken !== undefined && "standing" in taken ? taken.standing : null;
        }),
      );
      expect(remembered.every((standing) => standing !== null)).toBe(true);
      expect(calls).toBeGreaterThan(0);
      await settle(running);
    },
  );

  test.each(["killed", "paused"] as const)(
    "Postgres %s: known keys work for 60 s more, unknown ones and sessions are 503, strangers notice nothing, and every served call is written in the end",
    async (how) => {
      const running = await begin();
      const [member] = members as [Member];
      const late = await join(replicas[1]?.url ?? "");
      if (how === "paused") postgres.pause();
      else await postgres.kill();
      await untilDatabase("failed");
      // The last look is too old to be fresh, and still to be believed.
      clock.at += 30_000;
      running.sinceLast();
      await moreOf(running, 80);
      expect(Object.keys(tally(running.sinceLast())).sort()).toEqual(["key 200", "stranger 200"]);
      const statuses = Promise.all(urls().map(statusOf));
      const [url] = urls() as [string];
      const refused: readonly (readonly [string, RequestInit])[] = [
        ["/v1/latest", { headers: bearer(late.key) }],
        ["/compat/oxr/latest.json", { headers: bearer(late.key) }],
        ["/v1/account", { headers: bearer(member.token) }],
        ["/v1/auth/me", { headers: bearer(member.token) }],
        ["/v1/keys/rotate", { method: "POST", headers: bearer(member.token) }],
        ["/v1/auth/sign-in", post({ email: member.email, password: "seven kites above the harbour" })],
      ];
      const answers = await Promise.all(refused.map(([path, init]) => fetch(`${url}${path}`, init)));
      for (const answer of answers) {
        const text = await answer.text();
        expect([answer.url, answer.status]).toEqual([answer.url, 503]);
        if (!answer.url.includes("/compat/"))
          expect(JSON.parse(text).code).toMatch(/^(auth|service)_unavailable$/);
        expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      }
      for (const [status, { status: word, checks }] of await statuses)
        expect([status, word, checks.database.status]).toEqual([503, "unready", "failed"]);
      // The minute is over: no key is believed any more, and none is taken for a stranger.
      clock.at += 60_000;
      // Each of these waits for a ledger that says nothing.
      await moreOf(running, 4);
      running.sinceLast();
      await moreOf(running, 1);
      expect(Object.keys(tally(running.sinceLast())).sort()).toEqual([
        "key 503 auth_unavailable",
        "stranger 200",
      ]);
      if (how === "paused") postgres.resume();
      else await postgres.start();
      await untilDatabase("ok");
      await until("keys are believed again", async () => {
        running.sinceLast();
        await moreOf(running, 4);
        return Object.keys(tally(running.sinceLast())).sort().join() === "key 200,stranger 200";
      });
      await settle(running);
    },
  );

  test("Redis and Postgres both away: minutes by shares, the month counted on from what was last seen; nothing is lost", async () => {
    const running = await begin();
    await Promise.all([redis.kill(), postgres.kill()]);
    await untilLimits("degraded");
    await untilDatabase("failed");
    running.sinceLast();
    await moreOf(running, 50);
    expect(Object.keys(tally(running.sinceLast())).sort()).toEqual(["key 200", "stranger 200"]);
    await Promise.all([redis.start(), postgres.start()]);
    await untilLimits("ok");
    await untilDatabase("ok");
    await moreOf(running, 20);
    await settle(running);
  });
});
