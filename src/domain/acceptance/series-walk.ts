/** One series' judgement, day by day: the walk that acceptance makes over each (source, base, quote). */

import type { Row } from "#domain/history/history.ts";
import type { Day } from "#domain/time/day.ts";
import { canonicalOf, canonicalPrinted } from "./canonical.ts";
import type { Held, HeldCommand, KnownRates, Saying, SeriesCase, Tally } from "./judgement.ts";
import { type Neighbour, type Printed, readPrinted } from "./plausibility.ts";
import { MOVE_RULES, objectTo, RELEASABLE_RULES, type Walk } from "./series-doubt.ts";
import { heldOf, isAbout, keyOf, observationOf } from "./series-entry.ts";
import { addLosses } from "./series-losses.ts";
import { canConfirm, newsOf, routesSaying, saidNow, wordsOf } from "./series-news.ts";
import { type Current, latenessIn, standingAt, standingDays, statedOf } from "./series-standing.ts";

/** Everything that speaks about one day; one object for all days, filled anew for each: a history has 180,000 of them. */
interface DayCase {
  day: Day;
  readonly sayings: Saying[];
  /** What stood before this collection. */
  standing: Current | null;
  after: Neighbour | null;
  heldBefore: Held | null;
  /** What stands, and is held, as the walk goes through the day's statements. */
  current: Current | null;
  held: Held | null;
  /** True once a statement of the day was found not believable now. */
  judged: boolean;
  nextRevision: number;
  /** Nothing was known of the figure. */
  isFirst: boolean;
}

/** Judges every day that a document or a held figure speaks about; results go to `tally`, and what routes said to `series.memory`. */
export function walkSeries(
  known: KnownRates,
  series: SeriesCase,
  today: Day,
  command: HeldCommand | null,
  tally: Tally,
): void {
  const { rows, said, held, memory } = series;
  // Where nothing stands and no route said anything before, nothing can be lost.
  if (rows.length > 0 || !memory.isEmpty()) addLosses(series, standingDays(known, rows), tally);
  const walk: Walk = { series, today, tally, isLate: latenessIn(known, series), before: null, saidAt: 0 };
  const dateOf = (row: Row | undefined) =>
    row === undefined ? Infinity : (known.observations.date[row] as Day);
  const standingOf = (row: Row | undefined) => (row === undefined ? null : standingAt(known, row));
  const here: DayCase = {
    day: 0,
    sayings: [],
    standing: null,
    after: null,
    heldBefore: null,
    current: null,
    held: null,
    judged: false,
    nextRevision: 1,
    isFirst: true,
  };
  let [rowAt, heldAt] = [0, 0];

  while (walk.saidAt < said.length || heldAt < held.length) {
    const day = Math.min(said[walk.saidAt]?.key.date ?? Infinity, held[heldAt]?.date ?? Infinity);
    for (; dateOf(rows[rowAt]) < day; rowAt++) believeFrom(walk, standingOf(rows[rowAt]));
    here.day = day;
    here.standing = dateOf(rows[rowAt]) === day ? standingOf(rows[rowAt++]) : null;
    here.sayings.length = 0;
    while (said[walk.saidAt]?.key.date === day) here.sayings.push(said[walk.saidAt++] as Saying);
    here.heldBefore = held[heldAt]?.date === day ? (held[heldAt] as Held) : null;
    while (held[heldAt]?.date === day) heldAt++;
    here.after = standingOf(rows[rowAt]);
    believeFrom(walk, judgeDay(walk, here, command));
  }
}

function believeFrom(walk: Walk, stands: Neighbour | null): void {
  if (stands !== null) walk.before = stands;
}

/** Returns what stands for the day afterwards, or null. */
function judgeDay(walk: Walk, here: DayCase, command: HeldCommand | null): Current | null {
  const { series } = walk;
  const { day, standing, sayings } = here;
  // A revision that is not above the standing one was written by a commit that never finished: it is not past.
  const past = (series.past.get(day) ?? []).filter(
    (old) => standing === null || old.revision < standing.revision,
  );
  here.current = standing;
  here.held = here.heldBefore;
  here.judged = false;
  here.nextRevision = Math.max(standing?.revision ?? 0, past.at(-1)?.revision ?? 0) + 1;
  here.isFirst = standing === null && past.length === 0;
  if (repeatsWhatStands(walk, here)) return standing;
  const only = here.isFirst && sayings.length === 1 ? (sayings[0] as Saying) : null;
  if (only !== null) judgeSaying(walk, here, only);
  else if (sayings.length > 0) judgeWords(walk, here, past);
  settleHeld(walk, here, command);
  if (only === null || here.current === null || !series.memory.isEmpty())
    series.memory.settle(day, statedOf(standing), statedOf(here.current), saidNow(sayings));
  return here.current;
}

/** The usual case of a document that is read again, without the cost of the others. */
function repeatsWhatStands({ series, tally }: Walk, { day, standing, sayings, held }: DayCase): boolean {
  const figure = sayings.length === 1 ? sayings[0]?.figure : null;
  if (standing === null || held !== null || figure == null || figure.publishedAt !== null) return false;
  if (series.memory.hasDay(day)) return false;
  if (canonicalPrinted(figure.printed) !== canonicalOf(standing.units, standing.scale)) return false;
  tally.unchanged += 1;
  return true;
}

function judgeWords(walk: Walk, here: DayCase, past: Parameters<typeof newsOf>[3]): void {
  const { series, tally } = walk;
  const { day, standing } = here;
  const stood = statedOf(standing);
  const words = wordsOf(here.sayings);
  const said = saidNow(here.sayings);
  let isNews = false;
  for (const word of words) {
    const { current } = here;
    const stands =
      current === null
        ? null
        : {
            value: canonicalOf(current.units, current.scale),
            publishedAt: current.publishedAt,
            retrievedAt: current.retrievedAt,
          };
    const news = newsOf(series, word, { day, stood, standing: stands, said }, past);
    tally.unchanged += word.sayings.length - news.length;
    for (const saying of news) judgeSaying(walk, here, saying);
    isNews ||= news.length > 0;
  }
  if (isNews || standing === null) return;
  const value = statedOf(standing).value;
  for (const { events, stated } of words) {
    completePublication(walk, events, standing);
    // A route says what stands: what is held for the day is refuted. Should its own route be confirmed later, that is news then.
    if (stated.value === value) here.held = null;
  }
}

/** Whether some route, but for the one that is left out, says what is held. */
function isHeldStated({ series }: Walk, { day, held, sayings }: DayCase, but: string): boolean {
  if (held === null) return false;
  const routes = routesSaying(series, day, saidNow(sayings), canonicalPrinted(held.printed));
  return routes.some((route) => route !== but);
}

/** One statement that is news: believed, held, or a withdrawal. */
function judgeSaying(walk: Walk, here: DayCase, { figure, key, provenance, route }: Saying): void {
  const { series, tally } = walk;
  if (figure === null) {
    if (here.current !== null) {
      const withdrawal = { ...keyOf(key), publishedAt: key.publishedAt };
      tally.withdrawn.push({ ...provenance, ...withdrawal, revision: here.current.revision });
    }
    here.current = null;
    if (!isHeldStated(walk, here, route)) here.held = null;
    return;
  }
  const printed = readPrinted(figure.printed);
  const late = here.isFirst && figure.publishedAt === null && walk.isLate(figure.date);
  const dated = late ? { ...figure, publishedAt: provenance.retrievedAt } : figure;
  const objection = objectTo(walk, dated, printed, {
    replaced: here.current,
    after: here.after,
    mayLookAhead: true,
  });
  if (objection === null) {
    believe(walk, here, dated, provenance, printed as Printed);
    return;
  }
  const same = sameHeld(here.held, figure);
  const held = same ?? heldOf(series, dated, provenance, objection);
  here.held = held;
  here.judged = true;
  if (!MOVE_RULES.has(held.rule)) return;
  const value = canonicalPrinted(figure.printed);
  if (!canConfirm(routesSaying(series, here.day, saidNow(here.sayings), value), route)) return;
  if (same !== null) tally.released.push(same);
  believe(
    walk,
    here,
    { ...held, publishedAt: held.publishedAt ?? figure.publishedAt },
    held,
    printed as Printed,
  );
}

/** What becomes of the held figure of the day when everything was said. */
function settleHeld(walk: Walk, here: DayCase, command: HeldCommand | null): void {
  const { tally } = walk;
  const { held, heldBefore } = here;
  if (held === null) return;
  const ordered = command !== null && isAbout(command, held);
  if (ordered && command.action === "discard") return;
  const overruled = ordered && RELEASABLE_RULES.has(held.rule);
  // Only a move can become believable by what came later; a wrong date or digit needs a document that says it again.
  if (overruled || (!here.judged && MOVE_RULES.has(held.rule) && isBelievableNow(walk, here, held))) {
    tally.released.push(held);
    believe(walk, here, held, held, readPrinted(held.printed) as Printed);
    return;
  }
  tally.held.push(held);
  if (held !== heldBefore) tally.newlyHeld.push(held);
}

/** Takes the figure down as an observation, which then stands for the day. */
function believe(
  { series, tally }: Walk,
  here: DayCase,
  figure: Parameters<typeof observationOf>[1],
  provenance: Parameters<typeof observationOf>[2],
  { units, scale, value }: Printed,
): void {
  const revision = here.nextRevision++;
  const observation = observationOf(series, figure, provenance, revision);
  tally.accepted.push(observation);
  if (revision > 1) tally.revised.push(observation);
  const { date: day, publishedAt } = figure;
  const { retrievedAt } = provenance;
  here.current = { day, value, units, scale, publishedAt, firstSeen: false, revision, retrievedAt };
  here.held = null;
}

/** Whether a figure that was held before goes with what is known now: the believed values around it, or two routes that say it. */
function isBelievableNow(walk: Walk, here: DayCase, held: Held): boolean {
  const { current: replaced, after } = here;
  const setting = { replaced, after, mayLookAhead: false };
  return objectTo(walk, held, readPrinted(held.printed), setting) === null;
}

/** Same value, but the document knows when it was published: the row is completed, its revision stays. */
function completePublication(
  { series, tally }: Walk,
  events: ReturnType<typeof wordsOf>[number]["events"],
  current: Current,
): void {
  if (current.publishedAt !== null || current.firstSeen) return;
  const { value } = statedOf(current);
  const dated = events.findLast((event) => event.publishedAt !== null && event.value === value);
  if (dated?.figure == null) return;
  tally.accepted.push(observationOf(series, dated.figure, dated, current.revision));
  tally.completed += 1;
}

function sameHeld(held: Held | null, figure: { readonly printed: string }): Held | null {
  return held !== null && canonicalPrinted(held.printed) === canonicalPrinted(figure.printed) ? held : null;
}
