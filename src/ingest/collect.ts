/**
 * One collection of one source: gathers its documents, records them in the lake, queries a second route about held figures,
 * and reports the outcome.
 */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { figureText } from "#domain/history/observation.ts";
import type { CollectionState, Window } from "#domain/intake/reading.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import { kindsOf, noteAnswer, type SecondRouteMemory } from "./asking.ts";
import { reviewContradictions } from "./contradictions.ts";
import { neededReach, windowAt } from "./coverage.ts";
import type { IngestDeps, StageProgress, WatchableCollector } from "./deps.ts";
import { sentence } from "./document.ts";
import { gatherFirstHistory } from "./first-history.ts";
import { type Gathered, gather } from "./gather.ts";
import { oneAtATime } from "./queue.ts";
import { LakeFault, type Recorded, record, recordLook } from "./record.ts";
import { emitReleased } from "./released.ts";
import { figureKey, querySecondRoute, type SecondRouteOutcome } from "./second-route.ts";
import { askAboutDocuments } from "./vouching.ts";

/**
 * Makes the collector. `collect` resolves with the state for every fault of an upstream or of the lake, and rejects
 * only for an error of the program. Calls for one source run one after the other; equal waiting ones are one.
 */
export function createCollector(deps: IngestDeps): WatchableCollector {
  const states = new Map<DailySource, CollectionState>();
  const queue = oneAtATime<DailySource, Window["reach"], CollectionState>();
  const memories = new Map<DailySource, SourceMemory>();
  for (const { id } of deps.adapters) {
    states.set(id, neverCollected(id));
    memories.set(id, { collections: 0, silentSince: new Map(), torn: new Map() });
  }

  return {
    collect(source, reach, progress = () => {}) {
      return queue(source, reach, async () => {
        const attemptedAt = deps.clock.now();
        const { outcome, detail } = await collectOnce(
          deps,
          adapterOf(deps, source),
          memories.get(source) as SourceMemory,
          reach,
          progress,
        ).catch((error: unknown) => {
          states.set(source, after(states.get(source), source, attemptedAt, "failed", "internal error"));
          throw error;
        });
        const state = after(states.get(source), source, attemptedAt, outcome, detail);
        states.set(source, state);
        return state;
      });
    },
    states: () => [...states.values()],
  };
}

/** What a source's collections leave for the next one besides the lake. */
interface SourceMemory extends SecondRouteMemory {
  /** Routes whose newest document lost figures, with the report about each. */
  readonly torn: Map<string, string>;
}

function neverCollected(source: DailySource): CollectionState {
  return { source, lastAttemptAt: null, lastSuccessAt: null, outcome: "never", detail: null };
}

function after(
  before: CollectionState | undefined,
  source: DailySource,
  lastAttemptAt: number,
  outcome: CollectionState["outcome"],
  detail: string | null,
): CollectionState {
  const lastSuccessAt = outcome === "failed" ? (before?.lastSuccessAt ?? null) : lastAttemptAt;
  return { source, lastAttemptAt, lastSuccessAt, outcome, detail };
}

function adapterOf({ adapters }: IngestDeps, source: DailySource): DailyAdapter {
  const adapter = adapters.find(({ id }) => id === source);
  if (adapter === undefined) throw new Error(`there is no adapter for ${source}`);
  return adapter;
}

async function collectOnce(
  deps: IngestDeps,
  adapter: DailyAdapter,
  memory: SourceMemory,
  reach: Window["reach"],
  progress: StageProgress,
): Promise<Pick<CollectionState, "outcome" | "detail">> {
  const began = deps.clock.now();
  const source = adapter.id;
  try {
    const window = await windowNeeded(deps, source, reach, began);
    const isFirst = window.reach === "history" && !(await hasFigures(deps, source));
    const gathered = await (isFirst ? gatherFirstHistory : gather)(deps, adapter, window, progress);
    const { outcome, voice: route } = gathered;
    for (const voice of gathered.silent) noteAnswer(memory, voice, false, began);
    for (const voice of [route, ...gathered.read.map((document) => document.route)])
      noteAnswer(memory, voice, true, began);
    const kinds = kindsOf(adapter, memory, deps.clock.now());
    if (outcome === "failed") return failed(deps, source, began, gathered.detail as string);
    let recorded: Recorded | null = null;
    let doubts: readonly string[] = [];
    if (gathered.read.length === 0) {
      const look = { route, from: null, at: began, newest: null, modifiedAt: null };
      if (gathered.complete) await recordLook(deps, source, look);
      deps.emit({ kind: "nothing_new", source, outcome, milliseconds: deps.clock.now() - began });
    } else {
      const routes = new Set(gathered.read.map((document) => document.route));
      gathered.read.push(...(await askAboutDocuments(deps, adapter, window.to, memory, gathered.read)));
      recorded = await record(deps, source, gathered, window, kinds, progress);
      report(deps, source, gathered, recorded, deps.clock.now() - began);
      noteTorn(deps, memory, source, routes, recorded);
      doubts = reportDoubts(deps, source, gathered, recorded);
      // Published at once: another route may take minutes to answer.
      if (recorded.newVersion !== null) await notifyCommitted(deps, recorded.newVersion);
    }
    const second = await querySecondRoute(deps, adapter, window.to, memory);
    const collected = { voice: route, from: window.from, reach };
    const reviewed = await reviewContradictions(deps, adapter, window.to, memory, collected);
    const answers = [...second.recorded, ...reviewed];
    for (const answer of answers) {
      report(deps, source, { outcome, route: answer.route }, answer.recorded, deps.clock.now() - began);
      noteTorn(deps, memory, source, answer.voices, answer.recorded);
    }
    const version = answers.findLast((answer) => answer.recorded.newVersion !== null);
    if (version !== undefined) await notifyCommitted(deps, version.recorded.newVersion as string);
    const faults = [...(gathered.detail === null ? [] : [gathered.detail]), ...doubts];
    return { outcome, detail: detailOf(faults, recorded, { ...second, recorded: answers }, memory) };
  } catch (error) {
    if (error instanceof LakeFault) return failed(deps, source, began, error.message);
    throw error;
  }
}

async function hasFigures({ lake }: IngestDeps, source: DailySource): Promise<boolean> {
  try {
    const { observations } = await lake.read();
    return observations.source.subarray(0, observations.count).includes(DAILY_SOURCES.indexOf(source));
  } catch (error) {
    throw new LakeFault(error);
  }
}

/** A daily re-reading also heals what is too old for it: a history that failed at the start, a long outage. */
async function windowNeeded(
  { lake }: IngestDeps,
  source: DailySource,
  reach: Window["reach"],
  now: Instant,
): Promise<Window> {
  const window = windowAt(now, source, reach);
  if (reach !== "recent") return window;
  try {
    const { coverage } = await lake.read();
    return windowAt(now, source, neededReach(coverage, source, window.to));
  } catch (error) {
    throw new LakeFault(error);
  }
}

function failed({ emit, clock }: IngestDeps, source: DailySource, began: Instant, detail: string) {
  emit({ kind: "source_failed", source, detail, milliseconds: clock.now() - began });
  return { outcome: "failed", detail } as const;
}

/** The new dataset is read back from the lake: its trouble is the lake's. */
async function notifyCommitted({ onCommitted }: IngestDeps, version: string): Promise<void> {
  try {
    await onCommitted(version);
  } catch (error) {
    throw new LakeFault(error);
  }
}

/** Keeps the report about a route until its next document: a later collection by another route has no bearing on it. */
function noteTorn(
  { emit }: IngestDeps,
  memory: SourceMemory,
  source: DailySource,
  routes: ReadonlySet<string>,
  { torn }: Recorded,
): void {
  for (const route of routes) {
    memory.torn.delete(route);
    const own = torn.filter((series) => series.route === route);
    const [first] = own;
    if (first === undefined) continue;
    const more = own.length === 1 ? "" : ` and of ${own.length - 1} more series`;
    const detail =
      `${route}: ${first.document} lost ${first.missing} figures of ${first.base}/${first.quote}${more} ` +
      `that it had between ${formatDay(first.first)} and ${formatDay(first.last)}: they are kept`;
    memory.torn.set(route, detail);
    emit({ kind: "route_failed", source, route, fault: "broken_document", detail });
  }
}

/** A sentence about an old copy, and one about each document that changes too much to be believed on its own. */
function reportDoubts(
  { emit }: IngestDeps,
  source: DailySource,
  { voice }: Pick<Gathered, "voice">,
  { oldCopy, distrusted }: Recorded,
): readonly string[] {
  const doubts = distrusted.map(({ route, document, reason }) => ({
    ...{ route, fault: "contradicted" },
    detail: `${route}: ${document} is not believed on its own: ${reason}`,
  }));
  if (oldCopy !== null) {
    const detail = `${voice}: an old copy: it ${oldCopy}; it changes nothing`;
    doubts.push({ route: voice, fault: "old_copy", detail });
  }
  for (const doubt of doubts) emit({ kind: "route_failed", source, ...doubt });
  return doubts.map(({ detail }) => detail);
}

/** The figures themselves and their reasons are in the lake's list of held figures. */
function detailOf(
  faults: readonly string[],
  recorded: Recorded | null,
  second: SecondRouteOutcome,
  { torn }: SourceMemory,
): string | null {
  const parts = [...faults, ...torn.values()];
  const last = second.recorded.at(-1)?.recorded ?? recorded;
  const added = [recorded, ...second.recorded.map((answer) => answer.recorded)].flatMap(
    (step) => step?.newlyHeld ?? [],
  );
  const keys = new Set(added.map(figureKey));
  const held = (last?.held ?? []).filter((figure) => keys.has(figureKey(figure)));
  if (held.length > 0) {
    const rules = [...new Set(held.map(({ rule }) => rule))].join(", ");
    parts.push(`${held.length} ${held.length === 1 ? "figure is" : "figures are"} held back: ${rules}`);
  }
  if (second.failed.length > 0)
    parts.push(`held figures were requested from another route: ${second.failed.map(sentence).join("; ")}`);
  return parts.length === 0 ? null : parts.join("; ");
}

/** More figures that are held by one rule are one event. */
const MOST_EVENTS = 20;

function report(
  { emit }: IngestDeps,
  source: DailySource,
  { outcome, route }: Pick<Gathered, "outcome" | "route">,
  { accepted, revised, withdrawn, newlyHeld, released, newVersion }: Recorded,
  milliseconds: number,
): void {
  for (const [rule, figures] of Map.groupBy(newlyHeld, (figure) => figure.rule)) {
    const isMany = figures.length > MOST_EVENTS;
    for (const figure of isMany ? figures.slice(0, 1) : figures) {
      const count = isMany ? figures.length : 1;
      emit({ kind: "figure_held", source, figure: figureText(figure), rule, reason: figure.reason, count });
    }
  }
  emitReleased(emit, source, released, "another route or the figure before it");
  if (newVersion === null) {
    emit({ kind: "nothing_new", source, outcome, milliseconds });
    return;
  }
  emit({
    kind: "collected",
    source,
    route,
    accepted,
    revised,
    held: newlyHeld.length,
    withdrawn,
    milliseconds,
  });
}
