/**
 * `bun bench/redis-faults.ts [--seconds 5]`: two replicas on one Redis under load while Redis is killed, paused, emptied,
 * set back and refused writes. Prints a table; exits 1 when a promise was broken. Needs redis-server.
 */

import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openInstallation } from "#test/live-redis/installation.ts";
import { type ReplicaProcess, shownIn } from "#test/live-redis/replica-process.ts";
import { startWitness } from "#test/live-redis/witness.ts";
import { median } from "./median.ts";
import { PHASES, type Phase } from "./redis-phases.ts";

const SAMPLE_MILLISECONDS = 50;
const MOST_APART_MILLISECONDS = 1000;
const LONGEST_RECOVERY_MILLISECONDS = 2000;
const SLOWEST_MILLISECONDS = 1000;
const GIVE_UP_MILLISECONDS = 15_000;
const LOAD = { connections: 4, pauseMilliseconds: 2 };

const { values } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const milliseconds = Number(values.seconds) * 1000;
const program = Bun.which("redis-server");
if (program === null) throw new Error("redis-server is needed");

const faults: string[] = [];
const promise = (holds: boolean, what: string) => {
  if (!holds) faults.push(what);
};

const installation = await openInstallation(program);
try {
  await installation.redis.start();
  const a = await installation.collecting();
  const b = await installation.answering();
  const pair = [a, b] as const;
  await untilInStep(pair);
  const witness = startWitness(pair, LOAD);
  const before = pair.map(usage);
  console.log(
    "| phase | answers | not 200 | slowest | apart at most | /status during: A; B | ready and in step after | B has A's quote after | log lines A, B |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const phase of PHASES) {
    witness.restart();
    const lines = pair.map((one) => bookLines(one).length);
    const apart = sampleApart(pair);
    const [watchA, watchB] = [watchStatus(a), watchStatus(b)];
    await phase.run(installation.redis, milliseconds);
    const recovered = await untilInStep(pair);
    const [toldA, toldB] = [await watchA.stop(), await watchB.stop()];
    await Bun.sleep(SAMPLE_MILLISECONDS * 4);
    const { longest, lag } = await apart.stop();
    const bad = [...witness.statuses].filter(([status]) => status !== 200);
    const written = pair.map((one, place) => bookLines(one).length - (lines[place] ?? 0));
    const rate = Math.round(witness.answers);
    console.log(
      `| ${phase.name} | ${rate} | ${bad.map(([status, count]) => `${status}: ${count}`).join(", ") || "0"} | ${witness.slowest.toFixed(0)} ms | ${longest.toFixed(0)} ms, ${lag} s | ${toldA.shown}; ${toldB.shown} | ${recovered.inStep.toFixed(0)} ms | ${recovered.caughtUp.toFixed(0)} ms | ${written.join(", ")} |`,
    );
    promise(bad.length === 0, `${phase.name}: answers that were not 200`);
    promise(witness.slowest <= SLOWEST_MILLISECONDS, `${phase.name}: an answer took ${witness.slowest} ms`);
    promise(recovered.inStep <= LONGEST_RECOVERY_MILLISECONDS, `${phase.name}: recovered too late`);
    checkTold(phase, [toldA, toldB]);
    if (phase.told[0] === null)
      promise(longest <= MOST_APART_MILLISECONDS, `${phase.name}: apart for ${longest} ms`);
  }
  const lags = [...witness.firstSeen.values()].flatMap(([first, second]) =>
    first === undefined || second === undefined ? [] : [second - first],
  );
  const late = lags.filter((lag) => lag < 2000).sort((x, y) => x - y);
  console.log();
  console.log(
    `A quote seen of B after it was seen of A: median ${median(late).toFixed(1)} ms, 99 % ${late[Math.floor(late.length * 0.99)]?.toFixed(1)} ms, ${late.length} quotes (outages left out).`,
  );
  await witness.stop();
  pair.forEach((one, place) => {
    const now = usage(one);
    console.log(
      `Replica ${"AB"[place]}: ${before[place]?.files} → ${now.files} open files, ${before[place]?.megabytes} → ${now.megabytes} MB resident.`,
    );
    promise(now.files <= (before[place]?.files ?? 0) + 4, `replica ${"AB"[place]} keeps files open`);
  });
  for (const what of witness.broken) faults.push(what);
  promise(installation.unwanted().length === 0, "the replica that only answers has asked an upstream");
} finally {
  await installation.end();
}
console.log(faults.length === 0 ? "\nEvery promise was kept." : `\nBROKEN:\n  ${faults.join("\n  ")}`);
process.exit(faults.length === 0 ? 0 : 1);

/** Milliseconds until B shows what A shows now, and until both are ready and show the same, which Redis has too. */
async function untilInStep([a, b]: readonly [ReplicaProcess, ReplicaProcess]) {
  const began = performance.now();
  const wanted = newest(await (await a.latest()).text());
  let caughtUp = Number.POSITIVE_INFINITY;
  while (performance.now() - began < GIVE_UP_MILLISECONDS) {
    const [one, other, statusA, statusB] = await Promise.all([
      a.latest().then((answer) => answer.text()),
      b.latest().then((answer) => answer.text()),
      a.status(),
      b.status(),
    ]);
    if (newest(other) >= wanted) caughtUp = Math.min(caughtUp, performance.now() - began);
    const shared = String(await installation.redis.ask("GET", "{crossrate}:book").catch(() => ""));
    const ready = statusA.status === "ready" && statusB.status === "ready" && shared.includes(String(wanted));
    if (ready && caughtUp < Number.POSITIVE_INFINITY && lagBetween(one, other) === 0)
      return { caughtUp, inStep: performance.now() - began };
    await Bun.sleep(5);
  }
  return { caughtUp, inStep: Number.POSITIVE_INFINITY };
}

function newest(text: string): number {
  return Math.max(...[...shownIn(text).values()].map(({ effectiveAt }) => effectiveAt));
}

/** Largest difference of a currency's observation times, in seconds. */
function lagBetween(one: string, other: string): number {
  const [first, second] = [shownIn(one), shownIn(other)];
  const differences = [...first].map(([code, { effectiveAt }]) =>
    Math.abs(effectiveAt - (second.get(code)?.effectiveAt ?? 0)),
  );
  return Math.max(...differences) / 1000;
}

/** Compares the replicas twenty times a second: for how long without a break they differed, and by how much at most. */
function sampleApart([a, b]: readonly [ReplicaProcess, ReplicaProcess]) {
  let [longest, lag, stopped] = [0, 0, false];
  let since: number | null = null;
  const loop = (async () => {
    while (!stopped) {
      const at = performance.now();
      const texts = await Promise.all([a, b].map(async (one) => await (await one.latest()).text()));
      const difference = lagBetween(texts[0] ?? "", texts[1] ?? "");
      lag = Math.max(lag, difference);
      if (since !== null) longest = Math.max(longest, at - since);
      since = difference === 0 ? null : (since ?? at);
      await Bun.sleep(Math.max(0, SAMPLE_MILLISECONDS - (performance.now() - at)));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return { longest, lag };
    },
  };
}

interface Told {
  /** Every detail that was given while the cache was degraded. */
  readonly details: ReadonlySet<string>;
  readonly shown: string;
}

function watchStatus(replica: ReplicaProcess) {
  const details = new Set<string>();
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const { status, checks } = await replica.status();
      if (checks.cache.status === "degraded") {
        details.add(checks.cache.detail ?? "");
        promise(status === "degraded", "/status is not degraded while its cache is");
      }
      await Bun.sleep(SAMPLE_MILLISECONDS);
    }
  })();
  return {
    stop: async (): Promise<Told> => {
      stopped = true;
      await loop;
      return { details, shown: details.size === 0 ? "ready" : `degraded, ${[...details].join(" / ")}` };
    },
  };
}

function checkTold({ name, told }: Phase, seen: readonly [Told, Told]): void {
  told.forEach((wanted, place) => {
    const details = [...(seen[place] as Told).details];
    const kept = wanted === null ? details.length === 0 : details.some((detail) => wanted.test(detail));
    promise(kept, `${name}: /status of ${"AB"[place]} said ${details.join(" / ") || "nothing"}`);
  });
}

/** What an operator was told of the hot book. */
function bookLines(replica: ReplicaProcess): readonly string[] {
  return replica.log().filter((line) => /hot book|Redis/i.test(line));
}

function usage({ pid }: ReplicaProcess) {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(Number(resident) / 1024) };
}
