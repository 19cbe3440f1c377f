/** Figures that a document no longer has although it covers their dates: what that means is decided before the walk over a series. */

import type { Day } from "#domain/time/day.ts";
import type { Saying, SeriesCase, SpokenSeries, Tally } from "./judgement.ts";
import { NOTHING_STATED, type Stated } from "./statements.ts";

/** So many figures of a series may be missing at once in one document; more is a document that is torn. */
const MOST_LOSSES = 3;

/** What stands of a series, ascending by day. */
export interface StandingDays {
  readonly count: number;
  dayAt(index: number): Day;
  statedAt(index: number): Stated;
}

/**
 * Adds a withdrawal to `series.said` for each figure that a document lost: the same route stated it before, and its date lies
 * strictly between the first and the last figure of the series in the document. More than three of them in one document
 * are none, and are reported. A figure that the route is not known to have stated is noted as not stated by it.
 */
export function addLosses(series: SeriesCase, standing: StandingDays, tally: Tally): void {
  const { memory, said, spoken, base, quote } = series;
  const lost: Saying[] = [];
  for (const document of spoken) {
    const { route, provenance, first, last } = document;
    const { stated, unstated } = missingIn(series, document, standing);
    if (stated.length > MOST_LOSSES) {
      document.whole = false;
      const missing = stated.length;
      tally.torn.push({ base, quote, route, document: provenance.document, missing, first, last });
      continue;
    }
    for (const date of stated)
      lost.push({ route, key: { date, base, quote, publishedAt: null }, figure: null, provenance });
    if (unstated.length > MOST_LOSSES) document.whole = false;
    else for (const date of unstated) memory.note(date, route, NOTHING_STATED);
  }
  if (lost.length === 0) return;
  said.push(...lost);
  said.sort((a, b) => a.key.date - b.key.date);
}

/** Days of which the document says nothing: those that its route stated before, and those that it is not known to have stated. */
function missingIn(
  { memory, said }: SeriesCase,
  { route, provenance, first, last }: SpokenSeries,
  standing: StandingDays,
): { readonly stated: readonly Day[]; readonly unstated: readonly Day[] } {
  const stated: Day[] = [];
  const unstated: Day[] = [];
  const isSaid = inOrder(said, provenance);
  // What the route stated and nothing may stand for: figures that are held back.
  const noted = memory.daysStated(route, first, last).sort((a, b) => a - b);
  const standingDays = new Set<Day>();
  const [from, to] = [firstAfter(standing, first), firstAfter(standing, last - 1)];
  for (let index = from; index < to; index++) {
    const day = standing.dayAt(index);
    if (noted.length > 0) standingDays.add(day);
    if (isSaid(day)) continue;
    const before = memory.before(route, day, standing.statedAt(index));
    if (before === undefined) unstated.push(day);
    else if (before.value !== null) stated.push(day);
  }
  const isSaidOf = inOrder(said, provenance);
  for (const day of noted) if (!standingDays.has(day) && !isSaidOf(day)) stated.push(day);
  return { stated, unstated };
}

/** Whether the document says anything of a day; to be asked by ascending day. */
function inOrder(said: readonly Saying[], provenance: Saying["provenance"]): (day: Day) => boolean {
  let at = 0;
  return (day) => {
    while (at < said.length && (said[at] as Saying).key.date < day) at++;
    for (let near = at; said[near]?.key.date === day; near++) {
      if (said[near]?.provenance === provenance) return true;
    }
    return false;
  };
}

/** Position of the first standing day after a day. */
function firstAfter(standing: StandingDays, day: Day): number {
  let [low, high] = [0, standing.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (standing.dayAt(middle) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}
