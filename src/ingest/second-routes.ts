/**
 * Asks other routes of a daily source. There are five occasions: a first history is compared with a route of another kind before it is
 * believed, documents that change much are vouched for or refuted, new figures are compared with another kind of route as soon as it has
 * them, held figures are confirmed, and contradictions are reviewed.
 */

import { documentsToVouchFor } from "#domain/acceptance/acceptance.ts";
import { CONFIRMABLE_RULES, MOVE_RULES } from "#domain/acceptance/printed.ts";
import { kindOfRoute, type Statement } from "#domain/acceptance/statements.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { PIVOT } from "#domain/currency/source.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { HeldFigure, Reading, Window } from "#domain/intake/reading.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import type { DailyAdapter, Route } from "#ports/upstream.ts";
import { type Gathered, gather, type IngestDeps, type Progress, type ReadDocument } from "./gather.ts";
import { type Recorded, readingOf, record } from "./record.ts";
import { followRoute, type RouteOutcome, voiceOf } from "./routes.ts";

export interface AskContext extends Pick<IngestDeps, "lake" | "upstream" | "clock"> {
  readonly adapter: DailyAdapter;
  /** The newest day that documents may have. */
  readonly today: Day;
  readonly memory: AskMemory;
}

export interface AskMemory {
  /** Number of collections so far: it decides which of many windows come first. */
  collections: number;
  /** Kinds of routes that do not answer, and since when. */
  readonly silentSince: Map<string, Instant>;
  /** Kinds of routes whose host was in trouble when new figures were compared, and when. */
  readonly troubledAt: Map<string, Instant>;
}

export interface Answer {
  readonly route: string;
  readonly voices: ReadonlySet<string>;
  readonly recorded: Recorded;
}

// ── Which kinds of routes answer ─────────────────────────────────────────────────────────────────

/** A kind of route that has not answered for longer is not waited for. */
const SILENT_MILLISECONDS = 7 * 24 * 3_600_000;

/** The kinds of routes that a source has and that still answer. */
export function kindsOf({ adapter, clock, memory }: Omit<AskContext, "lake" | "upstream" | "today">) {
  const window = { reach: "recent", from: 0, to: 0 } as const;
  const second = adapter.secondRoutes?.({ ...window, today: 0, currencies: adapter.currencies }) ?? [];
  const kinds = new Set([...adapter.routes(window), ...second].map(kindOf));
  const now = clock.now();
  return [...kinds].filter((kind) => now - (memory.silentSince.get(kind) ?? now) <= SILENT_MILLISECONDS);
}

export function noteAnswer({ silentSince }: AskMemory, voice: string, answered: boolean, now: Instant): void {
  const kind = kindOfRoute(voice);
  if (answered) silentSince.delete(kind);
  else if (!silentSince.has(kind)) silentSince.set(kind, now);
}

function kindOf(route: Route): string {
  return kindOfRoute(voiceOf(route));
}

// ── How they are asked ───────────────────────────────────────────────────────────────────────────

/** Days that one request covers at the most. */
const WINDOW_DAYS = 31;
/** At most this many windows, spread evenly, are requested in one collection; the others follow in the next ones. */
const MOST_WINDOWS = 4;

type Pair = Pick<HeldFigure, "base" | "quote">;

/** Days that are requested together, with the figures that they are requested for. */
interface AskedWindow<Asked> {
  readonly from: Day;
  readonly to: Day;
  readonly asked: readonly Asked[];
}

/** Groups figures into windows of days, the oldest first. Of many windows it returns a few; `turn` selects which. */
function windowsOf<Asked extends { readonly date: Day }>(
  figures: readonly Asked[],
  turn: number,
): readonly AskedWindow<Asked>[] {
  const windows: { from: Day; to: Day; asked: Asked[] }[] = [];
  for (const figure of figures.toSorted((a, b) => a.date - b.date)) {
    const last = windows.at(-1);
    if (last === undefined || figure.date - last.from >= WINDOW_DAYS) {
      windows.push({ from: figure.date, to: figure.date, asked: [figure] });
    } else {
      last.to = figure.date;
      last.asked.push(figure);
    }
  }
  const { length } = windows;
  if (length <= MOST_WINDOWS) return windows;
  return spread(length).map((at) => windows[(turn + at) % length] as AskedWindow<Asked>);
}

function spread(length: number): readonly number[] {
  return Array.from({ length: MOST_WINDOWS }, (_, nth) => Math.floor((nth * length) / MOST_WINDOWS));
}

function currenciesOf({ id }: DailyAdapter, figures: readonly Pair[]): readonly CurrencyCode[] {
  return [...new Set(figures.map(({ base, quote }) => (base === PIVOT[id] ? quote : base)))];
}

/** The source's routes that can deliver the days, the most reliable first. */
function routesFor(
  { adapter, today }: Pick<AskContext, "adapter" | "today">,
  from: Day,
  to: Day,
  currencies: readonly CurrencyCode[] = adapter.currencies,
): readonly Route[] {
  const days = { from, to, today, currencies };
  return adapter.secondRoutes?.(days) ?? adapter.routes({ reach: "recent", from, to });
}

/** Follows a route for days from `from` on; documents may have more than was requested, up to today. */
async function ask(
  { upstream, clock, memory, today }: AskContext,
  route: Route,
  from: Day,
): Promise<RouteOutcome<Reading>> {
  const outcome = await followRoute(upstream, route, { reach: "recent", from, to: today } as const);
  noteAnswer(memory, voiceOf(route), outcome.read.length + outcome.unchanged > 0, clock.now());
  return outcome;
}

/** Judges and records all answers at once: each commit of a whole history is expensive. `from` is their first day. */
async function recordAnswers(
  context: AskContext,
  read: ReadDocument[],
  from: Day,
  kinds: readonly string[],
  route = [...new Set(read.map((document) => document.route))].join(", "),
): Promise<readonly Answer[]> {
  if (read.length === 0) return [];
  const voices = new Set(read.map((document) => document.route));
  const window = { reach: "recent", from, to: context.today } as const;
  const gathered = { voice: "", read, complete: false };
  return [{ route, voices, recorded: await record(context, context.adapter.id, gathered, window, kinds) }];
}

// ── A first history ──────────────────────────────────────────────────────────────────────────────

/** Days at the end of the history that are compared with another kind of route. */
const COMPARED_DAYS = 90;
/** A history that differs in a larger share of these figures is refused. */
const MOST_CONTRADICTED = 0.01;

/**
 * Gathers a first history. A history that another kind of route contradicts is refused, and another route is taken. Otherwise the
 * documents of the other kind are judged with it. If no other kind answers, the history is taken as it is.
 */
export async function gatherFirstHistory(
  deps: Pick<IngestDeps, "upstream" | "emit">,
  adapter: DailyAdapter,
  window: Window,
  progress: Progress,
): Promise<Gathered> {
  const gathered = await gather(deps, adapter, window, progress);
  if (gathered.outcome !== "figures") return gathered;
  const witness = await witnessOf(deps, adapter, window.to, gathered.voice);
  const contradiction = contradictionOf(gathered.read, witness);
  if (contradiction === null) {
    gathered.read.push(...witness);
    return gathered;
  }
  const { route } = gathered;
  const detail = `${route}: the history is refused, because ${contradiction}`;
  deps.emit({ kind: "route_failed", source: adapter.id, route, fault: "contradicted", detail });
  const next = await gather(deps, adapter, window, progress, route);
  return { ...next, detail: next.detail === null ? detail : `${detail}; ${next.detail}` };
}

/** The documents of the last days by the first route of another kind that answers; empty if no other kind answers. */
async function witnessOf(
  { upstream }: Pick<IngestDeps, "upstream">,
  adapter: DailyAdapter,
  today: Day,
  voice: string,
): Promise<readonly ReadDocument[]> {
  const from = today - COMPARED_DAYS;
  for (const route of routesFor({ adapter, today }, from, today)) {
    if (kindOf(route) === kindOfRoute(voice)) continue;
    const { read } = await followRoute(upstream, route, { reach: "recent", from, to: today } as const);
    if (read.length > 0) return read;
  }
  return [];
}

function contradictionOf(read: readonly ReadDocument[], witness: readonly ReadDocument[]): string | null {
  const expected = lastValues(witness);
  const stated = lastValues(read, Math.min(...[...expected.values()].map(({ date }) => date)));
  const compared = [...expected].filter(([key]) => stated.has(key));
  const different = compared.flatMap(([key, { printed }]) => {
    const figure = stated.get(key) as Figure;
    return Number(figure.printed) === Number(printed) ? [] : [figure];
  });
  const [first] = different;
  if (first === undefined || different.length <= compared.length * MOST_CONTRADICTED) return null;
  const { base, quote, date, printed } = first;
  const example = `for example not ${base}/${quote} ${printed} of ${formatDay(date)}`;
  return `${witness[0]?.route} states other values for ${different.length} of ${compared.length} figures, ${example}`;
}

function lastValues(read: readonly ReadDocument[], from = -Infinity): ReadonlyMap<string, Figure> {
  const figures = read.flatMap(({ content }) =>
    content.outcome === "figures" ? content.figures.filter(({ date }) => date >= from) : [],
  );
  return new Map(figures.map((figure) => [`${figure.date} ${figure.base} ${figure.quote}`, figure]));
}

// ── Documents that change much ───────────────────────────────────────────────────────────────────

/**
 * What another kind of route states about documents that change much, on a sample of the changed days. It is judged with them, and
 * vouches for them or refutes them.
 */
export async function vouchForDocuments(
  context: AskContext,
  read: readonly ReadDocument[],
): Promise<readonly ReadDocument[]> {
  const { lake, adapter } = context;
  const readings = read.map((document) => readingOf(adapter.id, document));
  const answers: ReadDocument[] = [];
  for (const { route: voice, days } of documentsToVouchFor(await lake.read(), adapter.id, readings)) {
    const last = days.at(-1) as Day;
    for (const from of new Set(spread(days.length).map((at) => days[at] as Day))) {
      const routes = routesFor(context, from, Math.min(last, from + WINDOW_DAYS));
      const route = routes.find((one) => kindOf(one) !== kindOfRoute(voice));
      if (route !== undefined) answers.push(...(await ask(context, route, from)).read);
    }
  }
  return answers;
}

// ── New figures ──────────────────────────────────────────────────────────────────────────────────

/** Older figures are compared by the collections of the last 90 days. */
const NEW_DAYS = 4;
/** A host in trouble is left alone for so long: the next publication must not wait for it. */
const TROUBLED_MILLISECONDS = 30 * 60_000;

/**
 * Reads the newest day from each kind of route that has not stated it yet: a figure that only one route has wrong is then contradicted
 * within minutes. Rejects as the lake.
 */
export async function compareNewest(context: AskContext): Promise<readonly Answer[]> {
  const { adapter, today, clock, memory } = context;
  const { statements } = await context.lake.read();
  const spans = statements.filter(({ source, says }) => source === adapter.id && says === "current");
  const newest = Math.max(...spans.map(({ last }) => last));
  if (newest < today - NEW_DAYS) return [];
  const read = new Set(spans.filter(({ last }) => last === newest).map(({ route }) => kindOfRoute(route)));
  const kinds = kindsOf(context);
  const documents: ReadDocument[] = [];
  for (const kind of kinds.filter((one) => !read.has(one))) {
    const route = routesFor(context, newest, newest).find((one) => kindOf(one) === kind);
    const troubledAt = memory.troubledAt.get(kind) ?? Number.NEGATIVE_INFINITY;
    if (route === undefined || clock.now() < troubledAt + TROUBLED_MILLISECONDS) continue;
    const outcome = await ask(context, route, newest);
    if (outcome.isAway) memory.troubledAt.set(kind, clock.now());
    documents.push(...outcome.read);
  }
  return await recordAnswers(context, documents, newest, kinds);
}

// ── Held figures ─────────────────────────────────────────────────────────────────────────────────

export type Confirmations = Awaited<ReturnType<typeof confirmHeldFigures>>;

/** A second route is asked about figures that the first one did not settle. */
const MOST_ROUTES = 2;

/**
 * Requests figures that are held because they moved too far, are of a holiday, or come from one route alone; a route that agrees releases them.
 * Upstream trouble is part of the outcome. Rejects as the lake.
 */
export async function confirmHeldFigures(context: AskContext) {
  const { adapter, memory } = context;
  const { held, statements } = await context.lake.read();
  const kinds = kindsOf(context);
  const stating = statingKinds(statements.filter(({ source }) => source === adapter.id));
  const open = held.filter(
    ({ source, rule }) => source === adapter.id && (MOVE_RULES.has(rule) || CONFIRMABLE_RULES.has(rule)),
  );
  const answers: Answer[] = [];
  const failed: RouteOutcome<Reading>[] = [];
  let windows = windowsOf(open, memory.collections++);
  for (let nth = 0; nth < MOST_ROUTES && windows.length > 0; nth++) {
    const read: ReadDocument[] = [];
    const names = new Set<string>();
    for (const { from, to, asked } of windows) {
      // Routes that the held figures did not come from, the most reliable first.
      const routes = routesFor(context, from, to, currenciesOf(adapter, asked)).filter(
        (route) => !asked.every((figure) => stating.get(statedKey(figure))?.has(kindOf(route))),
      );
      const route = routes[nth];
      if (route === undefined) continue;
      const outcome = await ask(context, route, from);
      if (outcome.faults.length > 0) failed.push(outcome);
      if (outcome.read.length > 0) names.add(route.name);
      read.push(...outcome.read);
    }
    const from = Math.min(...windows.map((window) => window.from));
    const [answer] = await recordAnswers(context, read, from, kinds, [...names].join(", "));
    if (answer === undefined) continue;
    answers.push(answer);
    const stillHeld = new Set(answer.recorded.held.map(figureKey));
    windows = windows.filter(({ asked }) => asked.some((figure) => stillHeld.has(figureKey(figure))));
  }
  return { answers, failed };
}

/** The kinds of routes that state each figure and value: they cannot confirm themselves. */
function statingKinds(statements: readonly Statement[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = statements.filter(({ says }) => says === "value");
  const byFigure = Map.groupBy(values, ({ first, base, quote, printed }) =>
    statedKey({ date: first, base, quote, printed }),
  );
  return new Map(
    [...byFigure].map(([key, all]) => [key, new Set(all.map(({ route }) => kindOfRoute(route)))]),
  );
}

function statedKey({ date, base, quote, printed }: Pair & { date: Day; printed: string | null }): string {
  return `${date} ${base} ${quote} ${Number(printed)}`;
}

export function figureKey({ source, date, base, quote }: HeldFigure): string {
  return `${source} ${date} ${base} ${quote}`;
}

// ── Contradictions ───────────────────────────────────────────────────────────────────────────────

/** Days requested on each side of a figure: a document with figures around the day shows that the route lacks this one. */
const DAYS_AROUND = 7;

/** A collection has read the days from `from` on, by routes of the kind of `voice`. */
interface CollectedDays {
  readonly voice: string;
  readonly from: Day;
  readonly reach: Window["reach"];
}

/**
 * Reads routes again for days on which they contradict each other, and resolves with what the answers changed. A kind of route that was
 * not read since a figure changed is asked at once: it confirms the change, or contradicts it. Collections other than `latest` ask all
 * kinds about lasting contradictions: what a route no longer states must not count for ever, and what both state is settled. Rejects as
 * the lake.
 */
export async function reviewContradictions(
  context: AskContext,
  collected: CollectedDays,
): Promise<readonly Answer[]> {
  const { adapter, today, memory } = context;
  const { statements } = await context.lake.read();
  const kinds = kindsOf(context);
  const ofSource = statements.filter(({ source }) => source === adapter.id);
  const doubtful = doubtfulDays(ofSource, kinds, collected);
  const read: ReadDocument[] = [];
  for (const [kind, figures] of Map.groupBy(doubtful, (one) => one.kind)) {
    for (const { from, to, asked } of windowsOf(figures, memory.collections)) {
      const first = from - DAYS_AROUND;
      const last = Math.min(today, to + DAYS_AROUND);
      const routes = routesFor(context, first, last, currenciesOf(adapter, asked));
      const route = routes.find((one) => kindOf(one) === kind);
      if (route !== undefined) read.push(...(await ask(context, route, first)).read);
    }
  }
  const from = Math.min(...doubtful.map(({ date }) => date)) - DAYS_AROUND;
  return await recordAnswers(context, read, from, kinds);
}

function doubtfulDays(
  statements: readonly Statement[],
  kinds: readonly string[],
  { voice, from, reach }: CollectedDays,
): readonly (Pair & { readonly date: Day; readonly kind: string })[] {
  const differing = statements.filter(({ says }) => says !== "current");
  const byFigure = Map.groupBy(differing, ({ base, quote, first }) => `${base} ${quote} ${first}`);
  return [...byFigure.values()].flatMap((all) => {
    const { base, quote, first: date } = all[0] as Statement;
    const fresh = new Set(all.filter(({ since }) => since !== null).map(({ route }) => kindOfRoute(route)));
    const unread = all.map(({ route }) => kindOfRoute(route)).filter((kind) => !fresh.has(kind));
    const asked = new Set(fresh.size > 0 && reach !== "latest" ? kinds : unread);
    if (date >= from) asked.delete(kindOfRoute(voice));
    return [...asked].map((kind) => ({ base, quote, date, kind }));
  });
}
