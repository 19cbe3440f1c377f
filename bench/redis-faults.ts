/**
 * `bun bench/redis-faults.ts [--seconds 5] [--heavy]`: two replicas on one Redis under load while Redis is killed, paused,
 * emptied, set back and refused writes. Prints a table; exits 1 when a promise was broken. Needs redis-server; --heavy has
 * wrk take all the processors there are besides.
 */

import { parseArgs } from "node:util";
import { openInstallation } from "#test/live-redis/installation.ts";
import type { ReplicaProcess } from "#test/live-redis/replica-process.ts";
import { startWitness } from "#test/live-redis/witness.ts";
import { median } from "./median.ts";
import { PHASES, type Phase } from "./redis-phases.ts";
import {
  bookLines,
  heavyLoad,
  lagBetween,
  newest,
  type Reported,
  SAMPLE_MILLISECONDS,
  sampleApart,
  usage,
  watchStatus,
} from "./redis-watch.ts";

const MOST_APART_MILLISECONDS = 1000;
const LONGEST_RECOVERY_MILLISECONDS = 2000;
const SLOWEST_MILLISECONDS = 1000;
const GIVE_UP_MILLISECONDS = 15_000;
const LOAD = { connections: 4, pauseMilliseconds: 2 };

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "5" }, heavy: { type: "boolean", default: false } },
});
const milliseconds = Number(values.seconds) * 1000;
const program = Bun.which("redis-server");
if (program === null) throw new Error("redis-server is needed");

const faults: string[] = [];
const lags: number[] = [];
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
  let before = pair.map(usage);
  console.log(
    "| phase | answers | not 200 | slowest | apart at most | /status during: A; B | ready and in step after | B has A's quote after | log lines A, B |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const phase of PHASES) {
    witness.restart();
    const lines = pair.map((one) => bookLines(one).length);
    const apart = sampleApart(pair);
    const [watchA, watchB] = [watchStatus(a), watchStatus(b)];
    const heavy = heavyLoad(values.heavy ? pair : []);
    await phase.run(installation.redis, milliseconds);
    const recovered = await untilInStep(pair);
    const [reportA, reportB] = [await watchA.stop(), await watchB.stop()];
    await Bun.sleep(SAMPLE_MILLISECONDS * 4);
    const { longest, lag } = await apart.stop();
    const { answers, failures } = await heavy.stop();
    const bad = failures + witness.answers - (witness.statuses.get(200) ?? 0);
    const written = pair.map((one, place) => bookLines(one).length - (lines[place] ?? 0));
    console.log(
      `| ${phase.name} | ${answers + witness.answers} | ${bad} | ${witness.slowest.toFixed(0)} ms | ${longest.toFixed(0)} ms, ${lag} s | ${reportA.readiness}; ${reportB.readiness} | ${recovered.inStep.toFixed(0)} ms | ${recovered.caughtUp.toFixed(0)} ms | ${written.join(", ")} |`,
    );
    promise(bad === 0, `${phase.name}: answers that were not 200`);
    promise(witness.slowest <= SLOWEST_MILLISECONDS, `${phase.name}: an answer took ${witness.slowest} ms`);
    promise(recovered.inStep <= LONGEST_RECOVERY_MILLISECONDS, `${phase.name}: recovered too late`);
    checkReported(phase, [reportA, reportB]);
    if (phase === PHASES[0]) {
      before = pair.map(usage);
      noteLags(witness.firstSeen);
    }
    if (phase.reported[0] === null)
      promise(longest <= MOST_APART_MILLISECONDS, `${phase.name}: apart for ${longest} ms`);
  }
  lags.sort((x, y) => x - y);
  console.log(
    `\nWhile nothing was wrong, a quote was seen of B ${median(lags).toFixed(1)} ms after it was seen of A in the median, ${lags.at(-1)?.toFixed(1)} ms at most (${lags.length} quotes).`,
  );
  await witness.stop();
  pair.forEach((one, place) => {
    const now = usage(one);
    console.log(
      `Replica ${"AB"[place]}: ${before[place]?.files} → ${now.files} open files, ${before[place]?.megabytes} → ${now.megabytes} MB resident.`,
    );
    promise(now.files <= (before[place]?.files ?? 0) + 4, `replica ${"AB"[place]} holds files open`);
  });
  for (const what of witness.broken) faults.push(what);
  promise(installation.unwanted().length === 0, "the replica that only answers has requested an upstream");
} finally {
  await installation.end();
}
console.log(faults.length === 0 ? "\nEvery guarantee held." : `\nBROKEN:\n  ${faults.join("\n  ")}`);
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
    const ready =
      statusA.status === "ready" && statusB.status === "ready" && shared.includes(` ${newest(one)} `);
    if (ready && caughtUp < Number.POSITIVE_INFINITY && lagBetween(one, other) === 0)
      return { caughtUp, inStep: performance.now() - began };
    await Bun.sleep(5);
  }
  return { caughtUp, inStep: Number.POSITIVE_INFINITY };
}

function checkReported({ name, reported }: Phase, seen: readonly [Reported, Reported]): void {
  reported.forEach((wanted, place) => {
    const details = [...(seen[place] as Reported).details];
    const holds = wanted === null ? details.length === 0 : details.some((detail) => wanted.test(detail));
    promise(holds, `${name}: /status of ${"AB"[place]} reported ${details.join(" / ") || "nothing"}`);
  });
}

/** How long after A each quote was seen of B while nothing was wrong. */
function noteLags(firstSeen: ReadonlyMap<number, readonly (number | undefined)[]>): void {
  for (const [first, second] of firstSeen.values())
    if (first !== undefined && second !== undefined) lags.push(second - first);
}
