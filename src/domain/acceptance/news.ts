/** Finds what routes report on a day that they did not state before. Only that can be new. */

import type { Day, Instant } from "#domain/time/day.ts";
import { eventOf, type Report, type SeriesCase } from "./judgement.ts";
import { canonicalPrinted } from "./printed.ts";
import { type CurrentValue, newEvents, type SupersededObservation, type VersionEvent } from "./revision.ts";
import { kindOfRoute, NOTHING_STATED, type Stated } from "./statements.ts";

/** One route's reports on a day, in their order, and the last of them as its statement. */
interface RouteReports {
  readonly route: string;
  readonly reports: readonly Report[];
  readonly events: readonly VersionEvent[];
  readonly stated: Stated;
}

export function reportsByRoute(reports: readonly Report[]): RouteReports[] {
  const routes = [...new Set(reports.map(({ route }) => route))];
  return routes.map((route) => {
    const own = reports.filter((report) => report.route === route);
    const events = own.map(eventOf);
    return { route, reports: own, events, stated: statedIn(own.at(-1) as Report) };
  });
}

function statedIn({ figure }: Report): Stated {
  return figure === null
    ? NOTHING_STATED
    : { value: canonicalPrinted(figure.printed), printed: figure.printed };
}

/** The last statement of each route about the day, in this collection. */
export function lastStatements(reports: readonly Report[]): Map<string, Stated> {
  return new Map(reports.map((report) => [report.route, statedIn(report)]));
}

/** What is known of a day while the reports of its routes are compared with it. */
interface KnownOfDay {
  readonly day: Day;
  /** Before this collection. */
  readonly before: Stated;
  readonly current: (CurrentValue & { readonly retrievedAt: Instant }) | null;
  /** By route, in this collection. */
  readonly stated: ReadonlyMap<string, Stated>;
}

/**
 * The reports of a route that are new. `before` is the value before this collection, from which the route's earlier statement
 * follows; `stated` is the last statement of every route in this collection. Two statements are not new, although they differ from
 * the current value:
 * - A route that merely no longer has a value does not end the current one where it had stated something else, and another route
 *   states the current one: only that route can withdraw it.
 * - The first statement of a route on a day that has a value is no correction by itself: see `isUnconfirmedFirst`.
 */
export function newsOf(
  series: SeriesCase,
  own: RouteReports,
  known: KnownOfDay,
  past: readonly SupersededObservation[],
): readonly Report[] {
  const { memory } = series;
  const { route, reports, events, stated } = own;
  const { day, before, current } = known;
  const earlier = memory.before(route, day, before);
  if (earlier !== undefined && earlier.value === stated.value) return [];
  const isSilent = stated.value === null && reports.at(-1)?.key.publishedAt == null;
  if (isSilent && current !== null && earlier?.value !== current.value) {
    // It stated another value last: the current one is another route's, or was its own before that.
    if (earlier === undefined || memory.routesOfCurrent(day, before).some((other) => other !== route))
      return [];
  }
  if (earlier === undefined && current !== null && isUnconfirmedFirst(series, own, known)) return [];
  const valueIn = (old: SupersededObservation) => canonicalPrinted(old.printed);
  const news = newEvents(events, current, past, valueIn, earlier !== undefined);
  return news.map((event) => reports[events.indexOf(event)] as Report);
}

/**
 * Whether a route that states a value of a day for the first time, and another one than the current, is the only evidence for it.
 * Then it is no correction: the route has changed nothing, and may be wrong itself. There is more evidence where
 * - its document has several versions, or a publication after the current value was retrieved;
 * - a route of another kind states the same.
 * Where no route is remembered (a lake of an earlier release), this cannot be known, and the statement counts.
 */
function isUnconfirmedFirst(
  series: SeriesCase,
  { route, events, stated: own }: RouteReports,
  { day, current, stated }: KnownOfDay,
): boolean {
  const { memory } = series;
  if (current === null || own.value === null || own.value === current.value) return false;
  if (memory.isEmpty() || events.length > 1) return false;
  const publishedAt = events[0]?.publishedAt ?? null;
  if (publishedAt !== null && publishedAt > current.retrievedAt) return false;
  return !canConfirm(routesStating(series, day, stated, own.value), route);
}

/** Routes that state the value of a day: in this collection, or else by their last statement. */
export function routesStating(
  { memory }: SeriesCase,
  day: Day,
  stated: ReadonlyMap<string, Stated>,
  value: string,
): readonly string[] {
  const now = [...stated].filter(([, own]) => own.value === value).map(([route]) => route);
  return [...now, ...memory.routesStating(day, value).filter((route) => !stated.has(route))];
}

/** Whether one of the routes can confirm what `route` states: one of another kind. */
export function canConfirm(routes: readonly string[], route: string): boolean {
  return routes.some((other) => kindOfRoute(other) !== kindOfRoute(route));
}
