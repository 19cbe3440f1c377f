/** Judges one day of a series: what its reports change, and what happens to a figure held for that day. */

import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import { type Current, statedOf } from "./current.ts";
import { type HeldCommand, heldOf, isAbout, keyOf, observationOf, type Report } from "./judgement.ts";
import { canConfirm, lastStatements, newsOf, reportsByRoute, routesStating } from "./news.ts";
import { type Neighbour, objectTo, type SeriesPass } from "./plausibility.ts";
import { canonicalOf, canonicalPrinted, type Printed, readPrinted } from "./printed.ts";
import type { SupersededObservation, VersionEvent } from "./revision.ts";
import { MOVE_RULES, RELEASABLE_RULES } from "./rules.ts";

/** Everything about one day. One object serves all days, because a history has 180,000 of them. */
interface DayCase {
  day: Day;
  readonly reports: Report[];
  /** The value before this collection. */
  initial: Current | null;
  /** The next current value after the day. */
  after: Neighbour | null;
  heldBefore: HeldFigure | null;
  /** The current value and the held figure, as the reports of the day change them. */
  current: Current | null;
  held: HeldFigure | null;
  /** True once a report of the day was found implausible. */
  isDoubted: boolean;
  nextRevision: number;
  /** Nothing was known of the figure. */
  isFirst: boolean;
}

export function newDayCase(): DayCase {
  return {
    day: 0,
    reports: [],
    initial: null,
    after: null,
    heldBefore: null,
    current: null,
    held: null,
    isDoubted: false,
    nextRevision: 1,
    isFirst: true,
  };
}

/** Returns the day's value after its judgement, or null. The caller has set the day, its reports, and the values before it. */
export function judgeDay(pass: SeriesPass, here: DayCase, command: HeldCommand | null): Current | null {
  const { memory } = pass.series;
  const { day, initial, reports } = here;
  const past = begin(pass, here);
  if (repeatsInitial(pass, here)) return initial;
  const only = here.isFirst && reports.length === 1 ? (reports[0] as Report) : null;
  if (only !== null) judgeReport(pass, here, only);
  else if (reports.length > 0) judgeRoutes(pass, here, past);
  settleHeld(pass, here, command);
  if (only === null || here.current === null || !memory.isEmpty())
    memory.update(day, statedOf(initial), statedOf(here.current), lastStatements(reports));
  return here.current;
}

/** Sets the rest of the case; returns the figure's superseded revisions. */
function begin({ series }: SeriesPass, here: DayCase): readonly SupersededObservation[] {
  const { day, initial } = here;
  // A revision that is not below the current one was written by a commit that never finished: it is not past.
  const past = (series.past.get(day) ?? []).filter(
    (old) => initial === null || old.revision < initial.revision,
  );
  here.current = initial;
  here.held = here.heldBefore;
  here.isDoubted = false;
  here.nextRevision = Math.max(initial?.revision ?? 0, past.at(-1)?.revision ?? 0) + 1;
  here.isFirst = initial === null && past.length === 0;
  return past;
}

/** The usual case of a document that is read again, without the cost of the others. */
function repeatsInitial({ series, tally }: SeriesPass, { day, initial, reports, held }: DayCase): boolean {
  const figure = reports.length === 1 ? reports[0]?.figure : null;
  if (initial === null || held !== null || figure == null || figure.publishedAt !== null) return false;
  if (series.memory.hasDay(day)) return false;
  if (canonicalPrinted(figure.printed) !== canonicalOf(initial.units, initial.scale)) return false;
  tally.unchanged += 1;
  return true;
}

/** Route by route: what is new in its reports is judged, the rest is counted. */
function judgeRoutes(pass: SeriesPass, here: DayCase, past: readonly SupersededObservation[]): void {
  const { series, tally } = pass;
  const { day, initial } = here;
  const before = statedOf(initial);
  const routes = reportsByRoute(here.reports);
  const stated = lastStatements(here.reports);
  let hasNews = false;
  for (const own of routes) {
    const known = { day, before, current: currentValue(here.current), stated };
    const news = newsOf(series, own, known, past);
    tally.unchanged += own.reports.length - news.length;
    for (const report of news) judgeReport(pass, here, report);
    hasNews ||= news.length > 0;
  }
  if (hasNews || initial === null) return;
  for (const { events, stated: own } of routes) {
    completePublication(pass, events, initial);
    // A route states the current value: the held figure is refuted. Should its own route be confirmed later, that is new then.
    if (own.value === before.value) here.held = null;
  }
}

function currentValue(current: Current | null) {
  if (current === null) return null;
  const { units, scale, publishedAt, retrievedAt } = current;
  return { value: canonicalOf(units, scale), publishedAt, retrievedAt };
}

/** One report that is new: a withdrawal, a figure that is believed, or one that is held. */
function judgeReport(pass: SeriesPass, here: DayCase, report: Report): void {
  const { figure, provenance, route } = report;
  if (figure === null) {
    withdraw(pass, here, report);
    return;
  }
  const printed = readPrinted(figure.printed);
  const isLate = here.isFirst && figure.publishedAt === null && pass.isLate(figure.date);
  const dated = isLate ? { ...figure, publishedAt: provenance.retrievedAt } : figure;
  const around = { replaced: here.current, after: here.after, mayLookAhead: true };
  const objection = objectTo(pass, dated, printed, around);
  if (objection === null) {
    believe(pass, here, dated, provenance, printed as Printed);
    return;
  }
  const value = canonicalPrinted(figure.printed);
  const same = here.held !== null && canonicalPrinted(here.held.printed) === value ? here.held : null;
  const held = same ?? heldOf(pass.series, dated, provenance, objection);
  here.held = held;
  here.isDoubted = true;
  if (!MOVE_RULES.has(held.rule) || !canConfirm(routesOf(pass, here, value), route)) return;
  if (same !== null) pass.tally.released.push(same);
  const confirmed = { ...held, publishedAt: held.publishedAt ?? figure.publishedAt };
  believe(pass, here, confirmed, held, printed as Printed);
}

function withdraw(pass: SeriesPass, here: DayCase, { key, provenance, route }: Report): void {
  const { current, held } = here;
  if (current !== null) {
    const withdrawal = { ...keyOf(key), publishedAt: key.publishedAt, revision: current.revision };
    pass.tally.withdrawn.push({ ...provenance, ...withdrawal });
  }
  here.current = null;
  // A held figure stays where another route states it.
  const stating = held === null ? [] : routesOf(pass, here, canonicalPrinted(held.printed));
  if (!stating.some((other) => other !== route)) here.held = null;
}

/** Routes that state a value of the day. */
function routesOf({ series }: SeriesPass, { day, reports }: DayCase, value: string): readonly string[] {
  return routesStating(series, day, lastStatements(reports), value);
}

/** What becomes of the held figure of the day after all reports. */
function settleHeld(pass: SeriesPass, here: DayCase, command: HeldCommand | null): void {
  const { tally } = pass;
  const { held, heldBefore } = here;
  if (held === null) return;
  const ordered = command !== null && isAbout(command, held) ? command.action : null;
  if (ordered === "discard") return;
  const isOverruled = ordered === "release" && RELEASABLE_RULES.has(held.rule);
  if (isOverruled || isPlausibleNow(pass, here, held)) {
    tally.released.push(held);
    believe(pass, here, held, held, readPrinted(held.printed) as Printed);
    return;
  }
  tally.held.push(held);
  if (held !== heldBefore) tally.newlyHeld.push(held);
}

/** Only a move can become plausible by the values around it; a wrong date or digit needs a document that states it again. */
function isPlausibleNow(pass: SeriesPass, here: DayCase, held: HeldFigure): boolean {
  if (here.isDoubted || !MOVE_RULES.has(held.rule)) return false;
  const around = { replaced: here.current, after: here.after, mayLookAhead: false };
  return objectTo(pass, held, readPrinted(held.printed), around) === null;
}

/** Records the figure as an observation, which is then the current value of the day. */
function believe(
  { series, tally }: SeriesPass,
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

/** The same value from a document that states when it was published: the row is completed, its revision stays. */
function completePublication(
  { series, tally }: SeriesPass,
  events: readonly VersionEvent[],
  current: Current,
): void {
  if (current.publishedAt !== null || current.firstSeen) return;
  const { value } = statedOf(current);
  const dated = events.findLast((event) => event.publishedAt !== null && event.value === value);
  if (dated?.figure == null) return;
  tally.accepted.push(observationOf(series, dated.figure, dated, current.revision));
  tally.completed += 1;
}
