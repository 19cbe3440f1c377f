/** What routes say of one day that they did not say before: only that can be news. Used by acceptance only. */

import type { Day, Instant } from "#domain/time/day.ts";
import { canonicalPrinted } from "./canonical.ts";
import type { Saying, SeriesCase } from "./judgement.ts";
import { newEvents, type Standing, type SupersededObservation, type VersionEvent } from "./revision.ts";
import { eventOf } from "./series-entry.ts";
import { kindOfRoute, NOTHING_STATED, type Stated } from "./statements.ts";

/** One route's sayings about a day, in their order, and the last of them as its word. */
export interface RouteWord {
  readonly route: string;
  readonly sayings: readonly Saying[];
  readonly events: readonly VersionEvent[];
  readonly stated: Stated;
}

export function wordsOf(sayings: readonly Saying[]): RouteWord[] {
  const routes = [...new Set(sayings.map(({ route }) => route))];
  return routes.map((route) => {
    const own = sayings.filter((saying) => saying.route === route);
    const events = own.map(eventOf);
    return { route, sayings: own, events, stated: statedIn(own.at(-1) as Saying) };
  });
}

function statedIn({ figure }: Saying): Stated {
  return figure === null
    ? NOTHING_STATED
    : { value: canonicalPrinted(figure.printed), printed: figure.printed };
}

/** The last statement of each route about the day, in this collection. */
export function saidNow(sayings: readonly Saying[]): Map<string, Stated> {
  return new Map(sayings.map((saying) => [saying.route, statedIn(saying)]));
}

/**
 * The statements of a route that are news. `stood` is the value before this collection: what the route said before follows from
 * it; `said` is the last statement of every route in this collection. Two statements are no news, although they differ from the
 * current value:
 * - A route that only no longer has a value does not end the current one where it had said something else, and another route
 *   says the current one: that statement is not its to take back.
 * - The first statement of a route about a day that has a value is no correction by itself: see `isFirstAlone`.
 */
export function newsOf(
  series: SeriesCase,
  { route, sayings, events, stated }: RouteWord,
  now: {
    readonly day: Day;
    readonly stood: Stated;
    readonly standing: (Standing & { readonly retrievedAt: Instant }) | null;
    readonly said: ReadonlyMap<string, Stated>;
  },
  past: readonly SupersededObservation[],
): readonly Saying[] {
  const { memory } = series;
  const { day, stood, standing } = now;
  const before = memory.before(route, day, stood);
  if (before !== undefined && before.value === stated.value) return [];
  const isSilence = stated.value === null && sayings.at(-1)?.key.publishedAt == null;
  if (isSilence && standing !== null && before?.value !== standing.value) {
    // Its last word was another value: what stands is another route's, or was its own before that.
    if (before === undefined || memory.routesOfCurrent(day, stood).some((other) => other !== route))
      return [];
  }
  if (before === undefined && standing !== null && isFirstAlone(series, { route, events, stated }, now))
    return [];
  const valueIn = (old: SupersededObservation) => canonicalPrinted(old.printed);
  const news = newEvents(events, standing, past, valueIn, before !== undefined);
  return news.map((event) => sayings[events.indexOf(event)] as Saying);
}

/**
 * Whether a route that says something of a day for the first time, and another value than the current one, has only its own word
 * for it. Then it is no correction: it has changed nothing, and may be the one that is wrong. It has more where
 * - its document tells of several versions, or of a publication after the current value was retrieved;
 * - a route of another kind states the same.
 * Where no route is remembered (a lake of an earlier release), nothing can be said, and it counts.
 */
function isFirstAlone(
  series: SeriesCase,
  { route, events, stated }: Pick<RouteWord, "route" | "events" | "stated">,
  { day, standing, said }: Parameters<typeof newsOf>[2],
): boolean {
  const { memory } = series;
  if (standing === null || stated.value === null || stated.value === standing.value) return false;
  if (memory.isEmpty() || events.length > 1) return false;
  const publishedAt = events[0]?.publishedAt ?? null;
  if (publishedAt !== null && publishedAt > standing.retrievedAt) return false;
  return !canConfirm(routesSaying(series, day, said, stated.value), route);
}

/** Routes that say the value of a day: by what is said now, else by their last word. */
export function routesSaying(
  { memory }: SeriesCase,
  day: Day,
  said: ReadonlyMap<string, Stated>,
  value: string,
): readonly string[] {
  const now = [...said].filter(([, stated]) => stated.value === value).map(([route]) => route);
  return [...now, ...memory.routesStating(day, value).filter((route) => !said.has(route))];
}

/** Whether one of the routes can confirm what `route` says: another one, of another kind. */
export function canConfirm(routes: readonly string[], route: string): boolean {
  return routes.some((other) => kindOfRoute(other) !== kindOfRoute(route));
}
