/** Judges one day of a series: what its reports change, and what happens to a figure held for that day. */

import type { Figure } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import type { DocumentChanges } from "./documents.ts";
import {
  type CurrentValue,
  type HeldCommand,
  heldOf,
  isAbout,
  keyOf,
  observationOf,
  type Report,
  type SupersededObservation,
  type Tally,
  valueIn,
} from "./judgement.ts";
import {
  type Current,
  currentValueOf,
  type Neighbour,
  objectTo,
  type SeriesWalk,
  statedOf,
} from "./plausibility.ts";
import {
  CONFIRMABLE_RULES,
  canonicalOf,
  canonicalPrinted,
  MOVE_RULES,
  type Objection,
  type Printed,
  RELEASABLE_RULES,
  readPrinted,
} from "./printed.ts";
import {
  type Claim,
  canConfirm,
  claimOf,
  isOldCopy,
  lastStatements,
  type RouteReports,
  reportsByRoute,
  routesStating,
  routesWithout,
} from "./proof.ts";
import { kindOfRoute, type Stated } from "./statements.ts";

export interface SeriesPass extends SeriesWalk {
  readonly tally: Tally;
  /** Whether this server retrieved the day's documents after the scheduled publication without finding a figure. */
  readonly isLate: (day: Day) => boolean;
  readonly documents: DocumentChanges;
  /** Whether a route of another kind can be asked to confirm what this one states. */
  readonly canAsk: (route: string) => boolean;
}

interface DayReports {
  readonly day: Day;
  readonly reports: readonly Report[];
  readonly initial: Current | null;
  readonly after: Neighbour | null;
  readonly heldBefore: HeldFigure | null;
}

interface DayCase extends DayReports {
  /** The current value and the held figure, as the reports of the day change them. */
  current: Current | null;
  held: HeldFigure | null;
  isDoubted: boolean;
  nextRevision: number;
  /** True where no value of the figure was known before. */
  readonly isFirst: boolean;
}

/** Returns the day's value after its judgement, or null. */
export function judgeDay(pass: SeriesPass, input: DayReports, command: HeldCommand | null): Current | null {
  const { memory } = pass.series;
  const { day, initial, reports } = input;
  // Superseded rows at or above the current revision are left over from a commit that never finished.
  const past = (pass.series.past.get(day) ?? []).filter(
    (old) => initial === null || old.revision < initial.revision,
  );
  const here: DayCase = {
    ...input,
    current: initial,
    held: input.heldBefore,
    isDoubted: false,
    nextRevision: Math.max(initial?.revision ?? 0, past.at(-1)?.revision ?? 0) + 1,
    isFirst: initial === null && past.length === 0,
  };
  if (repeatsInitial(pass, here)) return initial;
  const only = here.isFirst && reports.length === 1 ? (reports[0] as Report) : null;
  let stated = NOTHING_FROM_ROUTES;
  if (only !== null) {
    judgeReport(pass, here, only, false);
    if (here.current === null || !memory.isEmpty()) stated = lastStatements(reports);
    // The usual case of a first history: the only statement is the current value, so nothing is noted.
    else if (here.held === null) return here.current;
  } else if (reports.length > 0) {
    stated = judgeRoutes(pass, here, past.at(-1) ?? null);
  }
  settleHeld(pass, here, command);
  if (stated.size > 0 || here.current !== initial)
    memory.update(day, statedOf(initial), statedOf(here.current), stated);
  return here.current;
}

/** Shared by all days: a first history has 180,000 figures. */
const NOTHING_FROM_ROUTES: ReadonlyMap<string, Stated> = new Map();

/** Whether a single undated report repeats the current value: the usual case of a document that is read again, decided cheaply. */
function repeatsInitial({ series, tally }: SeriesPass, { day, initial, reports, held }: DayCase): boolean {
  const figure = reports.length === 1 ? reports[0]?.figure : null;
  if (initial === null || held !== null || figure == null || figure.publishedAt !== null) return false;
  if (series.memory.hasDay(day)) return false;
  if (canonicalPrinted(figure.printed) !== canonicalOf(initial.units, initial.scale)) return false;
  tally.unchanged += 1;
  return true;
}

/**
 * Takes the reports route by route: proven claims against the current value are judged, others are held. Returns what each route
 * states. `ended`: the last superseded revision.
 */
function judgeRoutes(
  pass: SeriesPass,
  here: DayCase,
  ended: SupersededObservation | null,
): ReadonlyMap<string, Stated> {
  const { series, tally } = pass;
  const { day, initial } = here;
  const routes = reportsByRoute(here.reports);
  // Dated reports first: an old copy among them confirms no other, and a confirmed value has its publication instant.
  const isUndated = ({ reports }: RouteReports) =>
    Number((reports.at(-1) as Report).key.publishedAt === null);
  if (initial !== null) routes.sort((a, b) => isUndated(a) - isUndated(b));
  const stated = lastStatements(here.reports);
  for (const ofRoute of routes) {
    const { route, reports } = ofRoute;
    const current = currentOf(here, ended);
    if (current === null) {
      const isConfirmed = canConfirm(routesStating(series, day, stated, ofRoute.stated.value), route);
      for (const report of reports) judgeReport(pass, here, report, isConfirmed);
      continue;
    }
    const { provenance } = reports.at(-1) as Report;
    if (isOldCopy(reports, current) || pass.documents.isOldCopy(provenance)) {
      stated.delete(route);
      tally.unchanged += reports.length;
      continue;
    }
    const claim = claimOf(series, ofRoute, day, current, stated);
    tally.unchanged += reports.length - (claim?.reports.length ?? 0);
    if (claim !== null) judgeClaim(pass, here, ofRoute, claim);
  }
  if (here.isFirst) return stated;
  if (initial !== null)
    for (const { reports } of routes) completePublication(pass, reports, initial, here.current);
  // A route that states the current value refutes a held revision. If the revision is confirmed later, it is judged as a new one.
  const { value } = statedOf(here.current);
  if (here.held !== null && [...stated.values()].some((own) => own.value === value)) here.held = null;
  return stated;
}

function currentOf({ current }: DayCase, ended: SupersededObservation | null): CurrentValue | null {
  if (current !== null) return currentValueOf(current);
  return ended === null ? null : { value: "", publishedAt: null, since: ended.supersededAt };
}

/** Judges the reports of a proven claim. Holds an unproven claim, unless it withdraws, is held, or repeats the route's last statement. */
function judgeClaim(pass: SeriesPass, here: DayCase, { route, stated }: RouteReports, claim: Claim): void {
  const { series, tally } = pass;
  const last = claim.reports.at(-1) as Report;
  const distrust = pass.documents.distrust(last.provenance);
  const held = here.held;
  const repeatsHeld = held !== null && canonicalPrinted(held.printed) === stated.value;
  const earlier = series.memory.before(route, here.day, statedOf(here.initial));
  const changesItself = earlier?.value === statedOf(here.current).value;
  const isAlone =
    (changesItself || repeatsHeld) && !pass.canAsk(route) && pass.documents.isSmall(last.provenance);
  const isProven = claim.proof === "other kind" || pass.documents.isVouchedFor(last.provenance);
  if (isProven || (distrust === null && (claim.proof === "date" || isAlone))) {
    for (const report of claim.reports) judgeReport(pass, here, report, claim.proof === "other kind");
    return;
  }
  tally.unchanged += claim.reports.length;
  if (last.figure === null) dropRetracted(pass, here, route);
  if (last.figure === null || repeatsHeld || earlier?.value === stated.value) return;
  const current = here.current === null ? "a withdrawal" : statedOf(here.current).printed;
  const because = distrust === null ? "" : `${distrust}, and `;
  here.held = heldOf(series, last.figure, last.provenance, {
    rule: "unconfirmed_revision",
    reason: `${last.figure.printed} would replace ${current}: ${because}no route of another kind states it`,
  });
}

function judgeReport(pass: SeriesPass, here: DayCase, report: Report, isConfirmed: boolean): void {
  const { figure, provenance } = report;
  if (figure === null) {
    withdraw(pass, here, report);
    return;
  }
  const printed = readPrinted(figure.printed);
  const isLate = here.isFirst && figure.publishedAt === null && pass.isLate(figure.date);
  const dated = isLate ? { ...figure, publishedAt: provenance.retrievedAt } : figure;
  const around = { replaced: here.current, after: here.after, mayLookAhead: true };
  const objection =
    objectTo(pass, dated, printed, around) ??
    distrustOf(pass, here, report) ??
    absenceOf(pass, here, figure.printed, report.route) ??
    lonelyMoveOf(pass, here, figure, report.route);
  const stated = canonicalPrinted(figure.printed);
  const same = here.held !== null && canonicalPrinted(here.held.printed) === stated ? here.held : null;
  if (objection !== null) {
    here.isDoubted = true;
    const canRelease = isConfirmed || canConfirm(routesOf(pass, here, stated), report.route);
    if (!canRelease || !CONFIRMABLE_RULES.has(objection.rule)) {
      here.held = same ?? heldOf(pass.series, dated, provenance, objection);
      return;
    }
  }
  if (same === null) {
    believe(pass, here, dated, provenance, printed as Printed);
    return;
  }
  pass.tally.released.push(same);
  believe(
    pass,
    here,
    { ...same, publishedAt: same.publishedAt ?? figure.publishedAt },
    same,
    printed as Printed,
  );
}

function distrustOf(
  { documents }: SeriesPass,
  { current }: DayCase,
  { provenance }: Report,
): Objection | null {
  const distrust = current === null ? documents.distrust(provenance) : null;
  return distrust === null
    ? null
    : { rule: "distrusted_document", reason: `${distrust}, which no route of another kind states` };
}

/** The objection against a first value that only one kind of route has, where a document of another kind lacks it. */
function absenceOf(pass: SeriesPass, here: DayCase, printed: string, ...routes: string[]): Objection | null {
  const { series } = pass;
  const { day, current, isFirst, reports } = here;
  if (!isFirst || current !== null) return null;
  // A first history: no route was read before, and no document lacks the figure.
  if (series.memory.isEmpty() && reports.every(({ figure }) => figure !== null)) return null;
  const without = routesWithout(series, day, lastStatements(reports));
  if (without.length === 0) return null;
  const stating = [...routes, ...routesOf(pass, here, canonicalPrinted(printed))];
  const kinds = new Set(stating.map(kindOfRoute));
  const route = without.find((other) => !kinds.has(kindOfRoute(other)));
  if (route === undefined) return null;
  const reason = `${printed} would be the first value of a day; ${route} has no value of it, and no route of another kind states it`;
  return { rule: "unconfirmed_revision", reason };
}

/** The factor by which a newest figure of one kind of route alone may move: since 1999 the ECB's moved by more on 12 days. */
const MOST_ALONE = 1.1;
const NEAR_DAYS = 4;

/** The objection against the newest figure of a series that has moved far, where a route of another kind can be asked about it. */
function lonelyMoveOf(
  { series, before, canAsk }: SeriesPass,
  { isFirst, current, after }: DayCase,
  { date, printed }: Figure,
  route: string,
): Objection | null {
  if (!isFirst || current !== null || after !== null || series.memory.isEmpty() || !canAsk(route))
    return null;
  if (before === null || date - before.day > NEAR_DAYS) return null;
  const ratio = Number(printed) / before.value;
  if (Math.max(ratio, 1 / ratio) <= MOST_ALONE) return null;
  const reason = `${printed} is ${ratio.toPrecision(4)} times the value before: beyond ${MOST_ALONE} either way, and no route of another kind states it`;
  return { rule: "unconfirmed_revision", reason };
}

function withdraw(pass: SeriesPass, here: DayCase, { key, provenance, route }: Report): void {
  const { current } = here;
  if (current !== null) {
    const withdrawal = { ...keyOf(key), publishedAt: key.publishedAt, revision: current.revision };
    pass.tally.withdrawn.push({ ...provenance, ...withdrawal });
  }
  here.current = null;
  dropRetracted(pass, here, route);
}

/** Drops a held figure that its kind of route no longer has, unless another kind states it. */
function dropRetracted(pass: SeriesPass, here: DayCase, route: string): void {
  const { held } = here;
  const stating = held === null ? [] : routesOf(pass, here, canonicalPrinted(held.printed));
  if (!canConfirm(stating, route)) here.held = null;
}

function routesOf({ series }: SeriesPass, { day, reports }: DayCase, value: string): readonly string[] {
  return routesStating(series, day, lastStatements(reports), value);
}

function settleHeld(pass: SeriesPass, here: DayCase, command: HeldCommand | null): void {
  const { tally } = pass;
  const { held, heldBefore } = here;
  if (held === null) return;
  const ordered = command !== null && isAbout(command, held) ? command : null;
  if (ordered?.action === "discard") return;
  const objection = ordered !== null && "document" in ordered ? objectionTo(pass, here, held) : null;
  const isOverruled = ordered !== null && objection === null && RELEASABLE_RULES.has(held.rule);
  if (isOverruled || isPlausibleNow(pass, here, held)) {
    tally.released.push(held);
    believe(pass, here, held, held, readPrinted(held.printed) as Printed);
    return;
  }
  if (objection !== null) here.held = { ...held, ...objection };
  tally.held.push(here.held as HeldFigure);
  if (here.held !== heldBefore) tally.newlyHeld.push(here.held as HeldFigure);
}

/** Only a move can become plausible by the values around it; a wrong date or digit needs a document that states it again. */
function isPlausibleNow(pass: SeriesPass, here: DayCase, figure: HeldFigure): boolean {
  if (here.isDoubted || !MOVE_RULES.has(figure.rule)) return false;
  return objectionTo(pass, here, figure) === null && absenceOf(pass, here, figure.printed) === null;
}

function objectionTo(pass: SeriesPass, here: DayCase, figure: HeldFigure): Objection | null {
  const around = { replaced: here.current, after: here.after, mayLookAhead: false };
  return objectTo(pass, figure, readPrinted(figure.printed), around);
}

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

/** Completes the row where a document dates the same value: it gets the publication instant and keeps its revision. */
function completePublication(
  { series, tally }: SeriesPass,
  reports: readonly Report[],
  current: Current,
  after: Current | null,
): void {
  if (after !== current || current.publishedAt !== null || current.firstSeen) return;
  const { value } = statedOf(current);
  const dated = reports.findLast((report) => report.key.publishedAt !== null && valueIn(report) === value);
  if (dated?.figure == null) return;
  tally.accepted.push(observationOf(series, dated.figure, dated.provenance, current.revision));
  tally.completed += 1;
}
