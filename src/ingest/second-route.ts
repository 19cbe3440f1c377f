/** Asks another route of a source about figures that are held because they moved too far, or because one route alone states them. */

import { MOVE_RULES, WITNESS_RULES } from "#domain/acceptance/rules.ts";
import { kindOfRoute, type Statement } from "#domain/acceptance/statements.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import type { DailyAdapter, Route } from "#ports/upstream.ts";
import {
  type Answer,
  type AskedWindow,
  currenciesOf,
  inTurn,
  kindsOf,
  noteAnswer,
  routesOf,
  type SecondRouteMemory,
  windowsOf,
} from "./asking.ts";
import type { IngestDeps } from "./deps.ts";
import { followRoute, type ReadDocument, type RouteOutcome, voiceOf } from "./gather.ts";
import { LakeFault, record } from "./record.ts";

export interface SecondRouteOutcome {
  /** What each answer changed, with the route that gave it, in order. */
  readonly recorded: readonly Answer[];
  readonly failed: readonly RouteOutcome[];
}

/** The source's next route, and the one after it where that does not have the figure. */
const MOST_ROUTES = 2;

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
