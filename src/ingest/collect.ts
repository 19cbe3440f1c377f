/**
 * One collection of a daily source, route → fetch → parse → judge → record: gathers documents, records them in the lake, asks other
 * routes about doubtful figures, and reports the outcome.
 */

import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { figureText } from "#domain/history/observation.ts";
import type { CollectionState, Window } from "#domain/intake/reading.ts";
import { oneAtATime } from "#domain/queues/fair-queue.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import { neededReach, windowAt } from "./coverage.ts";
import { type Gathered, gather, type IngestDeps, type Progress } from "./gather.ts";
import { emitReleased, forEvents } from "./held.ts";
import { type Recorded, record, recordLook } from "./record.ts";
import { sentence } from "./routes.ts";
import {
  type AskMemory,
  type Confirmations,
  compareNewest,
  confirmHeldFigures,
  figureKey,
  gatherFirstHistory,
  kindsOf,
  noteAnswer,
  reviewContradictions,
  vouchForDocuments,
} from "./second-routes.ts";

type Outcome = Pick<CollectionState, "outcome" | "detail">;

/** What the collections of a source remember in this process. */
interface SourceMemory extends AskMemory {
  /** By name of a route: the report that its newest document has lost figures. */
  readonly torn: Map<string, string>;
}

export type Collector = ReturnType<typeof createCollector>;

export function createCollector(deps: IngestDeps) {
  const queue = oneAtATime<DailySource, Window["reach"], CollectionState>();
  const states = new Map<DailySource, CollectionState>();
  const memories = new Map<DailySource, SourceMemory>();
  for (const { id } of deps.adapters) {
    states.set(id, { source: id, lastAttemptAt: null, lastSuccessAt: null, outcome: "never", detail: null });
    memories.set(id, { collections: 0, silentSince: new Map(), troubledAt: new Map(), torn: new Map() });
  }

  const collect = async (source: DailySource, reach: Window["reach"], progress: Progress) => {
    const lastAttemptAt = deps.clock.now();
    const adapter = deps.adapters.find(({ id }) => id === source);
    const memory = memories.get(source);
    if (adapter === undefined || memory === undefined) throw new Error(`there is no adapter for ${source}`);
    const conclude = ({ outcome, detail }: Outcome): CollectionState => {
      const lastSuccessAt =
        outcome === "failed" ? (states.get(source)?.lastSuccessAt ?? null) : lastAttemptAt;
      const state = { source, lastAttemptAt, lastSuccessAt, outcome, detail };
      states.set(source, state);
      return state;
    };
    try {
      return conclude(await collectOnce(deps, adapter, memory, reach, progress));
    } catch (error) {
      const detail = `not recorded: ${error instanceof Error ? error.message : String(error)}`;
      return conclude(failed(deps, source, lastAttemptAt, detail));
    }
  };

  return {
    /**
     * Never rejects: every fault becomes the state. Calls for one source run one after the other; equal waiting calls share a run, with the
     * progress of the first.
     */
    collect: (source: DailySource, reach: Window["reach"], progress: Progress = () => {}) =>
      queue(source, reach, () => collect(source, reach, progress)),
    states: (): readonly CollectionState[] => [...states.values()],
  };
}

/** Rejects as the lake, or with an error of the program. */
async function collectOnce(
  deps: IngestDeps,
  adapter: DailyAdapter,
  memory: SourceMemory,
  reach: Window["reach"],
  progress: Progress,
): Promise<Outcome> {
  const { lake, clock, emit } = deps;
  const began = clock.now();
  const source = adapter.id;
  const window = await windowNeeded(deps, source, reach, began);
  const isFirst = window.reach === "history" && !(await hasFigures(deps, source));
  const gathered = await (isFirst ? gatherFirstHistory : gather)(deps, adapter, window, progress);
  const { outcome, voice } = gathered;
  for (const silent of gathered.silent) noteAnswer(memory, silent, false, began);
  for (const answered of [voice, ...gathered.read.map(({ route }) => route)])
    noteAnswer(memory, answered, true, began);
  const context = { ...deps, adapter, memory, today: window.to };
  const kinds = kindsOf(context);
  if (outcome === "failed") return failed(deps, source, began, gathered.detail as string);

  let recorded: Recorded | null = null;
  let doubts: readonly string[] = [];
  if (gathered.read.length === 0) {
    const look = { route: voice, from: null, at: began, newest: null, modifiedAt: null };
    if (gathered.complete) await recordLook({ lake }, source, look);
    emit({ kind: "nothing_new", source, outcome, milliseconds: clock.now() - began });
  } else {
    const voices = new Set(gathered.read.map(({ route }) => route));
    gathered.read.push(...(await vouchForDocuments(context, gathered.read)));
    recorded = await record(deps, source, gathered, window, kinds);
    report(deps, source, gathered, recorded, began);
    noteTorn(deps, memory, source, voices, recorded);
    doubts = reportDoubts(deps, source, voice, recorded);
    // Published at once: another route may take minutes to answer.
    if (recorded.newVersion !== null) await deps.onCommitted(recorded.newVersion);
  }

  const compared = await compareNewest(context);
  const confirmed = await confirmHeldFigures(context);
  const collected = { voice, from: window.from, reach };
  const reviewed = await reviewContradictions(context, collected);
  const answers = [...compared, ...confirmed.answers, ...reviewed];
  for (const answer of answers) {
    report(deps, source, { outcome, route: answer.route }, answer.recorded, began);
    noteTorn(deps, memory, source, answer.voices, answer.recorded);
  }
  const version = answers.findLast((answer) => answer.recorded.newVersion !== null)?.recorded.newVersion;
  if (typeof version === "string") await deps.onCommitted(version);
  const faults = [...(gathered.detail === null ? [] : [gathered.detail]), ...doubts, ...memory.torn.values()];
  const steps = [...(recorded === null ? [] : [recorded]), ...answers.map((answer) => answer.recorded)];
  return { outcome, detail: detailOf(faults, steps, confirmed.failed) };
}

async function hasFigures({ lake }: IngestDeps, source: DailySource): Promise<boolean> {
  const { observations } = await lake.read();
  return observations.source.subarray(0, observations.count).includes(DAILY_SOURCES.indexOf(source));
}

/** Makes `recent` a `history` when 90 days are not enough: the first history failed, or the service was down for long. */
async function windowNeeded(
  { lake }: IngestDeps,
  source: DailySource,
  reach: Window["reach"],
  now: Instant,
): Promise<Window> {
  const window = windowAt(now, source, reach);
  if (reach !== "recent") return window;
  const { coverage } = await lake.read();
  return windowAt(now, source, neededReach(coverage, source, window.to));
}

function failed({ emit, clock }: IngestDeps, source: DailySource, began: Instant, detail: string) {
  emit({ kind: "source_failed", source, detail, milliseconds: clock.now() - began });
  return { outcome: "failed", detail } as const;
}

/** Keeps the report about a route until its next document; a collection by another route does not clear it. */
function noteTorn(
  { emit }: IngestDeps,
  memory: SourceMemory,
  source: DailySource,
  voices: ReadonlySet<string>,
  { torn }: Recorded,
): void {
  for (const route of voices) {
    memory.torn.delete(route);
    const [first, ...others] = torn.filter((series) => series.route === route);
    if (first === undefined) continue;
    const more = others.length === 0 ? "" : ` and of ${others.length} more series`;
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
  voice: string,
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

/** Names only the rules of held figures: the lake's list has the figures and reasons. */
function detailOf(
  faults: readonly string[],
  steps: readonly Recorded[],
  failedRoutes: Confirmations["failed"],
): string | null {
  const parts = [...faults];
  const keys = new Set(steps.flatMap(({ newlyHeld }) => newlyHeld).map(figureKey));
  const held = (steps.at(-1)?.held ?? []).filter((figure) => keys.has(figureKey(figure)));
  if (held.length > 0) {
    const rules = [...new Set(held.map(({ rule }) => rule))].join(", ");
    parts.push(`${held.length} ${held.length === 1 ? "figure is" : "figures are"} held back: ${rules}`);
  }
  if (failedRoutes.length > 0)
    parts.push(`held figures were requested from another route: ${failedRoutes.map(sentence).join("; ")}`);
  return parts.join("; ") || null;
}

function report(
  { emit, clock }: IngestDeps,
  source: DailySource,
  { outcome, route }: Pick<Gathered, "outcome" | "route">,
  { accepted, revised, withdrawn, newlyHeld, released, newVersion }: Recorded,
  began: Instant,
): void {
  const milliseconds = clock.now() - began;
  for (const [rule, figures] of Map.groupBy(newlyHeld, (figure) => figure.rule))
    for (const { figure, count } of forEvents(figures))
      emit({ kind: "figure_held", source, figure: figureText(figure), rule, reason: figure.reason, count });
  emitReleased(emit, source, released, "another route or the figure before it");
  if (newVersion === null) emit({ kind: "nothing_new", source, outcome, milliseconds });
  else {
    const heldCount = newlyHeld.length;
    emit({ kind: "collected", source, route, accepted, revised, held: heldCount, withdrawn, milliseconds });
  }
}
