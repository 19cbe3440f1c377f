/**
 * `bun run check:failover`: two collectors are paused, killed and cut off from their stores at random for ten minutes; then the
 * stores are judged. FAILOVER_SECONDS sets how long, FAILOVER_SEED repeats a run. Not a part of the check: it takes its time.
 */

import { parseArgs } from "node:util";
import { MOTO } from "#test/store/bucket/storage-server.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { endAll } from "#test/support/at-end.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { leaderOf, type Member, openSite, otherThan, type Site, type Store, verified } from "./site.ts";
import {
  eventFaults,
  faultsOfQuotes,
  figuresIn,
  publicationsIn,
  type Witness,
  watchReplica,
} from "./witness.ts";

parseArgs({ args: process.argv.slice(2), options: {} });
const SECONDS = Number(process.env["FAILOVER_SECONDS"] ?? 600);
const SEED = Number(process.env["FAILOVER_SEED"] ?? Date.now() % 1_000_000);
/** How long a take-over may take: docs/operations.md promises it. */
const MOST_MILLISECONDS = 10_000;

const STORES: readonly Store[] = ["postgres", "redis", "bucket"];
const TABLES = "cze_fixing,pol_a,eue_reference,eue_customs";

interface Harm {
  readonly name: string;
  /** Whether the other collector is to take over. */
  readonly isFelt: boolean;
  readonly begin: (member: Member) => void | Promise<void>;
  readonly mend: (member: Member) => void | Promise<void>;
}

const cut = (stores: readonly Store[], how: "ended" | "silent"): Harm => ({
  name: `cut off from ${stores.join(", ")}, ${how}`,
  isFelt: stores.includes("postgres"),
  begin: ({ ways }) => {
    for (const store of stores) ways[store].cut(how);
  },
  mend: ({ ways }) => {
    for (const store of stores) ways[store].restore();
  },
});

const HARMS: readonly Harm[] = [
  { name: "paused", isFelt: true, begin: (member) => member.pause(), mend: (member) => member.resume() },
  { name: "killed", isFelt: true, begin: (member) => member.kill(), mend: (member) => member.start() },
  {
    name: "asked to end",
    isFelt: true,
    begin: async (member) => void (await member.end()),
    mend: (member) => member.start(),
  },
  ...(["ended", "silent"] as const).flatMap((how) => [
    cut(STORES, how),
    ...STORES.map((store) => cut([store], how)),
  ]),
];

const programs = optionalPostgres("this run");
const redis = optionalTool("redis-server", "this run");
if (programs === null || redis === null || MOTO === null) process.exit(1);

const random = seededRandom(SEED);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const say = (line: string) => process.stdout.write(`${line}\n`);
const faults: string[] = [];
const takeOvers: number[] = [];

const site = await openSite(programs, redis, TABLES);
process.on("SIGINT", () => void ended().then(() => process.exit(130)));
const witness = await begin(site);
const ends = performance.now() + SECONDS * 1000;
say(`seed ${SEED}, ${SECONDS} s`);
while (performance.now() < ends) await harm(site, witness);
for (const one of site.collectors) if (one.process() === null) await one.start();
await waited("one of them collects in the end", async () => (await leaderOf(site)) !== null);
await judge(site, witness);
await ended();
takeOvers.sort((a, b) => a - b);
const at = (share: number) => ((takeOvers[Math.floor(takeOvers.length * share)] ?? 0) / 1000).toFixed(1);
say(`${takeOvers.length} take-overs: median ${at(0.5)} s, longest ${at(0.999)} s`);
for (const fault of faults) say(`FAULT ${fault}`);
say(`1 passed, ${faults.length} failed`);
process.exit(faults.length === 0 ? 0 : 1);

/** Every server that this run has started. */
async function ended(): Promise<void> {
  await site.end();
  await endAll();
}

async function begin(opened: Site): Promise<Witness> {
  await opened.collectors[0].start();
  await waited("the first one collects", async () => (await opened.collectors[0].isCollecting()) === true);
  await Promise.all([opened.collectors[1].start(), opened.replica.start()]);
  const watching = watchReplica(opened);
  await waited("live rates are served", () => watching.newest() > 0);
  return watching;
}

/** One fault of one collector, most often of the one that collects, for up to 15 s; the other is whole meanwhile. */
async function harm(opened: Site, watching: Witness): Promise<void> {
  let leader: Member | null = null;
  await waited("one of them collects", async () => {
    leader = await leaderOf(opened);
    return leader !== null;
  });
  if (leader === null) return;
  const victim: Member = random() < 0.8 ? leader : otherThan(opened, leader);
  const chosen = pick(HARMS);
  const next = otherThan(opened, victim);
  say(`${victim.name} ${victim === leader ? "(collects)" : "(stands by)"} is ${chosen.name}`);
  const began = performance.now();
  await chosen.begin(victim);
  if (victim === leader && chosen.isFelt) {
    const from = opened.now();
    await waited(`${next.name} takes over`, async () => (await next.isCollecting()) === true);
    await waited("newer live rates are served", () => watching.newest() > from);
    const took = performance.now() - began;
    takeOvers.push(took);
    if (took > MOST_MILLISECONDS) faults.push(`${next.name} took over after ${(took / 1000).toFixed(1)} s`);
  }
  await Bun.sleep(random() * 5_000);
  await chosen.mend(victim);
  await Bun.sleep(random() * 3_000);
}

async function judge(opened: Site, watching: Witness): Promise<void> {
  for (const one of opened.collectors) {
    const damaged = (one.process()?.log() ?? []).filter((line) => line.includes('"lake_damaged"'));
    faults.push(...damaged);
    if ((await one.end()) !== 0) faults.push(`${one.name} did not end in good order`);
  }
  await watching.stop();
  for (const one of opened.collectors) {
    await one.start();
    if ((await one.end()) !== 0) faults.push(`${one.name} did not end in good order`);
  }
  const quotes = await faultsOfQuotes(opened, watching);
  faults.push(...quotes);
  say(`${watching.served.size} live rates were served: ${quotes.length} faults`);
  const { versions, events } = await publicationsIn(opened.postgres.url);
  const wrong = eventFaults(versions, events);
  faults.push(...wrong);
  say(`${versions.length} publications, ${events.length} events: ${wrong.length} faults`);
  const figures = await figuresIn(opened.place);
  if (new Set(figures).size !== figures.length) faults.push("figures are doubled in the lake");
  say(`${figures.length} figures in the lake`);
  const history = await verified(opened);
  if (history.code !== 0) faults.push(`crossrate verify: ${history.out}${history.err}`);
  await compare(opened, new Set(figures), new Set(versions));
}

/** What a collector that nothing happened to has collected of the same upstreams is all there. */
async function compare(
  opened: Site,
  figures: ReadonlySet<string>,
  versions: ReadonlySet<string>,
): Promise<void> {
  const { member, database, place } = await opened.alone();
  await member.start();
  await waited("a collector alone is done", async () => {
    const answer = await fetch(`${member.process()?.url}/status`);
    const { checks } = (await answer.json()) as StatusChecks;
    const all = [...Object.values(checks.daily), ...Object.values(checks.official)];
    return all.every(({ status }) => status === "ok");
  });
  await member.end();
  const [wantedFigures, wanted] = [await figuresIn(place), await publicationsIn(database)];
  const lostFigures = wantedFigures.filter((line) => !figures.has(line));
  const lost = wanted.versions.filter((line) => !versions.has(line));
  faults.push(...[...lostFigures, ...lost].map((line) => `lost: ${line}`));
  say(
    `beside a collector alone: ${lostFigures.length + lost.length} of ${wantedFigures.length + wanted.versions.length} are lost`,
  );
}

interface StatusChecks {
  readonly checks: Record<"daily" | "official", Record<string, { readonly status: string }>>;
}

async function waited(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) {
      faults.push(`waited in vain until ${what}`);
      return;
    }
    await Bun.sleep(20);
  }
}
