/** Asks another route of a source about figures that are held because they moved too far, or because one route alone states them. */

import { documentsToVouchFor } from "#domain/acceptance/acceptance.ts";
import { MOVE_RULES, WITNESS_RULES } from "#domain/acceptance/rules.ts";
import { kindOfRoute, type Statement } from "#domain/acceptance/statements.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { HeldFigure, Window } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { DailyAdapter, FigureDays, Route } from "#ports/upstream.ts";
import type { IngestDeps } from "./deps.ts";
import { followRoute, type ReadDocument, type RouteOutcome, voiceOf } from "./gather.ts";
import { LakeFault, type Recorded, readingOf, record } from "./record.ts";

export interface SecondRouteOutcome {
  /** What each answer changed, with the route that gave it, in order. */
  readonly recorded: readonly Answer[];
  readonly failed: readonly RouteOutcome[];
}

interface Answer {
  /** Names of the routes that answered. */
  readonly route: string;
  readonly voices: ReadonlySet<string>;
  readonly recorded: Recorded;
}

/** Days that one request covers at the most. */
const WINDOW_DAYS = 31;
/** At most this many windows, spread evenly, are requested in one collection; the others follow in the next ones. */
const MOST_WINDOWS = 4;
/** The source's next route, and the one after it where that does not have the figure. */
const MOST_ROUTES = 2;

/** Days that are requested together, with what is asked about them. */
interface AskedWindow<Asked> {
  readonly from: Day;
  readonly to: Day;
  readonly asked: readonly Asked[];
}

/** What a source's collections remember about second routes. */
export interface SecondRouteMemory {
  /** Number of collections so far: says which windows come first where there are many. */
  collections: number;
  /** Since when no route of a kind answers that was asked. */
  readonly silentSince: Map<string, Instant>;
}

/** A kind of route that did not answer for so long is not waited for. */
const SILENT_AFTER = 7 * 24 * 3_600_000;

/** The kinds of routes that a source has and that still answer. */
export function kindsOf(adapter: DailyAdapter, { silentSince }: SecondRouteMemory, now: Instant): string[] {
  const window = { reach: "recent", from: 0, to: 0 } as const;
  const routes = [
    ...adapter.routes(window),
    ...(adapter.secondRoutes?.({ ...window, today: 0, currencies: adapter.currencies }) ?? []),
  ];
  const kinds = new Set(routes.map((route) => kindOfRoute(voiceOf(route))));
  return [...kinds].filter((kind) => now - (silentSince.get(kind) ?? now) <= SILENT_AFTER);
}

/** Notes whether a kind of route answered. */
export function noteAnswer(
  { silentSince }: SecondRouteMemory,
  voice: string,
  answered: boolean,
  now: Instant,
): void {
  const kind = kindOfRoute(voice);
  if (answered) silentSince.delete(kind);
  else if (!silentSince.has(kind)) silentSince.set(kind, now);
}

/**
 * What another kind of route states about documents that change much, on a sample of the days that they change. It is judged together
 * with them, and vouches for them or refutes them.
 */
export async function askAboutDocuments(
  { lake, upstream, clock }: Pick<IngestDeps, "lake" | "upstream" | "clock">,
  adapter: DailyAdapter,
  today: Day,
  memory: SecondRouteMemory,
  read: readonly ReadDocument[],
): Promise<readonly ReadDocument[]> {
  const record = await lake.read().catch((fault: unknown) => {
    throw new LakeFault(fault);
  });
  const readings = read.map((document) => readingOf(adapter.id, document));
  const answers: ReadDocument[] = [];
  for (const { route: voice, days } of documentsToVouchFor(record, adapter.id, readings)) {
    for (const { from, to } of sampleOf(days)) {
      const routes = routesOf(adapter, { from, to, currencies: adapter.currencies }, today);
      const route = routes.find((one) => kindOfRoute(voiceOf(one)) !== kindOfRoute(voice));
      if (route === undefined) continue;
      const span = { reach: "recent", from, to: today } as const;
      const outcome = await followRoute(upstream, route, span, () => {});
      noteAnswer(memory, voiceOf(route), outcome.read.length + outcome.unchanged > 0, clock.now());
      answers.push(...outcome.read);
    }
  }
  return answers;
}

/** Windows that begin at days spread evenly over ascending ones. */
function sampleOf(days: readonly Day[]): readonly { readonly from: Day; readonly to: Day }[] {
  const starts = Array.from(
    { length: MOST_WINDOWS },
    (_, nth) => days[Math.floor((nth * days.length) / MOST_WINDOWS)],
  );
  const last = days.at(-1) as Day;
  return [...new Set(starts as Day[])].map((from) => ({ from, to: Math.min(last, from + WINDOW_DAYS) }));
}

/**
 * Requests what is held, and judges the answers; a route that agrees releases. All answers are judged at once: each commit of a whole
 * history has its price. Upstream trouble is part of the outcome. Rejects with LakeFault, or with an error of the program.
 */
export async function querySecondRoute(
  deps: Pick<IngestDeps, "lake" | "upstream" | "clock">,
  adapter: DailyAdapter,
  today: Day,
  memory: SecondRouteMemory,
): Promise<SecondRouteOutcome> {
  const { held, statements } = await deps.lake.read().catch((fault: unknown) => {
    throw new LakeFault(fault);
  });
  const recorded: Answer[] = [];
  const failed: RouteOutcome[] = [];
  const kinds = kindsOf(adapter, memory, deps.clock.now());
  const open = held.filter(
    ({ source, rule }) => source === adapter.id && (MOVE_RULES.has(rule) || WITNESS_RULES.has(rule)),
  );
  const stating = statingKinds(statements, adapter.id);
  let windows = inTurn(windowsOf(open), memory.collections++);
  for (let nth = 0; nth < MOST_ROUTES && windows.length > 0; nth++) {
    const read: ReadDocument[] = [];
    const names = new Set<string>();
    for (const window of windows) {
      const route = routesFor(adapter, window, today, stating)[nth];
      if (route === undefined) continue;
      // Documents may have more than was requested, up to today.
      const span = { reach: "recent", from: window.from, to: today } as const;
      const outcome = await followRoute(deps.upstream, route, span, () => {});
      if (outcome.faults.length > 0) failed.push(outcome);
      if (outcome.read.length > 0) names.add(route.name);
      noteAnswer(memory, voiceOf(route), outcome.read.length + outcome.unchanged > 0, deps.clock.now());
      read.push(...outcome.read);
    }
    if (read.length === 0) continue;
    const voices = new Set(read.map((document) => document.route));
    const span = { reach: "recent", from: Math.min(...windows.map(({ from }) => from)), to: today } as const;
    const gathered = { voice: "", read, complete: false };
    const answer = await record(deps, adapter.id, gathered, span, kinds, () => {});
    recorded.push({ route: [...names].join(", "), voices, recorded: answer });
    const held = new Set(answer.held.map(figureKey));
    windows = windows.filter(({ asked }) => asked.some((figure) => held.has(figureKey(figure))));
  }
  return { recorded, failed };
}

/** So many days around a figure are requested, so that a document without it shows that it lacks it. */
const DAYS_AROUND = 7;

/** What a collection has read: the days from `from` on, by routes of the kind of `voice`. */
interface CollectedDays {
  readonly voice: string;
  readonly from: Day;
  readonly reach: Window["reach"];
}

/**
 * Reads routes again for days on which they contradict each other, and resolves with what the answers changed. A kind of route that was
 * not read since a figure changed is asked at once: it confirms the change, or contradicts it. Standing contradictions are looked at
 * again in every collection but those of the newest figures, by both kinds: what a route no longer states does not count for ever, and
 * what both state is settled.
 */
export async function reviewContradictions(
  deps: Pick<IngestDeps, "lake" | "upstream" | "clock">,
  adapter: DailyAdapter,
  today: Day,
  memory: SecondRouteMemory,
  collected: CollectedDays,
): Promise<readonly Answer[]> {
  const { statements } = await deps.lake.read().catch((fault: unknown) => {
    throw new LakeFault(fault);
  });
  const kinds = kindsOf(adapter, memory, deps.clock.now());
  const doubtful = doubtfulDays(statements, adapter.id, kinds, collected);
  const read: ReadDocument[] = [];
  for (const [kind, asked] of Map.groupBy(doubtful, (one) => one.kind)) {
    for (const window of inTurn(windowsOf(asked), memory.collections)) {
      const to = Math.min(today, window.to + DAYS_AROUND);
      const currencies = currenciesOf(adapter, window.asked);
      const around = { from: window.from - DAYS_AROUND, to, currencies };
      const route = routesOf(adapter, around, today).find((one) => kindOfRoute(voiceOf(one)) === kind);
      if (route === undefined) continue;
      const span = { reach: "recent", from: around.from, to: today } as const;
      const outcome = await followRoute(deps.upstream, route, span, () => {});
      noteAnswer(memory, voiceOf(route), outcome.read.length + outcome.unchanged > 0, deps.clock.now());
      read.push(...outcome.read);
    }
  }
  if (read.length === 0) return [];
  const voices = new Set(read.map((document) => document.route));
  const from = Math.min(...doubtful.map(({ date }) => date)) - DAYS_AROUND;
  const span = { reach: "recent", from, to: today } as const;
  const gathered = { voice: "", read, complete: false };
  const recorded = await record(deps, adapter.id, gathered, span, kinds, () => {});
  return [{ route: [...voices].join(", "), voices, recorded }];
}

interface DoubtfulDay extends Pick<HeldFigure, "base" | "quote" | "date"> {
  /** The kind of route to ask. */
  readonly kind: string;
}

function doubtfulDays(
  statements: readonly Statement[],
  source: DailySource,
  kinds: readonly string[],
  { voice, from, reach }: CollectedDays,
): readonly DoubtfulDay[] {
  const differing = statements.filter((one) => one.source === source && one.says !== "current");
  const byFigure = Map.groupBy(differing, ({ base, quote, first }) => `${base} ${quote} ${first}`);
  return [...byFigure.values()].flatMap((all) => {
    const { base, quote, first: date } = all[0] as Statement;
    const fresh = new Set(all.filter(({ since }) => since !== null).map(({ route }) => kindOfRoute(route)));
    const unread = all.map(({ route }) => kindOfRoute(route)).filter((kind) => !fresh.has(kind));
    const wanted = new Set(fresh.size > 0 && reach !== "latest" ? kinds : unread);
    if (date >= from) wanted.delete(kindOfRoute(voice));
    return [...wanted].map((kind) => ({ base, quote, date, kind }));
  });
}

function inTurn<Asked>(windows: readonly AskedWindow<Asked>[], turn: number): readonly AskedWindow<Asked>[] {
  const { length } = windows;
  if (length <= MOST_WINDOWS) return windows;
  return Array.from(
    { length: MOST_WINDOWS },
    (_, nth) => windows[(turn + Math.floor((nth * length) / MOST_WINDOWS)) % length] as AskedWindow<Asked>,
  );
}

/** Routes that the held figures of the window did not come from, the most reliable first. */
function routesFor(
  adapter: DailyAdapter,
  window: AskedWindow<HeldFigure>,
  today: Day,
  stating: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Route[] {
  const currencies = currenciesOf(adapter, window.asked);
  return routesOf(adapter, { ...window, currencies }, today).filter((route) => {
    const kind = kindOfRoute(voiceOf(route));
    return !window.asked.every((figure) => stating.get(statedKey(figure))?.has(kind) === true);
  });
}

function currenciesOf(
  adapter: DailyAdapter,
  asked: readonly Pick<HeldFigure, "base" | "quote">[],
): readonly CurrencyCode[] {
  return [...new Set(asked.map((figure) => currencyOf(figure, adapter.id)))];
}

function routesOf(
  adapter: DailyAdapter,
  { from, to, currencies }: Omit<FigureDays, "today">,
  today: Day,
): readonly Route[] {
  return (
    adapter.secondRoutes?.({ from, to, today, currencies }) ?? adapter.routes({ reach: "recent", from, to })
  );
}

/** The oldest first. */
function windowsOf<Asked extends { readonly date: Day }>(
  all: readonly Asked[],
): readonly AskedWindow<Asked>[] {
  const windows: { from: Day; to: Day; asked: Asked[] }[] = [];
  for (const figure of [...all].sort((a, b) => a.date - b.date)) {
    const last = windows.at(-1);
    if (last === undefined || figure.date - last.from >= WINDOW_DAYS) {
      windows.push({ from: figure.date, to: figure.date, asked: [figure] });
    } else {
      last.to = figure.date;
      last.asked.push(figure);
    }
  }
  return windows;
}

function currencyOf({ base, quote }: Pick<HeldFigure, "base" | "quote">, source: DailySource): CurrencyCode {
  return base === PIVOT[source] ? quote : base;
}

type StatedFigure = Pick<HeldFigure, "base" | "quote"> & {
  readonly date: Day;
  readonly printed: string | null;
};

function statedKey({ date, base, quote, printed }: StatedFigure): string {
  return `${date} ${base} ${quote} ${Number(printed)}`;
}

/** By figure and value, the kinds of routes that state it: they cannot confirm themselves. */
function statingKinds(
  statements: readonly Statement[],
  source: DailySource,
): ReadonlyMap<string, ReadonlySet<string>> {
  const stating = new Map<string, Set<string>>();
  for (const { source: of, route, says, first, base, quote, printed } of statements) {
    if (of !== source || says !== "value") continue;
    const key = statedKey({ date: first, base, quote, printed });
    const kinds = stating.get(key);
    if (kinds === undefined) stating.set(key, new Set([kindOfRoute(route)]));
    else kinds.add(kindOfRoute(route));
  }
  return stating;
}

export function figureKey({ source, date, base, quote }: HeldFigure): string {
  return `${source} ${date} ${base} ${quote}`;
}
