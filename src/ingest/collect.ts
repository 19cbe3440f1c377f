/** One collection of one source: gather its documents, record them in the lake, say how it went. Nobody else's fault ends it. */

import type { CollectionState } from "#domain/collection.ts";
import { formatDay, type Instant } from "#domain/day.ts";
import type { Figure } from "#domain/observation.ts";
import type { Window } from "#domain/reading.ts";
import type { DailySource } from "#domain/source.ts";
import type { Collector, DailyAdapter } from "#ports.ts";
import { neededReach } from "./coverage.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import { type Gathered, gather } from "./gather.ts";
import { oneAtATime } from "./queue.ts";
import { LakeFault, type Recorded, record } from "./record.ts";
import { windowAt } from "./window.ts";

/** The port, with a way to watch a long collection; a call that joins a running one hears nothing. */
export interface WatchableCollector extends Collector {
  collect(source: DailySource, reach: Window["reach"], progress?: StageProgress): Promise<CollectionState>;
}

/**
 * Makes the collector. `collect` resolves with the state for every fault of an upstream or of the lake, and rejects
 * only for an error of the program. Calls for one source run one after the other; equal waiting ones are one.
 */
export function createCollector(deps: IngestDeps): WatchableCollector {
  const states = new Map<DailySource, CollectionState>();
  const queue = oneAtATime<DailySource, Window["reach"], CollectionState>();
  for (const { id } of deps.adapters) states.set(id, neverCollected(id));

  return {
    collect(source, reach, progress = () => {}) {
      return queue(source, reach, async () => {
        const attemptedAt = deps.clock.now();
        const { outcome, detail } = await collectOnce(deps, adapterOf(deps, source), reach, progress).catch(
          (error: unknown) => {
            states.set(source, after(states.get(source), source, attemptedAt, "failed", "internal error"));
            throw error;
          },
        );
        const state = after(states.get(source), source, attemptedAt, outcome, detail);
        states.set(source, state);
        return state;
      });
    },
    states: () => [...states.values()],
  };
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
  reach: Window["reach"],
  progress: StageProgress,
): Promise<Pick<CollectionState, "outcome" | "detail">> {
  const began = deps.clock.now();
  const source = adapter.id;
  try {
    const window = await windowNeeded(deps, source, reach, began);
    const gathered = await gather(deps, adapter, window, progress);
    if (gathered.outcome === "failed") return failed(deps, source, gathered.detail as string);
    if (gathered.read.length === 0) {
      deps.tell({ kind: "nothing_new", source, outcome: gathered.outcome });
      return gathered;
    }
    const recorded = await record(deps, source, gathered, window, progress);
    report(deps, source, gathered, recorded, deps.clock.now() - began);
    if (recorded.newVersion !== null) await shown(deps, recorded.newVersion);
    return { outcome: gathered.outcome, detail: withHeld(gathered.detail, recorded) };
  } catch (error) {
    if (error instanceof LakeFault) return failed(deps, source, error.message);
    throw error;
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

function failed({ tell }: IngestDeps, source: DailySource, detail: string) {
  tell({ kind: "source_failed", source, detail });
  return { outcome: "failed", detail } as const;
}

/** The new dataset is read back from the lake: its trouble is the lake's. */
async function shown({ onCommitted }: IngestDeps, version: string): Promise<void> {
  try {
    await onCommitted(version);
  } catch (error) {
    throw new LakeFault(error);
  }
}

/** The figures themselves and their reasons are in the lake's list of held figures. */
function withHeld(detail: string | null, { newlyHeld }: Recorded): string | null {
  if (newlyHeld.length === 0) return detail;
  const rules = [...new Set(newlyHeld.map(({ rule }) => rule))].join(", ");
  const said = `${newlyHeld.length} ${newlyHeld.length === 1 ? "figure is" : "figures are"} held back: ${rules}`;
  return detail === null ? said : `${detail}; ${said}`;
}

function report(
  { tell }: IngestDeps,
  source: DailySource,
  { outcome, route }: Gathered,
  { accepted, revised, withdrawn, newlyHeld, released, newVersion }: Recorded,
  milliseconds: number,
): void {
  for (const figure of newlyHeld) {
    const { rule, reason } = figure;
    tell({ kind: "figure_held", source, figure: figureText(figure), rule, reason });
  }
  for (const figure of released) {
    tell({ kind: "figure_released", source, figure: figureText(figure), by: "a later figure" });
  }
  if (newVersion === null) {
    tell({ kind: "nothing_new", source, outcome });
    return;
  }
  tell({
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

/** `2026-04-13 EUR/NOK 11.5829`. */
export function figureText({ date, base, quote, printed }: Figure): string {
  return `${formatDay(date)} ${base}/${quote} ${printed}`;
}
