/**
 * `bun bench/limits-faults.ts [--seconds 4]`: two metered replicas on one Postgres and one Redis, called without a break while
 * either is killed, paused and brought back, and one replica killed. A Redis that is back empty is made a minute old, so that it
 * counts at once. Prints a table; exits 1 when a promise was broken. Needs redis-server and postgresql.
 */

import { writeFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { parseArgs } from "node:util";
import { WIDTHS } from "#domain/limits/counts.ts";
import { runCommand } from "#test/commands/process.ts";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { bearer, join, json, type Member } from "#test/metered/client.ts";
import { dataDirectory, NOON } from "#test/metered/history.ts";
import { type Answered, type Load, outcomeOf, servedToKeys, startLoad } from "#test/metered/load.ts";
import { ageLife } from "#test/store/counters/fixtures.ts";
import { optionalPostgres, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { median } from "./median.ts";

const KEYS = 4;
/** A ledger that says nothing is given up after two seconds. */
const SLOWEST_MILLISECONDS = 3_000;
const LONGEST_RECOVERY_MILLISECONDS = 4_000;
const GIVE_UP_MILLISECONDS = 20_000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "4" } } });
const milliseconds = Number(values.seconds) * 1000;
const [redisProgram, postgresPrograms] = [Bun.which("redis-server"), optionalPostgres("this benchmark")];
if (redisProgram === null || postgresPrograms === null)
  throw new Error("redis-server and postgresql are needed");

const broken: string[] = [];
const promise = (holds: boolean, what: string) => {
  if (!holds) broken.push(what);
};

interface Phase {
  readonly name: string;
  /** Breaks it, leaves it broken, repairs it. */
  readonly run: () => Promise<void>;
  /** Outcomes that are in order besides 200. */
  readonly allowed: RegExp | null;
}

const redis = redisServer(redisProgram);
const postgres = await startPostgres(postgresPrograms);
const dataDir = await dataDirectory();
const plans = pathOf(dataDir, "plans.json");
writeFileSync(plans, JSON.stringify({ plus: { minute: 500_000, month: 10_000_000 } }));
const began = performance.now();
const settings = () => ({
  DATA_DIR: dataDir,
  ACCESS: "metered",
  ROLE: "api",
  LIVE_FEED: "off",
  REPLICAS: "2",
  REDIS_URL: redis.url,
  DATABASE_URL: postgres.url,
  PLANS_FILE: plans,
  TRUSTED_PROXIES: "127.0.0.0/8",
  CURSOR_SECRET: "the same for both",
  NOW: new Date(NOON + performance.now() - began).toISOString(),
});

const PHASES: readonly Phase[] = [
  { name: "quiet", allowed: null, run: () => Bun.sleep(milliseconds) },
  {
    name: "Redis SIGKILL, back empty",
    allowed: null,
    run: async () => {
      await redis.kill();
      await Bun.sleep(milliseconds);
      await redis.start();
      await ageLife(redis, WIDTHS.minute);
    },
  },
  {
    name: "Redis SIGSTOP, SIGCONT",
    allowed: null,
    run: async () => {
      redis.pause();
      await Bun.sleep(milliseconds);
      redis.goOn();
    },
  },
  {
    name: "Postgres SIGKILL, back",
    allowed: null,
    run: async () => {
      await postgres.kill();
      await Bun.sleep(milliseconds + 6_000);
      await postgres.start();
    },
  },
  {
    name: "Postgres SIGSTOP, SIGCONT",
    allowed: null,
    run: async () => {
      postgres.pause();
      await Bun.sleep(milliseconds + 6_000);
      postgres.resume();
    },
  },
  {
    name: "Postgres away for 70 s",
    allowed: /^key 503 auth_unavailable$/,
    run: async () => {
      await postgres.kill();
      await Bun.sleep(70_000);
      await postgres.start();
    },
  },
  {
    name: "both SIGKILL, both back",
    allowed: null,
    run: async () => {
      await Promise.all([redis.kill(), postgres.kill()]);
      await Bun.sleep(milliseconds + 6_000);
      await Promise.all([redis.start(), postgres.start()]);
      await ageLife(redis, WIDTHS.minute);
    },
  },
];

try {
  await redis.start();
  const a = await startReplica(settings());
  const b = await startReplica(settings());
  const members: Member[] = [];
  for (let nth = 0; nth < KEYS; nth++) {
    const member = await join(a.url, `caller-${nth}@example.org`);
    const { code } = await runCommand(["accounts", "tier", member.organizationId, "plus"], settings());
    if (code !== 0) throw new Error("the plan was not set");
    members.push(member);
  }
  await Bun.sleep(5_000);
  const usage = async (): Promise<number> => {
    let calls = 0;
    for (const { token } of members)
      calls += (await json(await fetch(`${a.url}/v1/account`, { headers: bearer(token) }))).usage
        .calls_this_month;
    return calls;
  };
  console.log(
    "| phase | answers a second | not 200 | median, p99, slowest | /status during | well again after |",
  );
  console.log("|---|---|---|---|---|---|");
  const load = startLoad({ urls: [a.url, b.url], keys: members.map(({ key }) => key), pauseMilliseconds: 2 });
  for (const phase of PHASES) await carryOut(phase, load, [a, b]);
  await load.stop();
  const { calls } = servedToKeys(load.answered);
  await Bun.sleep(2_500);
  const written = await usage();
  console.log(`\nServed to keys: ${calls} calls. In the ledger: ${written}.`);
  promise(written === calls, `the ledger has ${written} of ${calls} calls`);
  await killOne(a, b, members, usage);
  await a.end();
} finally {
  redis.goOn();
  postgres.resume();
  await redis.end();
  await postgres.stop();
}
console.log(broken.length === 0 ? "\nEvery guarantee held." : `\nBROKEN:\n  ${broken.join("\n  ")}`);
process.exit(broken.length === 0 ? 0 : 1);

async function carryOut(phase: Phase, load: Load, pair: readonly ReplicaProcess[]): Promise<void> {
  load.sinceLast();
  const states = new Set<string>();
  let running = true;
  const watching = (async () => {
    while (running) {
      for (const state of await Promise.all(pair.map(readinessOf))) states.add(state);
      await Bun.sleep(100);
    }
  })();
  const from = performance.now();
  await phase.run();
  const mended = performance.now();
  running = false;
  await watching;
  await untilWell(pair);
  const recovered = performance.now() - mended;
  // The next phase is to find everything as it was at first.
  await Bun.sleep(2_000);
  const answered = load.sinceLast();
  const refused = [...Map.groupBy(answered, outcomeOf)].filter(([name]) => !name.endsWith(" 200"));
  const times = answered.map(({ took }) => took).sort((x, y) => x - y);
  const slowest = times.at(-1) ?? 0;
  const perSecond = answered.length / ((performance.now() - from) / 1000);
  const counts = refused.map(([name, { length }]) => `${length} × ${name}`).join("; ") || "0";
  console.log(
    `| ${phase.name} | ${perSecond.toFixed(0)} | ${counts} | ${ms(median(times))}, ${ms(percentile(times, 0.99))}, ${ms(slowest)} | ${[...states].sort().join("; ")} | ${ms(recovered)} |`,
  );
  const wrong = refused.filter(([name]) => phase.allowed?.test(name) !== true);
  promise(wrong.length === 0, `${phase.name}: ${wrong.map(([name]) => name).join("; ")}`);
  promise(slowest <= SLOWEST_MILLISECONDS, `${phase.name}: an answer took ${ms(slowest)}`);
  promise(recovered <= LONGEST_RECOVERY_MILLISECONDS, `${phase.name}: well again after ${ms(recovered)}`);
}

/** `kill -9` of one replica: what it had served in its last second may be missing, and nothing else. */
async function killOne(
  a: ReplicaProcess,
  b: ReplicaProcess,
  members: readonly { readonly key: string }[],
  usage: () => Promise<number>,
): Promise<void> {
  const before = await usage();
  const keys = members.map(({ key }) => key);
  const [onA, onB] = [a, b].map(({ url }) => startLoad({ urls: [url], keys, strangers: false }));
  const answeredB = (onB as Load).answered;
  await Bun.sleep(3_300);
  const marks = [answeredB.length];
  const from = performance.now();
  await Bun.sleep(1_000);
  marks.push(answeredB.length);
  const lastSecond = performance.now() - from;
  await b.end("SIGKILL");
  await (onB as Load).stop().catch(() => {});
  await (onA as Load).stop();
  await Bun.sleep(2_500);
  const served = servedToKeys([...(onA as Load).answered, ...answeredB]).calls;
  const missing = served - ((await usage()) - before);
  const atRisk = servedToKeys(answeredB.slice(marks[0])).calls;
  console.log(
    `kill -9 of a replica: ${missing} of ${served} calls are missing; it had served ${atRisk} in its last ${ms(lastSecond)}.`,
  );
  // Calls whose answer was cut off may count.
  promise(missing <= atRisk && missing >= -keys.length * 3, `${missing} calls are missing after kill -9`);
}

async function readinessOf({ url }: ReplicaProcess): Promise<string> {
  const answer = await fetch(`${url}/status`);
  const { checks } = (await answer.json()) as { checks: Record<string, { status: string }> };
  return `${answer.status} limits ${checks["limits"]?.status}, database ${checks["database"]?.status}`;
}

async function untilWell(pair: readonly ReplicaProcess[]): Promise<void> {
  const end = performance.now() + GIVE_UP_MILLISECONDS;
  for (;;) {
    const states = await Promise.all(pair.map(readinessOf));
    if (states.every((state) => state === "200 limits ok, database ok")) return;
    if (performance.now() > end) throw new Error(`not well again: ${states.join("; ")}`);
    await Bun.sleep(10);
  }
}

function percentile(sorted: readonly Answered["took"][], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function ms(time: number): string {
  return `${time.toFixed(time < 10 ? 1 : 0)} ms`;
}
