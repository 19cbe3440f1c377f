/**
 * The writer that others read beside: a quick lake (a commit as soon as the last one is done) and a slow one (a change
 * every few seconds), daily figures and quotes in both. Before each commit it writes in `model.jsonl` what the version will
 * hold, and after it that it is there. It ends with its input. Arguments: directory, seed, seconds of retention, seconds
 * of the slow pace.
 */

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { contentsOf } from "./contents.ts";
import { dailyWork } from "./daily-work.ts";
import { pollOf, quoteLine } from "./quote-work.ts";

const [directory = "", ...numbers] = process.argv.slice(2);
const [seed = 1, retention = 3, slowPace = 2] = numbers.map(Number);
const DAY_SECONDS = 86_400;
let isOver = false;

const say = (parameters: object) =>
  appendFileSync(join(directory, "model.jsonl"), `${JSON.stringify({ ...parameters, at: Date.now() })}\n`);

const quickly = async () => {};
const slowly = async () => await Bun.sleep(slowPace * 1000);
const [quick, slow] = [join(directory, "quick"), join(directory, "slow")];
const loops = await Promise.all([
  daily(quick, "quick", seed, quickly),
  daily(slow, "slow", seed + 1, slowly),
  quotes(quick, "quick", quickly),
  quotes(slow, "slow", slowly),
]);
console.log("ready");
process.stdin.resume().on("end", () => {
  isOver = true;
});
await Promise.all(loops.map((run) => run()));

async function daily(place: string, lakeName: string, ofSeed: number, pace: () => Promise<void>) {
  const lake = await openLake({ directory: place, simulated: false, retentionDays: retention / DAY_SECONDS });
  const work = dailyWork(ofSeed);
  const commit = async () => {
    const change = work.next();
    const { versions, partitions, ...tables } = work.state();
    const pins = { revisions: versions.revisions, held: versions.held };
    for (const table of ["revisions", "held", "daily"] as const)
      say({
        lake: lakeName,
        table,
        version: versions[table],
        ...tables[table],
        pins,
        partitions: partitions[table],
      });
    await lake.commit(() => change);
    for (const table of ["revisions", "held", "daily"] as const) {
      const version = lake.tables[table].latest()?.version;
      if (version !== versions[table]) throw new Error(`${table}: ${version} instead of ${versions[table]}`);
      say({ lake: lakeName, table, version, isDone: true });
    }
  };
  await commit();
  return () => going(commit, lake, pace);
}

/** The archive retains versions for a day: its day passes in the seconds of retention. */
async function quotes(place: string, lakeName: string, pace: () => Promise<void>) {
  const start = Date.now();
  const now = () => start + (Date.now() - start) * (DAY_SECONDS / retention);
  const archive = await openQuoteArchive({ directory: place, simulated: false, access: "write", now });
  const lines: string[] = [];
  let [poll, version] = [0, 0];
  const flush = async () => {
    const fresh = Array.from({ length: 3 }, () => pollOf(poll++, 47)).flat();
    await archive.append(fresh);
    lines.push(...fresh.map(quoteLine));
    version += 1;
    const byDate = Map.groupBy(lines, (line) => String(Math.floor(Number(line.split(" ")[3]) / 86_400_000)));
    const partitions = Object.fromEntries([...byDate].map(([date, of]) => [date, contentsOf(of).digest]));
    say({ lake: lakeName, table: "intraday", version, ...contentsOf(lines), partitions });
    await archive.flush();
    const found = archive.table.latest()?.version;
    if (found !== version) throw new Error(`intraday: ${found} instead of ${version}`);
    say({ lake: lakeName, table: "intraday", version, isDone: true });
  };
  await flush();
  return () => going(flush, archive, pace);
}

/** Commits at this pace, with upkeep now and then, until it is over. */
async function going(
  commit: () => Promise<void>,
  place: { upkeep(): Promise<unknown>; close(): Promise<void> },
  pace: () => Promise<void>,
): Promise<void> {
  let kept = Date.now();
  while (!isOver) {
    await commit();
    if (Date.now() - kept > (retention * 1000) / 3) {
      kept = Date.now();
      await place.upkeep();
    }
    await pace();
  }
  await place.close();
}
