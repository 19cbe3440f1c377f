/** Readiness: can the stores be read, how old is the data, what is held back and why. */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { CollectionState, HeldFigure } from "#domain/history/collection.ts";
import { isStale } from "#domain/history/freshness.ts";
import type { WholeRead } from "#domain/intake/whole-read.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/counters.ts";
import { cacheStatus, type LiveStatusDeps, liveStatus } from "./live-status.ts";
import { type OfficialStatusDeps, officialStatus } from "./official-status.ts";
import type { DailyDeps } from "./query.ts";

export interface StatusDeps extends DailyDeps, LiveStatusDeps, OfficialStatusDeps {
  readonly version: string;
  readonly collection: () => readonly CollectionState[];
  /** When each source's whole history was last read; absent where nothing is collected. */
  readonly wholeReads?: () => Partial<Record<DailySource, WholeRead>>;
  readonly held: () => readonly HeldFigure[];
  /** Resolves when the lake can be read, rejects with the reason when not. */
  readonly probeLake: () => Promise<unknown>;
  /** One sentence a file of the lake that is not what its log says. */
  readonly lakeDamage: () => readonly string[];
  /** Null where access is open: no accounts, no limits. */
  readonly accounts: {
    readonly kind: "sqlite" | "postgres";
    readonly probe: () => Promise<unknown>;
    readonly limits: () => CountersState;
  } | null;
}

const LONGEST_HELD_LIST = 20;
const LONGEST_DAMAGE_LIST = 50;

/** Body of /status without its timestamp. `unready`: the lake or the ledger cannot be read. `degraded`: it can, but something is stale, missing or failing. */
export async function status(deps: StatusDeps) {
  const [lake, database, official] = await Promise.all([
    probe(deps.probeLake),
    databaseCheck(deps),
    officialStatus(deps),
  ]);
  const limits = limitsCheck(deps);
  const daily = Object.fromEntries(DAILY_SOURCES.map((source) => [source, dailyCheck(deps, source)]));
  const cache = cacheStatus(deps.feeds.kind, deps.hotBook.state());
  const live = liveStatus(deps);
  const damaged = deps.lakeDamage().slice(0, LONGEST_DAMAGE_LIST);
  const degraded =
    Object.values(daily).some((check) => check.status !== "ok") ||
    cache.status !== "ok" ||
    damaged.length > 0 ||
    limits.status === "degraded" ||
    ["stale", "missing", "refused", "unconfirmed"].includes(live.status);
  return {
    status:
      lake.status === "ok" && database.status !== "failed" ? (degraded ? "degraded" : "ready") : "unready",
    version: deps.version,
    checks: {
      database,
      limits,
      cache,
      lake: {
        ...lake,
        damaged,
        dataset: deps.dataset()?.history.version ?? null,
        observations: deps.dataset()?.history.observations.count ?? 0,
      },
      live_data: live,
      daily,
      official,
    },
  };
}

async function databaseCheck({ accounts }: StatusDeps) {
  if (accounts === null) return { status: "unused", kind: null, detail: null };
  return { ...(await probe(accounts.probe)), kind: accounts.kind };
}

function limitsCheck({ accounts }: StatusDeps) {
  if (accounts === null) return { status: "unused", kind: null, detail: null };
  const { status, kind, detail } = accounts.limits();
  return { status, kind, detail };
}

async function probe(
  read: () => Promise<unknown>,
): Promise<{ status: "ok" | "failed"; detail: string | null }> {
  try {
    await read();
    return { status: "ok", detail: null };
  } catch (fault) {
    return { status: "failed", detail: fault instanceof Error ? fault.message : String(fault) };
  }
}

function dailyCheck(deps: StatusDeps, source: DailySource) {
  const now = deps.clock.now();
  const state = deps.collection().find((candidate) => candidate.source === source);
  const wholeRead = deps.wholeReads?.()[source];
  const newest = newestDay(deps, source);
  const covered = deps.dataset()?.coveredThrough[source] ?? newest;
  const held = deps.held().filter((figure) => figure.source === source);
  const stale = newest !== null && isStale(source, newest, covered ?? newest, now);
  return {
    status: verdict(newest !== null, stale, state?.outcome === "failed"),
    newest_date: newest === null ? null : formatDay(newest),
    covered_through: covered === null ? null : formatDay(covered),
    last_attempt_at: instantOrNull(state?.lastAttemptAt ?? null),
    last_success_at: instantOrNull(state?.lastSuccessAt ?? null),
    whole_read_at: instantOrNull(wholeRead?.readAt ?? null),
    whole_read_due_at: instantOrNull(wholeRead?.dueAt ?? null),
    outcome: state?.outcome ?? "never",
    detail: state?.detail ?? null,
    held_count: held.length,
    held: held.slice(0, LONGEST_HELD_LIST).map((figure) => ({
      date: formatDay(figure.date),
      base: figure.base,
      quote: figure.quote,
      value: figure.printed,
      rule: figure.rule,
      reason: figure.reason,
      retrieved_at: formatInstant(figure.retrievedAt),
    })),
  };
}

type DailyVerdict = "ok" | "stale" | "failing" | "missing";

function verdict(isKnown: boolean, isStale: boolean, isFailing: boolean): DailyVerdict {
  if (!isKnown) return "missing";
  return isStale ? "stale" : isFailing ? "failing" : "ok";
}

/** The same judgement for the metrics, with the observation time of the newest figure. */
export function dailyStatus(deps: StatusDeps) {
  return DAILY_SOURCES.map((source) => {
    const { status, held_count: held } = dailyCheck(deps, source);
    const newestObservedAt = newestObservation(deps, source)?.observedAt ?? null;
    const wholeReadAt = deps.wholeReads?.()[source]?.readAt ?? null;
    return { source, status, held, newestObservedAt, wholeReadAt };
  });
}

function newestDay(deps: StatusDeps, source: DailySource): Day | null {
  return newestObservation(deps, source)?.date ?? null;
}

function newestObservation(
  deps: StatusDeps,
  source: DailySource,
): { readonly date: Day; readonly observedAt: Instant } | null {
  const columns = deps.dataset()?.history.observations;
  if (columns === undefined) return null;
  const wanted = DAILY_SOURCES.indexOf(source);
  // Ordered by source and date, so that the last row of a source is of its newest day.
  const row = columns.source.lastIndexOf(wanted, columns.count - 1);
  if (row < 0) return null;
  return { date: columns.date[row] as Day, observedAt: columns.observedAt[row] as Instant };
}

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
