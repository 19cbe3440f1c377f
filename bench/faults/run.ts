/**
 * `bun run faults`: two replicas and two collectors on Redis, Postgres and a bucket, under load, while a fault is done to one of
 * them every 15 seconds; then everything is judged. Prints the report of docs/reliability.md, and exits 1 where a promise was broken.
 */

import { randomBytes } from "node:crypto";
import { loadavg } from "node:os";
import { join as pathOf } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "#test/commands/process.ts";
import { leaderOf, type Member, openSite, otherThan } from "#test/failover/site.ts";
import { type Witness, watchReplica } from "#test/failover/witness.ts";
import { bearer } from "#test/metered/client.ts";
import { MOTO } from "#test/store/bucket/storage-server.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { endAll } from "#test/support/at-end.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { type SmallDisk, smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { join, startPeople } from "./accepted.ts";
import { type Caller, type Callers, type Limited, startCallers } from "./callers.ts";
import { judgeCalls, judgeStores } from "./judge.ts";
import { type Fault, KINDS } from "./kinds.ts";
import { startOracle } from "./oracle.ts";
import { soak } from "./soak.ts";

const HELP = `usage: bun run faults [--minutes 10] [--seed N] [--only <kind>] [--soak] [--help]

Starts two replicas, two collectors, Redis, Postgres and an S3 server on the loopback address, asks the replicas without a
break, and does a fault every 15 seconds. Afterwards everything is judged. Ends by itself, with exit status 1 where a promise
was broken. --soak does no fault, for 60 minutes by default, and prints how memory, files and disk grow.

Kinds of faults: ${Object.keys(KINDS).join(", ")}`;

const EVERY_MILLISECONDS = 15_000;
/** Longer than a lease, which ends after five seconds and a heartbeat. */
const LASTS_MILLISECONDS = 7_500;
const MOST_RECOVERY_MILLISECONDS = 5_000;
/** docs/operations.md promises it. */
const MOST_TAKE_OVER_MILLISECONDS = 10_000;
const GIVE_UP_MILLISECONDS = 60_000;
/** Ninety seconds before the ECB's figures of the day are published; of six years, so that a process starts quickly. */
const BEGINS = Date.parse("2005-04-12T13:58:30Z");
const TODAY = "2005-04-12";
const TABLES = "cze_fixing,pol_a,eue_reference,eue_customs";
const DISK_BYTES = 128 * 1024 * 1024;
const MINUTE_LIMIT = 60;
const KEYS: readonly Limited[] = ["wide", "wide", "wide", "wide", "minute"];
const PLANS = {
  free: { minute: 1_000_000, month: 1_000_000_000, history_days: null, webhooks: 5 },
  basic: { minute: MINUTE_LIMIT, month: 1_000_000 },
};

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", multiple: true },
    soak: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const minutes = Number(values.minutes ?? (values.soak ? 60 : 10));
const seed = Number(values.seed);
/** A soak asks four times less often. */
const pace = values.soak ? 4 : 1;
const kinds = values.only ?? Object.keys(KINDS);
if (!(minutes > 0) || !Number.isInteger(seed) || kinds.some((kind) => KINDS[kind] === undefined)) {
  console.error(HELP);
  process.exit(2);
}
const programs = optionalPostgres("this run");
const redisProgram = optionalTool("redis-server", "this run");
if (programs === null || redisProgram === null || MOTO === null) process.exit(1);

const random = seededRandom(seed);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const broken: string[] = [];
const say = (line: string) => console.log(line);
const disks = new Map<string, SmallDisk>();
const plansFile = pathOf(temporaryDirectory(), "plans.json");
await Bun.write(plansFile, JSON.stringify(PLANS));
const settings = {
  ...{ ACCESS: "metered", REPLICAS: "2", PLANS_FILE: plansFile, TRUSTED_PROXIES: "127.0.0.0/8" },
  MASTER_KEYS: `1:${randomBytes(32).toString("base64")}`,
  ALLOW_PRIVATE_WEBHOOKS: "yes",
};
const site = await openSite(programs, redisProgram, {
  ...{ tables: TABLES, settings, begins: BEGINS },
  directory: (name) => {
    if (values.soak) return temporaryDirectory();
    const disk = smallDisk(`the full disk of ${name}`, DISK_BYTES);
    if (disk.isMounted) disks.set(name, disk);
    return disk.path;
  },
});
const ended = () => site.end().then(endAll);
process.on("SIGINT", () => void ended().then(() => process.exit(130)));
try {
  await run();
} finally {
  await ended();
}
for (const what of broken.slice(0, 30)) say(`BROKEN ${what}`);
say(broken.length === 0 ? "\nEvery promise was kept." : `\n${broken.length} promises were broken.`);
process.exit(broken.length === 0 ? 0 : 1);

async function run(): Promise<void> {
  say(`Seed ${seed}, ${minutes} minutes, load average ${loadavg()[0]?.toFixed(1)} at the start.\n`);
  const [a, b] = site.collectors;
  const fed = await startOracle(site);
  await a.start();
  await waited("the first one collects", async () => (await a.isCollecting()) === true);
  await Promise.all([b.start(), ...site.replicas.map((one) => one.start())]);
  const callers: Caller[] = [];
  for (const [nth, limited] of KEYS.entries()) callers.push(await callerOf(nth, limited));
  // Of a person whose calls are not counted.
  const wide = await callerOf(callers.length, "wide");
  const witness = watchReplica(site, bearer(wide.key));
  await waited("both sources are collected", async () => !(await newestDays()).includes(null));
  await waited("both replicas serve all of it", async () => (await trouble(wide, 0)) === null);
  if (broken.length > 0)
    throw new Error(`it is not ready, perhaps the machine is too busy: ${broken.join("; ")}`);
  const load = startCallers(site, callers, fed, seededRandom(seed + 1), pace);
  const people = startPeople(site, pace);
  let outages = 0;
  if (values.soak) await soak({ site, load, minutes, say });
  else outages = await disturb(load, wide, witness);
  load.expect(null);
  await waited("everything is well in the end", async () => (await trouble(wide, 0)) === null);
  await waited("the figures of the day are collected", async () => (await newestDays())[0] === TODAY);
  say(
    `\nload: ${JSON.stringify(load.report().others)} since the last fault; ${fed.prices()} live prices were sent`,
  );
  await load.stop();
  const lost = await people.judge();
  const calls = await judgeCalls(site, load, { minute: MINUTE_LIMIT, outages });
  const stores = await judgeStores(site, witness);
  broken.push(...load.violations, ...lost, ...calls.faults, ...stores.faults);
  say(`rates: ${load.violations.length} answers were wrong or refused without a reason`);
  say(
    `accounts: ${people.people.length} people with their keys, endpoints and test events: ${lost.length} faults`,
  );
  for (const line of [...calls.lines, ...stores.lines]) say(line);
}

async function callerOf(nth: number, limited: Limited): Promise<Caller> {
  const person = await join(site.replicas[0], nth, null);
  if (person?.key === undefined || person.organization === undefined) throw new Error("nobody can sign up");
  if (limited === "minute") {
    const environment = { ...settings, DATABASE_URL: site.postgres.url, DATA_DIR: temporaryDirectory() };
    const { code, err } = await runCommand(["accounts", "tier", person.organization, "basic"], environment);
    if (code !== 0) throw new Error(err);
  }
  return { key: person.key, token: person.token, limited };
}

/** One fault after the other; resolves with the number of those of Redis. */
async function disturb(load: Callers, wide: Caller, witness: Witness): Promise<number> {
  const ends = performance.now() + minutes * 60_000;
  let [bag, outages, next]: [string[], number, number] = [[], 0, performance.now()];
  say("| fault | answers | not 200 | p99, slowest | took over after | well after |");
  say("|---|---|---|---|---|---|");
  const recoveries: number[] = [];
  while (performance.now() < ends) {
    await Bun.sleep(Math.max(0, next - performance.now()));
    next = performance.now() + EVERY_MILLISECONDS;
    // Every kind has its turn before any has the next one.
    if (bag.length === 0) bag = [...kinds].sort(() => random() - 0.5);
    const leader = await leaderOf(site);
    const victim = random() < 0.4 && leader !== null ? leader : pick([...site.collectors, ...site.replicas]);
    const kill = async () => {
      load.killed(victim);
      await victim.kill();
    };
    const fault = KINDS[bag.pop() as string]?.({
      site,
      victim,
      pick,
      disk: disks.get(victim.name) ?? null,
      kill,
    });
    if (fault === null || fault === undefined) continue;
    if (/redis/i.test(fault.name)) outages += 1;
    recoveries.push(await carryOut(fault, leader, load, wide, witness));
  }
  recoveries.sort((one, other) => one - other);
  const at = (share: number) => seconds(recoveries[Math.floor((recoveries.length - 1) * share)] ?? 0);
  say(`\n${recoveries.length} faults; well again after ${at(0.5)} in the median, ${at(1)} at most.`);
  return outages;
}

async function carryOut(
  fault: Fault,
  leader: Member | null,
  load: Callers,
  wide: Caller,
  witness: Witness,
): Promise<number> {
  load.report();
  load.expect({ member: fault.victim });
  if (/clock/.test(fault.name)) load.skewed();
  const began = performance.now();
  const before = site.now();
  await fault.begin();
  let tookOver = "";
  if (leader !== null && fault.victim === leader && fault.isFollowed) {
    const next = otherThan(site, leader);
    await waited(`${next.name} takes over`, async () => (await next.isCollecting()) === true);
    await waited("newer live rates are served", () => witness.newest() > before);
    const took = performance.now() - began;
    tookOver = seconds(took);
    if (took > MOST_TAKE_OVER_MILLISECONDS)
      broken.push(`${fault.name}: ${next.name} took over after ${tookOver}`);
  }
  await Bun.sleep(Math.max(0, began + LASTS_MILLISECONDS - performance.now()));
  const cleared = performance.now();
  const newest = witness.newest();
  await fault.clear();
  let last = "";
  await waited(`all is well after: ${fault.name}`, async () => {
    const what = await trouble(wide, newest);
    last = what ?? last;
    return what === null;
  });
  const took = performance.now() - cleared;
  load.expect(null);
  if (took > MOST_RECOVERY_MILLISECONDS)
    broken.push(`${fault.name}: well after ${seconds(took)}, last ${last}`);
  const { answers, others, p99, slowest } = load.report();
  const outcomes = Object.entries(others).map(([outcome, count]) => `${count} × ${outcome}`);
  const row = [
    fault.name,
    answers,
    outcomes.join(", "),
    `${p99.toFixed(0)}, ${slowest.toFixed(0)} ms`,
    tookOver,
    last === "" ? seconds(took) : `${seconds(took)}, last ${last}`,
  ];
  say(`| ${row.join(" | ")} |`);
  return took;
}

/**
 * What is not as it should be: one collects, the other answers, and both replicas serve a key, have their stores, and have a live rate
 * from after this instant, which is that of the newest one when the fault was cleared: the clock of a process that started slowly is late.
 */
async function trouble(wide: Caller, after: number): Promise<string | null> {
  const said = await Promise.all(site.collectors.map((one) => one.isCollecting()));
  const silent = site.collectors.find((_, nth) => said[nth] === null);
  if (silent !== undefined) return `${silent.name} does not answer`;
  if (said.filter((one) => one === true).length !== 1) return `collecting: ${said.join(", ")}`;
  const each = site.replicas.map(async ({ name, process }) => {
    const url = process()?.url;
    const signal = AbortSignal.timeout(1_000);
    const [status, latest] = await Promise.all([
      fetch(`${url}/status`, { signal }),
      fetch(`${url}/v1/latest`, { headers: bearer(wide.key), signal }),
    ]);
    const { checks } = (await status.json()) as {
      checks: Record<string, { status: string; detail?: string | null }>;
    };
    const away = ["database", "cache", "lake", "limits"].find((store) => {
      const { status: state, detail = null } = checks[store] ?? {};
      // For a minute after Redis was emptied limits are counted by shares, as documented.
      if (store === "limits" && /emptied/.test(detail ?? "")) return false;
      return state !== "ok" || (store === "lake" && detail !== null);
    });
    if (away !== undefined) return `${away} of ${name}`;
    const { effective_at: times } = (await latest.json()) as { effective_at?: Record<string, string> };
    if (times === undefined) return `${name} answers ${latest.status}`;
    return Object.values(times).some((time) => Date.parse(time) > after) ? null : `live rates of ${name}`;
  });
  const all = await Promise.all(each.map((one) => one.catch((fault: unknown) => String(fault))));
  return all.find((one) => one !== null) ?? null;
}

/** The newest day of each daily source at each replica. */
async function newestDays(): Promise<readonly (string | null)[]> {
  const each = site.replicas.map(async ({ process }) => {
    const answer = await fetch(`${process()?.url}/status`);
    const { checks } = (await answer.json()) as {
      checks: { daily: Record<string, { newest_date: string | null }> };
    };
    return ["ecb_daily", "fred_daily"].map((source) => checks.daily[source]?.newest_date ?? null);
  });
  return (await Promise.all(each)).flat();
}

async function waited(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + GIVE_UP_MILLISECONDS;
  while (!(await condition())) {
    if (performance.now() > end) {
      broken.push(`waited in vain until ${what}`);
      return;
    }
    await Bun.sleep(20);
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
