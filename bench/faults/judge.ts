/** What is true when it is over: nothing that was accepted is lost, nothing is there twice, no limit was exceeded. */

import type { Site } from "#test/failover/site.ts";
import { verified } from "#test/failover/site.ts";
import {
  eventFaults,
  faultsOfQuotes,
  figuresIn,
  publicationsIn,
  type Witness,
} from "#test/failover/witness.ts";
import { bearer, json } from "#test/metered/client.ts";
import type { Callers } from "./callers.ts";

const WINDOW_MILLISECONDS = 60_000;
const PATIENCE_MILLISECONDS = 120_000;

export interface Bounds {
  /** Calls a minute of the key that is limited. */
  readonly minute: number;
  /** Faults of Redis. */
  readonly outages: number;
}

interface Verdict {
  readonly faults: readonly string[];
  /** A line for each invariant. */
  readonly lines: readonly string[];
}

/** Of usage and limits: to be called while both replicas run. */
export async function judgeCalls(
  site: Site,
  { served }: Callers,
  { minute, outages }: Bounds,
): Promise<Verdict> {
  const faults: string[] = [];
  let [sum, written, atRisk, unanswered, most] = [0, 0, 0, 0, 0];
  for (const [{ token, limited }, count] of served) {
    const usage = await usageOf(site, token);
    if (usage < count.calls - count.atRisk || usage > count.calls + count.unanswered)
      faults.push(
        `${usage} calls are written of ${count.calls} (${count.atRisk} at risk, ${count.unanswered} unanswered)`,
      );
    [sum, written, atRisk] = [sum + count.calls, written + usage, atRisk + count.atRisk];
    unanswered += count.unanswered;
    if (limited === "minute") most = mostWithin(count.times);
  }
  // The windows are made of cells, and may pass twice the limit less one; an outage of Redis one window more.
  if (most > (outages > 0 ? 3 : 2) * minute - 1)
    faults.push(`${most} calls within a minute were granted, the limit is ${minute}`);
  return {
    faults,
    lines: [
      `usage: ${written} calls are written, ${sum} were answered; ${atRisk} were in the last second of a killed process, ${unanswered} had no answer`,
      `limits: at most ${most} calls within any minute at a limit of ${minute}`,
    ],
  };
}

/** The usage of each replica is written within a second, and after an outage by its next attempt. */
async function usageOf(site: Site, token: string): Promise<number> {
  const [{ process }] = site.replicas;
  const body = await json(await fetch(`${process()?.url}/v1/account`, { headers: bearer(token) }));
  return body.usage.calls_this_month;
}

function mostWithin(times: readonly number[]): number {
  let [most, first] = [0, 0];
  for (const [last, time] of times.entries()) {
    while ((times[first] as number) <= time - WINDOW_MILLISECONDS) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** Of quotes, publications and figures. Ends every process, and starts a collector that nothing has happened to. */
export async function judgeStores(site: Site, witness: Witness): Promise<Verdict> {
  const faults: string[] = [];
  const lines: string[] = [];
  const note = (line: string, found: readonly string[]) => {
    lines.push(`${line}: ${found.length} faults`);
    faults.push(...found);
  };
  await witness.stop();
  for (const one of site.replicas)
    if ((await one.end()) !== 0) faults.push(`${one.name} did not end in good order`);
  // What a killed one had in its journal comes with its next start.
  for (const round of ["as they are", "once more"])
    for (const one of site.collectors) {
      if (one.process() === null) await one.start();
      if ((await one.end()) !== 0) faults.push(`${one.name} did not end in good order, ${round}`);
    }
  note(
    `${witness.served.size} live rates were served, and are in the archive once`,
    await faultsOfQuotes(site, witness),
  );
  const { versions, events } = await publicationsIn(site.postgres.url);
  const published = events.filter((id) => !id.startsWith("evt_test_"));
  note(`${versions.length} publications with ${published.length} events`, eventFaults(versions, published));
  const figures = await figuresIn(site.place);
  const history = await verified(site);
  note(`${figures.length} figures in the lake, each once, the signed history intact`, [
    ...(new Set(figures).size === figures.length ? [] : ["figures are doubled in the lake"]),
    ...(history.code === 0 ? [] : [`crossrate verify: ${history.out}${history.err}`]),
  ]);
  const lost = await lostBeside(site, new Set([...figures, ...versions]));
  note("beside a collector that nothing has happened to", lost);
  return { faults, lines };
}

/** What a collector alone has collected of the same upstreams and this one has not. */
async function lostBeside(site: Site, has: ReadonlySet<string>): Promise<readonly string[]> {
  const { member, database, place } = await site.alone();
  await member.start();
  const end = performance.now() + PATIENCE_MILLISECONDS;
  const isDone = async () => {
    const answer = await fetch(`${member.process()?.url}/status`);
    const { checks } = (await answer.json()) as StatusChecks;
    const all = [...Object.values(checks.daily), ...Object.values(checks.official)];
    return all.every(({ status }) => status === "ok");
  };
  while (!(await isDone()) && performance.now() < end) await Bun.sleep(100);
  await member.end();
  const wanted = [...(await figuresIn(place)), ...(await publicationsIn(database)).versions];
  return wanted.filter((line) => !has.has(line)).map((line) => `lost: ${line}`);
}

interface StatusChecks {
  readonly checks: Record<"daily" | "official", Record<string, { readonly status: string }>>;
}
