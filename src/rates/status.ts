/** The readiness of the server: whether stores can be read, the age of the data, held figures and their reasons. */

import type { Unsettled } from "#domain/acceptance/unsettled.ts";
import { type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { isStale } from "#domain/history/schedule.ts";
import { type CollectionState, type OwnClock, RIGHT_CLOCK, type WholeRead } from "#domain/intake/reading.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import type { FeedId, FeedState, References } from "#domain/live/live-quote.ts";
import { isUnconfirmed } from "#domain/live/quote-evidence.ts";
import type { OfficialTableStatus } from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/ledger.ts";
import type { Clock, HotBook } from "#ports.ts";
import type { DailyDeps } from "./query.ts";
import type { Spot } from "./spot.ts";

export interface LiveStatusDeps {
  readonly clock: Clock;
  readonly spot: Spot;
  readonly hotBook: Pick<HotBook, "read" | "state">;
  readonly feeds: {
    /** The preferred feed first; empty when live quotes are off. */
    readonly order: readonly FeedId[];
    readonly currencies: readonly CurrencyCode[];
    readonly kind: "memory" | "redis";
    /** Null on a server that does not poll. */
    readonly states: () => readonly FeedState[] | null;
    /** Empty on a server that does not poll. */
    readonly references: () => References;
    readonly refused: () => readonly RefusedQuote[];
  };
}

export interface StatusDeps extends DailyDeps, LiveStatusDeps {
  /** Never rejects: an unreadable ledger is a failure of each table. Null where official tables are switched off. */
  readonly officialStatus: (() => Promise<readonly OfficialTableStatus[]>) | null;
  readonly version: string;
  readonly process: () => {
    readonly role: "all" | "api" | "collector";
    /** False while a collector stands by for another. */
    readonly collecting: boolean;
    /** Whether the process was asked to end. */
    readonly stopping: boolean;
  };
  readonly collection: () => readonly CollectionState[];
  /** Absent where nothing is collected. */
  readonly wholeReads?: () => Partial<Record<DailySource, WholeRead>>;
  /** When a source is collected next; absent where nothing is collected. */
  readonly nextCollection?: (source: DailySource) => Instant | null;
  readonly unsettled: () => Readonly<Record<DailySource, Unsettled>>;
  /** Rejects with the reason when the lake cannot be read. */
  readonly probeLake: () => Promise<unknown>;
  readonly ownClock?: () => OwnClock;
  /** One sentence while shared storage does not answer, else null. Absent without shared storage. */
  readonly lakeStorage?: () => string | null;
  readonly lakeDamage: () => readonly string[];
  /** Null where access is open: no accounts, no limits. */
  readonly accounts: {
    readonly kind: "sqlite" | "postgres";
    readonly probe: () => Promise<unknown>;
    readonly limits: () => CountersState;
  } | null;
}

const LONGEST_DAMAGE_LIST = 50;
const UNUSED = { status: "unused", kind: null, detail: null } as const;

export type ServiceStatus = Awaited<ReturnType<typeof status>>;

/**
 * Reads the state of every store and source. `unready`: lake or ledger cannot be read, or the process is stopping. `degraded`: something is
 * stale, missing, failing or contradicted. Never rejects for a store that cannot be read.
 */
export async function status(deps: StatusDeps) {
  const { accounts } = deps;
  const [lake, ledger, official] = await Promise.all([
    probe(deps.probeLake),
    accounts === null ? null : probe(accounts.probe),
    deps.officialStatus?.() ?? [],
  ]);
  const database = accounts === null || ledger === null ? UNUSED : { ...ledger, kind: accounts.kind };
  const limits = accounts?.limits() ?? UNUSED;
  const cache = { ...deps.hotBook.state(), kind: deps.feeds.kind };
  const live = liveStatus(deps);
  const daily = dailyStatus(deps);
  const damaged = deps.lakeDamage().slice(0, LONGEST_DAMAGE_LIST);
  const clock = deps.ownClock?.() ?? RIGHT_CLOCK;
  const storageFault = deps.lakeStorage?.() ?? null;
  const ownProcess = deps.process();
  const isReady = lake.status === "ok" && database.status !== "failed" && !ownProcess.stopping;
  const isDegraded =
    Object.values(daily).some((source) => source.status !== "ok") ||
    cache.status !== "ok" ||
    damaged.length > 0 ||
    storageFault !== null ||
    clock.status !== "ok" ||
    limits.status === "degraded" ||
    ["stale", "missing", "refused", "unconfirmed"].includes(live.status);
  const history = deps.dataset()?.history;
  return {
    status: !isReady ? ("unready" as const) : isDegraded ? ("degraded" as const) : ("ready" as const),
    version: deps.version,
    process: ownProcess,
    clock: { status: clock.status, detail: clock.detail },
    database,
    limits,
    cache,
    lake: {
      ...lake,
      detail: lake.detail ?? storageFault,
      damaged,
      dataset: history?.version ?? null,
      observations: history?.observations.count ?? 0,
    },
    live,
    daily,
    official: official.map((table) => ({ ...table, status: officialVerdict(table) })),
  };
}

async function probe(
  read: () => Promise<unknown>,
): Promise<{ readonly status: "ok" | "failed"; readonly detail: string | null }> {
  try {
    await read();
    return { status: "ok", detail: null };
  } catch (fault) {
    return { status: "failed", detail: fault instanceof Error ? fault.message : String(fault) };
  }
}

export function dailyStatus(deps: StatusDeps) {
  const entries = DAILY_SOURCES.map((source) => [source, sourceStatus(deps, source)] as const);
  return Object.fromEntries(entries) as Record<DailySource, DailyStatus>;
}

export type DailyStatus = ReturnType<typeof sourceStatus>;

function sourceStatus(deps: StatusDeps, source: DailySource) {
  const state = deps.collection().find((candidate) => candidate.source === source);
  const wholeRead = deps.wholeReads?.()[source];
  const columns = deps.dataset()?.history.observations;
  // Rows are ordered by source and date: the last row of a source is its newest day.
  const row = columns?.source.lastIndexOf(DAILY_SOURCES.indexOf(source), columns.count - 1) ?? -1;
  const newestDay = columns?.date[row] ?? null;
  const covered = deps.dataset()?.coveredThrough[source] ?? newestDay;
  const isOverdue = newestDay !== null && isStale(source, newestDay, covered ?? newestDay, deps.clock.now());
  const unsettled = deps.unsettled()[source];
  const verdict = (): "ok" | "contradicted" | "stale" | "failing" | "missing" => {
    if (newestDay === null) return "missing";
    if (isOverdue) return "stale";
    if (state?.outcome === "failed") return "failing";
    return unsettled.contradictions === null ? "ok" : "contradicted";
  };
  return {
    ...unsettled,
    status: verdict(),
    newestDay,
    newestObservedAt: columns?.observedAt[row] ?? null,
    coveredThrough: covered,
    lastAttemptAt: state?.lastAttemptAt ?? null,
    lastSuccessAt: state?.lastSuccessAt ?? null,
    wholeReadAt: wholeRead?.readAt ?? null,
    wholeReadDueAt: wholeRead?.dueAt ?? null,
    outcome: state?.outcome ?? "never",
    detail: state?.detail ?? null,
  };
}

/**
 * Progress of the first collection while it runs or after it failed. Null once every source was read, and in a process that does
 * not collect.
 */
export function firstCollection(
  deps: Pick<StatusDeps, "dataset" | "collection" | "process" | "nextCollection">,
) {
  const states = deps.collection();
  const isRunning = deps.process().collecting && states.some(({ outcome }) => outcome === "never");
  const hasFailed = states.some((state) => state.outcome === "failed" && state.lastSuccessAt === null);
  if (!isRunning && !hasFailed) return null;
  const history = deps.dataset()?.history;
  return {
    isRunning,
    newestDay: history === undefined || history.observations.count === 0 ? null : history.lastDay,
    sources: states.map(({ source, outcome, detail }) => ({
      ...{ source, outcome, detail },
      nextAt: outcome === "failed" ? (deps.nextCollection?.(source) ?? null) : null,
    })),
  };
}

export type FirstCollection = NonNullable<ReturnType<typeof firstCollection>>;

/** A failed collection outranks a missing publication. */
export function officialVerdict({
  outcome,
  newest,
}: Pick<OfficialTableStatus, "outcome" | "newest">): "ok" | "failing" | "missing" {
  if (outcome === "failed") return "failing";
  return newest === null ? "missing" : "ok";
}

export function liveStatus({ clock, spot, hotBook, feeds }: LiveStatusDeps) {
  const quotes = feeds.currencies.flatMap((code) => hotBook.read().quotes.get(code) ?? []);
  const table = spot(0);
  const figures = feeds.currencies.map(
    (code) => [code, table.chains[currencyIndex(code)]?.[0]?.figure] as const,
  );
  const served = figures.filter(([, figure]) => figure?.source === "live");
  const stale = figures.filter(
    ([code, figure]) =>
      table.expired.has(code) ||
      (figure !== undefined && figure.source === "live" && figure.stale) ||
      // The code was live once, and a daily figure replaces it.
      (figure?.source !== "live" && hotBook.read().quotes.has(code)),
  );
  const newest = quotes.reduce<Instant | null>(
    (latest, { observedAt }) => Math.max(latest ?? 0, observedAt),
    null,
  );
  const references = feeds.references();
  const refused = feeds.refused();
  const unconfirmed = served.flatMap(([code]) => {
    const quote = hotBook.read().quotes.get(code);
    const isContradicted = refused.some(({ currency, rule }) => currency === code && rule === "contradicts");
    const isFar = quote !== undefined && isUnconfirmed(quote, references.get(code) ?? null);
    return isContradicted || isFar ? [code] : [];
  });
  const currenciesOf = (feed: FeedId) => quotes.filter((quote) => quote.feed === feed).length;
  /** Stale: a live rate is missing or older than its window. */
  const verdict = (): "ok" | "unconfirmed" | "refused" | "stale" | "missing" | "waiting" | "off" => {
    if (feeds.order.length === 0) return "off";
    const isRefused = refused.some(({ isUnanswered }) => isUnanswered);
    // A server set up on a weekend waits: nothing is late.
    if (quotes.length === 0 && !isRefused) return table.session === "open" ? "missing" : "waiting";
    if (quotes.length === 0) return "refused";
    return stale.length > 0 ? "stale" : isRefused ? "refused" : unconfirmed.length > 0 ? "unconfirmed" : "ok";
  };
  const activeFeed = [...feeds.order].sort((a, b) => currenciesOf(b) - currenciesOf(a))[0];
  return {
    status: verdict(),
    ageSeconds: newest === null ? null : Math.max(0, Math.floor((clock.now() - newest) / 1000)),
    source: quotes.length === 0 ? null : (activeFeed ?? null),
    session: table.session,
    liveCurrencies: served.length,
    configuredCurrencies: feeds.order.length === 0 ? 0 : feeds.currencies.length,
    stale: stale.map(([code]) => code),
    unconfirmed,
    refused,
    feeds: feeds.order.map((feed, place) => ({
      feed,
      role: place === 0 ? ("primary" as const) : ("fallback" as const),
      currencies: currenciesOf(feed),
      state: feeds.states()?.find((state) => state.feed === feed) ?? null,
    })),
  };
}
