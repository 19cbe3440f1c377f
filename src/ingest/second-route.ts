/** Queries another route of a source about figures that are held because they moved too far. */

import { MOVE_RULES } from "#domain/acceptance/rules.ts";
import { kindOfRoute, type Statement } from "#domain/acceptance/statements.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import type { DailyAdapter, Route } from "#ports/upstream.ts";
import type { IngestDeps } from "./deps.ts";
import { followRoute, type ReadDocument, type RouteOutcome, voiceOf } from "./gather.ts";
import { LakeFault, type Recorded, record } from "./record.ts";

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

/** Days that lie this close together are requested at once. */
const GAP_DAYS = 31;
/** At most this many windows are requested in one collection; the others follow in the next ones. */
const MOST_WINDOWS = 4;
/** The source's next route, and the one after it where that does not have the figure. */
const MOST_ROUTES = 2;

interface HeldWindow {
  readonly from: Day;
  readonly to: Day;
  readonly held: readonly HeldFigure[];
}

/**
 * Requests what is held, and judges the answers; a route that agrees releases. `turn` says which windows come first
 * where there are many. All answers are judged at once: each commit of a whole history has its price. Upstream trouble is part
 * of the outcome. Rejects with LakeFault, or with an error of the program.
 */
export async function querySecondRoute(
  deps: Pick<IngestDeps, "lake" | "upstream">,
  adapter: DailyAdapter,
  today: Day,
  turn: number,
): Promise<SecondRouteOutcome> {
  const { held, statements } = await deps.lake.read().catch((fault: unknown) => {
    throw new LakeFault(fault);
  });
  const recorded: Answer[] = [];
  const failed: RouteOutcome[] = [];
  let windows = inTurn(windowsOf(held, adapter.id), turn);
  for (let nth = 0; nth < MOST_ROUTES && windows.length > 0; nth++) {
    const read: ReadDocument[] = [];
    const names = new Set<string>();
    for (const window of windows) {
      const route = routesFor(adapter, window, today, statements)[nth];
      if (route === undefined) continue;
      // Documents may have more than was requested, up to today.
      const span = { reach: "recent", from: window.from, to: today } as const;
      const outcome = await followRoute(deps.upstream, route, span, () => {});
      if (outcome.faults.length > 0) failed.push(outcome);
      if (outcome.read.length > 0) names.add(route.name);
      read.push(...outcome.read);
    }
    if (read.length === 0) continue;
    const voices = new Set(read.map((document) => document.route));
    const span = { reach: "recent", from: Math.min(...windows.map(({ from }) => from)), to: today } as const;
    const gathered = { voice: "", read, complete: false };
    const after = await record(deps, adapter.id, gathered, span, () => {});
    recorded.push({ route: [...names].join(", "), voices, recorded: after });
    windows = windows.filter((window) =>
      window.held.some((before) => after.held.some((figure) => sameFigure(figure, before))),
    );
  }
  return { recorded, failed };
}

function inTurn(windows: readonly HeldWindow[], turn: number): readonly HeldWindow[] {
  const first = windows.length === 0 ? 0 : (turn * MOST_WINDOWS) % windows.length;
  return [...windows.slice(first), ...windows.slice(0, first)].slice(0, MOST_WINDOWS);
}

/** Routes that the held figures of the window did not come from, the most reliable first. */
function routesFor(
  adapter: DailyAdapter,
  { from, to, held }: HeldWindow,
  today: Day,
  statements: readonly Statement[],
): readonly Route[] {
  const currencies = [...new Set(held.map((figure) => currencyOf(figure, adapter.id)))];
  const routes =
    adapter.secondRoutes?.({ from, to, today, currencies }) ?? adapter.routes({ reach: "recent", from, to });
  return routes.filter((route) => !held.every((figure) => states(statements, route, figure)));
}

/** Held moves of a source by windows of days, the oldest first. */
function windowsOf(held: readonly HeldFigure[], source: DailySource): readonly HeldWindow[] {
  const moves = held
    .filter((figure) => figure.source === source && MOVE_RULES.has(figure.rule))
    .sort((a, b) => a.date - b.date);
  const windows: { from: Day; to: Day; held: HeldFigure[] }[] = [];
  for (const figure of moves) {
    const last = windows.at(-1);
    if (last === undefined || figure.date - last.to > GAP_DAYS) {
      windows.push({ from: figure.date, to: figure.date, held: [figure] });
    } else {
      last.to = figure.date;
      last.held.push(figure);
    }
  }
  return windows;
}

function currencyOf({ base, quote }: HeldFigure, source: DailySource): CurrencyCode {
  return base === PIVOT[source] ? quote : base;
}

/** Whether the held figure came from this route or one of its kind, which cannot confirm itself. */
function states(statements: readonly Statement[], route: Route, figure: HeldFigure): boolean {
  return statements.some(
    (row) =>
      row.says === "value" &&
      kindOfRoute(row.route) === kindOfRoute(voiceOf(route)) &&
      row.source === figure.source &&
      row.first === figure.date &&
      row.base === figure.base &&
      row.quote === figure.quote &&
      Number(row.printed) === Number(figure.printed),
  );
}

export function sameFigure(a: HeldFigure, b: HeldFigure): boolean {
  return a.source === b.source && a.date === b.date && a.base === b.base && a.quote === b.quote;
}
