/** What proves that a figure changed: another kind of route that states the same, or a document that dates its version later. */

import type { Day } from "#domain/time/day.ts";
import { type CurrentValue, type Report, type SeriesCase, versionsAfter } from "./judgement.ts";
import { canonicalPrinted } from "./printed.ts";
import { kindOfRoute, NOTHING_STATED, type Stated } from "./statements.ts";

/** One route's reports on a day, in their order; the last of them is its statement. */
export interface RouteReports {
  readonly route: string;
  readonly reports: readonly Report[];
  readonly stated: Stated;
}

export function reportsByRoute(reports: readonly Report[]): RouteReports[] {
  const routes = [...new Set(reports.map(({ route }) => route))];
  return routes.map((route) => {
    const ofRoute = reports.filter((report) => report.route === route);
    return { route, reports: ofRoute, stated: statedIn(ofRoute.at(-1) as Report) };
  });
}

function statedIn({ figure, provenance }: Report): Stated {
  const since = provenance.retrievedAt;
  return figure === null
    ? { ...NOTHING_STATED, since }
    : { value: canonicalPrinted(figure.printed), printed: figure.printed, since };
}

/** The last statement of each route about the day, in this collection. */
export function lastStatements(reports: readonly Report[]): Map<string, Stated> {
  return new Map(reports.map((report) => [report.route, statedIn(report)]));
}

/** Routes that state `value` (null: no figure) for the day: in this collection, or since the current value last changed. */
export function routesStating(
  { memory }: SeriesCase,
  day: Day,
  stated: ReadonlyMap<string, Stated>,
  value: string | null,
): readonly string[] {
  const now = [...stated].filter(([, { value: stating }]) => stating === value).map(([route]) => route);
  return [...now, ...memory.routesStating(day, value).filter((route) => !stated.has(route))];
}

/**
 * Routes that cover a day without a current value and lack its figure, in this collection or when last read. A route that ends on the
 * day or earlier does not count.
 */
export function routesWithout(
  { memory }: SeriesCase,
  day: Day,
  stated: ReadonlyMap<string, Stated>,
): readonly string[] {
  const now = [...stated].filter(([, { value }]) => value === null).map(([route]) => route);
  return [...now, ...memory.routesWithout(day).filter((route) => !stated.has(route))];
}

/** Whether one of the routes is of another kind than `route` and can so confirm it. */
export function canConfirm(routes: readonly string[], route: string): boolean {
  return routes.some((other) => kindOfRoute(other) !== kindOfRoute(route));
}

export interface Claim {
  /** The versions that are new, in order. */
  readonly reports: readonly Report[];
  /** `date`: the document dates them after the current value. */
  readonly proof: "other kind" | "date" | null;
}

/**
 * What a route claims against the current value of a day; null where it states that value. A changed or repeated statement, and a
 * value that was current before, prove nothing.
 */
export function claimOf(
  series: SeriesCase,
  { route, reports, stated }: RouteReports,
  day: Day,
  current: CurrentValue,
  allStated: ReadonlyMap<string, Stated>,
): Claim | null {
  if ((stated.value ?? "") === current.value) return null;
  const dated = versionsAfter(reports, current);
  const isConfirmed = canConfirm(routesStating(series, day, allStated, stated.value), route);
  if (dated.length > 0) return { reports: dated, proof: isConfirmed ? "other kind" : "date" };
  return { reports: [reports.at(-1) as Report], proof: isConfirmed ? "other kind" : null };
}

/** A copy from before the current version is expected at most this long after that version was retrieved. */
const OLD_COPY_MILLISECONDS = 24 * 3_600_000;

/** Whether a dated document is an old copy: its newest version is older than the current one. An old copy states nothing. */
export function isOldCopy(reports: readonly Report[], current: CurrentValue): boolean {
  const { key, provenance } = reports.at(-1) as Report;
  if (key.publishedAt === null || current.publishedAt === null) return false;
  const isEarly = provenance.retrievedAt < current.since + OLD_COPY_MILLISECONDS;
  return isEarly && key.publishedAt < current.publishedAt;
}
