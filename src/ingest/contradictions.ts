/** Reads routes again for days on which they contradict each other. */

import { kindOfRoute, type Statement } from "#domain/acceptance/statements.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { HeldFigure, Window } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import {
  type Answer,
  currenciesOf,
  inTurn,
  kindsOf,
  noteAnswer,
  routesOf,
  type SecondRouteMemory,
  windowsOf,
} from "./asking.ts";
import type { IngestDeps } from "./deps.ts";
import { followRoute, type ReadDocument, voiceOf } from "./gather.ts";
import { LakeFault, record } from "./record.ts";

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
