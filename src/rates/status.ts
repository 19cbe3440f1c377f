/** Readiness: can the stores be read, how old is the data, what is held back and why. */

import type { CollectionState, HeldFigure } from "#domain/collection.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/day.ts";
import { isStale } from "#domain/freshness.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/source.ts";
import type { RatesDeps } from "./query.ts";

export interface StatusDeps extends RatesDeps {
  readonly version: string;
  readonly collection: () => readonly CollectionState[];
  readonly held: () => readonly HeldFigure[];
  /** Resolves when the lake can be read, rejects with the reason when not. */
  readonly probeLake: () => Promise<unknown>;
}

const LONGEST_HELD_LIST = 20;

/** Body of /status without its timestamp. `unready`: the lake cannot be read. `degraded`: it can, but something is stale, missing or failing. */
export async function status(deps: StatusDeps) {
  const lake = await probe(deps.probeLake);
  const daily = Object.fromEntries(DAILY_SOURCES.map((source) => [source, dailyCheck(deps, source)]));
  const degraded = Object.values(daily).some((check) => check.status !== "ok");
  return {
    status: lake.status === "ok" ? (degraded ? "degraded" : "ready") : "unready",
    version: deps.version,
    checks: {
      database: { status: "unused" },
      cache: { status: "ok", kind: "memory" },
      lake: {
        ...lake,
        dataset: deps.dataset()?.history.version ?? null,
        observations: deps.dataset()?.history.observations.count ?? 0,
      },
      live_data: { status: "off", age_seconds: null, source: null },
      daily,
    },
  };
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
  const newest = newestDay(deps, source);
  const covered = deps.dataset()?.coveredThrough[source] ?? newest;
  const held = deps.held().filter((figure) => figure.source === source);
  const stale = newest !== null && isStale(source, newest, covered ?? newest, now);
  return {
    status: newest === null ? "missing" : stale ? "stale" : state?.outcome === "failed" ? "failing" : "ok",
    newest_date: newest === null ? null : formatDay(newest),
    covered_through: covered === null ? null : formatDay(covered),
    last_attempt_at: instantOrNull(state?.lastAttemptAt ?? null),
    last_success_at: instantOrNull(state?.lastSuccessAt ?? null),
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

function newestDay(deps: StatusDeps, source: DailySource): Day | null {
  const columns = deps.dataset()?.history.observations;
  if (columns === undefined) return null;
  const wanted = DAILY_SOURCES.indexOf(source);
  let newest: Day | null = null;
  for (let row = 0; row < columns.count; row++) {
    if (columns.source[row] !== wanted) continue;
    const date = columns.date[row] as Day;
    if (newest === null || date > newest) newest = date;
  }
  return newest;
}

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
