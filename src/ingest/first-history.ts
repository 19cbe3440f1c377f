/** Checks the first history of a source against another kind of route before anything of it is believed. */

import { kindOfRoute } from "#domain/acceptance/statements.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Window } from "#domain/intake/reading.ts";
import { formatDay } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import { followRoute, type Gathered, gather, type ReadDocument, voiceOf } from "./gather.ts";

/** Days at the end of the history that the other kind is asked about. */
const COMPARED_DAYS = 90;
/** A history that differs in a larger share of these figures is refused. */
const MOST_CONTRADICTED = 0.01;

/**
 * Gathers a first history. One that another kind of route contradicts is refused, and the next route is taken. The documents of the other
 * kind are judged with it; where no other kind answers, the history is taken as it is.
 */
export async function gatherFirstHistory(
  deps: Pick<IngestDeps, "upstream" | "emit">,
  adapter: DailyAdapter,
  window: Window,
  progress: StageProgress,
): Promise<Gathered> {
  const gathered = await gather(deps, adapter, window, progress);
  if (gathered.outcome !== "figures") return gathered;
  const witness = await witnessOf(deps, adapter, window, gathered.voice);
  const contradiction = contradictionOf(gathered.read, witness);
  if (contradiction === null) {
    gathered.read.push(...witness);
    return gathered;
  }
  const detail = `${gathered.route}: the history is refused, because ${contradiction}`;
  deps.emit({
    kind: "route_failed",
    source: adapter.id,
    route: gathered.route,
    fault: "contradicted",
    detail,
  });
  const next = await gather(deps, adapter, window, progress, gathered.route);
  return { ...next, detail: next.detail === null ? detail : `${detail}; ${next.detail}` };
}

/** What the first route of another kind that answers states of the last days; empty where there is none. */
async function witnessOf(
  { upstream }: Pick<IngestDeps, "upstream">,
  adapter: DailyAdapter,
  { to }: Window,
  voice: string,
): Promise<readonly ReadDocument[]> {
  const from = to - COMPARED_DAYS;
  const { currencies } = adapter;
  const routes =
    adapter.secondRoutes?.({ from, to, today: to, currencies }) ??
    adapter.routes({ reach: "recent", from, to });
  for (const route of routes) {
    if (kindOfRoute(voiceOf(route)) === kindOfRoute(voice)) continue;
    const { read } = await followRoute(upstream, route, { reach: "recent", from, to }, () => {});
    if (read.length > 0) return read;
  }
  return [];
}

/** One clause about figures that two routes state differently; null where they are few. */
function contradictionOf(read: readonly ReadDocument[], witness: readonly ReadDocument[]): string | null {
  const known = lastValues(witness);
  const stated = lastValues(read, Math.min(...[...known.values()].map(({ date }) => date)));
  let compared = 0;
  let first: Figure | null = null;
  let different = 0;
  for (const [key, figure] of known) {
    const other = stated.get(key);
    if (other === undefined) continue;
    compared += 1;
    if (Number(other.printed) === Number(figure.printed)) continue;
    different += 1;
    first ??= other;
  }
  if (first === null || different <= compared * MOST_CONTRADICTED) return null;
  const { base, quote, date, printed } = first;
  return `${witness[0]?.route} states other values for ${different} of ${compared} figures, for example not ${base}/${quote} ${printed} of ${formatDay(date)}`;
}

function lastValues(read: readonly ReadDocument[], from = -Infinity): ReadonlyMap<string, Figure> {
  const figures = read.flatMap(({ content }) =>
    content.outcome === "figures" ? content.figures.filter(({ date }) => date >= from) : [],
  );
  return new Map(figures.map((figure) => [`${figure.date} ${figure.base} ${figure.quote}`, figure]));
}
