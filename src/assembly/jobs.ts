/** What this process does by the clock: collection of daily rates, upkeep of the archive, accounts, the watch on the lake. */

import type { Config } from "#config.ts";
import { startScheduler } from "#jobs/scheduler.ts";
import { TIMETABLE, type Upkeep } from "#jobs/timetable.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Incidents } from "#rates/incidents.ts";
import { type StatusDeps, status } from "#rates/status.ts";
import type { Archive } from "#store/archive/archive.ts";
import { maintainArchive } from "#store/archive/upkeep.ts";
import type { OfficialLake } from "#store/official-lake/official-lake.ts";
import type { Emit } from "#telemetry.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Daily } from "./daily/daily.ts";
import type { LakeDamage } from "./daily/lake-damage.ts";
import { every, later } from "./timers.ts";

export interface JobParts {
  readonly config: Pick<Config, "intradayDays">;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly daily: Daily;
  readonly archive: Archive;
  readonly damage: LakeDamage;
  readonly accounts: Pick<Accounts, "startUpkeep"> | null;
  readonly officialLake: Pick<OfficialLake, "audit" | "upkeep"> | null;
  /** Null where nothing needs a ledger. */
  readonly ledger: Pick<Ledger, "check"> | null;
  readonly status: StatusDeps & { readonly incidents: Incidents };
}

/** What requests find damaged is logged within so long. */
const DAMAGE_WATCH_MILLISECONDS = 10_000;

/** The status page can say what was wrong, and for how long: so often the readiness is looked at. */
const INCIDENT_WATCH_MILLISECONDS = 60_000;

const FIRST_FLUSH_MILLISECONDS = 20_000;

/** What the process does that collects into the lake. The returned function stops it. */
export function startTimetable(parts: JobParts): () => void {
  const { config, clock, emit, daily, archive, damage, accounts, officialLake, ledger, status } = parts;
  const keep = async (upkeep: Upkeep) => {
    if (upkeep === "verify") {
      await daily.verify();
      await archive.audit();
      await officialLake?.audit();
      damage.report();
      await ledger?.check();
      return;
    }
    // A clock far ahead would make everything old, and it would be removed for good.
    if (upkeep === "compact" && status.ownClock?.().status === "wrong") return;
    await maintainArchive(archive, upkeep, clock.now(), config.intradayDays);
    if (upkeep !== "compact") return;
    await daily.lake.upkeep();
    await officialLake?.upkeep();
  };
  const keepOrReport = (upkeep: Upkeep) =>
    keep(upkeep).catch((fault: unknown) => emit({ kind: "job_failed", job: upkeep, error: String(fault) }));
  const perform = (job: (typeof TIMETABLE)[number]) =>
    "upkeep" in job
      ? keep(job.upkeep)
      : job.whenDue
        ? daily.readWholeIfDue(job.source)
        : daily.collector.collect(job.source, job.reach);
  return allOf([
    startScheduler({ clock, emit, later, random: Math.random, perform }, TIMETABLE),
    accounts?.startUpkeep(),
    // Soon after a start the lake has quotes of this day, too, for those who try it out.
    later(FIRST_FLUSH_MILLISECONDS, () => void keepOrReport("flush")),
  ]);
}

/** What every process does: it shows what is committed, wherever, and looks for damage. The returned function stops it. */
export function startWatch({ clock, daily, damage, status: statusDeps }: JobParts): () => void {
  return allOf([
    daily.watch(),
    every(DAMAGE_WATCH_MILLISECONDS, damage.report),
    every(INCIDENT_WATCH_MILLISECONDS, () => {
      void status(statusDeps).then((report) => statusDeps.incidents.note(report, clock.now()));
    }),
  ]);
}

function allOf(stops: readonly ((() => void) | undefined)[]): () => void {
  return () => {
    for (const stop of stops) stop?.();
  };
}
