/** Judges documents: which of their figures become observations, which are held, and which are known already. */

import {
  CURRENCY_CODES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyIndex,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { Day } from "#domain/time/day.ts";
import { addLosses, DocumentChanges, type DocumentExtents, noteAbsence } from "./documents.ts";
import { judgeDay, type SeriesPass } from "./judge-day.ts";
import type {
  Acceptance,
  DocumentReading,
  FigureKey,
  HeldCommand,
  KnownRates,
  Report,
  SeriesCase,
  SeriesExtent,
  Tally,
} from "./judgement.ts";
import { currentAt, latenessIn } from "./plausibility.ts";
import { byRouteAndSeries, byText, kindOfRoute, RouteMemory, type Statement } from "./statements.ts";

export interface AcceptOptions {
  readonly command?: HeldCommand | null;
  /** Kinds of routes that can be asked. Where there is no other kind, a few unconfirmed changes of a document are believed. */
  readonly kinds?: readonly string[];
}

/**
 * Judges documents of one source against the record: each as a whole first (documents.ts), then every series by ascending day. A
 * candidate is compared with the last believed value before it, else with the next; a revision also with the value that it replaces.
 * A move that is too large is held until another kind of route states it, or the value before it makes it plausible; later figures
 * that repeat it are no evidence. A current value changes only where another kind of route states the new one, or the document dates
 * it later (proof.ts). A document that covers a day without its figure claims a withdrawal. A new value replaces a held one. `today`
 * is the UTC day of the retrieval. Pure; a second judgement of the same documents changes nothing.
 */
export function accept(
  rates: KnownRates,
  source: DailySource,
  documents: Iterable<DocumentReading>,
  today: Day,
  { command = null, kinds = [] }: AcceptOptions = {},
): Acceptance {
  const tally: Tally = {
    accepted: [],
    withdrawn: [],
    held: rates.held.filter((held) => held.source !== source),
    newlyHeld: [],
    released: [],
    revised: [],
    torn: [],
    completed: 0,
    unchanged: 0,
  };
  const statements = rates.statements.filter((statement) => statement.source !== source);
  const { cases, extents, oldCopies } = casesBySeries(rates, source, documents);
  const trust = new DocumentChanges(oldCopies);
  for (const series of cases) {
    noteAbsence(rates, series, extents);
    addLosses(rates, series, extents, tally);
    trust.count(rates, series);
  }
  const canAsk = (route: string) => kinds.some((kind) => kind !== kindOfRoute(route));
  for (const series of cases) {
    if (series.reports.length > 0 || series.held.length > 0) {
      const isLate = latenessIn(rates, series);
      const pass = { series, today, tally, documents: trust, canAsk, isLate, before: null, reportAt: 0 };
      judgeSeries(rates, pass, command);
      series.reports.length = 0;
    }
    for (const { route, first, last, isComplete } of series.extents)
      if (isComplete) series.memory.addSpan(route, { first, last });
    statements.push(...series.memory.rows(series));
  }
  tally.held.sort(byKey);
  const distrusted = trust.distrusted().map(([provenance]) => ({
    route: extents.get(provenance)?.route ?? "",
    document: provenance.document,
    reason: trust.distrust(provenance) ?? "",
  }));
  return { ...tally, distrusted, statements: statements.sort(byRouteAndSeries) };
}

/** Routes of documents that change so much that another kind of route should confirm them, each with its claims' days, ascending. */
export function documentsToVouchFor(
  rates: KnownRates,
  source: DailySource,
  documents: readonly DocumentReading[],
): readonly { readonly route: string; readonly days: readonly Day[] }[] {
  const { cases, extents, oldCopies } = casesBySeries(rates, source, documents);
  const trust = new DocumentChanges(oldCopies);
  for (const series of cases) trust.count(rates, series);
  return trust.distrusted().flatMap(([provenance, days]) => {
    const route = extents.get(provenance)?.route;
    return route === undefined ? [] : [{ route, days }];
  });
}

/** Sorts as the lake's list does: the store recognizes an unchanged list. */
function byKey(a: HeldFigure, b: HeldFigure): number {
  return (
    DAILY_SOURCES.indexOf(a.source) - DAILY_SOURCES.indexOf(b.source) ||
    a.date - b.date ||
    byText(a.base, b.base) ||
    byText(a.quote, b.quote)
  );
}

/** Codes are below 31, so a pair fits one small integer. */
const pairOf = (base: CurrencyIndex, quote: CurrencyIndex) => (base + 1) * 64 + quote + 1;

function casesBySeries(
  rates: KnownRates,
  source: DailySource,
  documents: Iterable<DocumentReading>,
): {
  readonly cases: readonly SeriesCase[];
  readonly extents: DocumentExtents;
  readonly oldCopies: ReadonlySet<Provenance>;
} {
  const drafts = new Map<number, SeriesCase>();
  const draftAt = (pair: number, { base, quote }: Pick<FigureKey, "base" | "quote">): SeriesCase => {
    const draft = drafts.get(pair) ?? newSeries(source, base, quote);
    drafts.set(pair, draft);
    return draft;
  };
  const draftOf = (key: Pick<FigureKey, "base" | "quote">) =>
    draftAt(pairOf(currencyIndex(key.base), currencyIndex(key.quote)), key);

  const { count, source: sources, base, quote } = rates.observations;
  const number = DAILY_SOURCES.indexOf(source);
  for (let row = 0; row < count; row++) {
    if (sources[row] !== number) continue;
    const [from, to] = [base[row] as number, quote[row] as number];
    draftAt(pairOf(from, to), {
      base: CURRENCY_CODES[from] as CurrencyCode,
      quote: CURRENCY_CODES[to] as CurrencyCode,
    }).rows.push(row);
  }
  const documentExtents = new Map<Provenance, { route: string; first: Day; last: Day; count: number }>();
  const oldCopies = new Set<Provenance>();
  for (const { provenance, route, figures, withdrawals, isOldCopy = false } of documents) {
    if (isOldCopy) oldCopies.add(provenance);
    // Figures are in ascending order of date.
    const [first, last] = [figures[0]?.date, figures.at(-1)?.date];
    if (first !== undefined && last !== undefined && !isOldCopy) {
      const pairs = figures.filter(({ date }) => date === last).map(({ base, quote }) => base + quote);
      documentExtents.set(provenance, { route, first, last, count: new Set(pairs).size });
    }
    for (const figure of figures) {
      const { reports, extents } = draftOf(figure);
      reports.push({ route, key: figure, figure, provenance });
      if (!isOldCopy) widen(extents, provenance, route, figure.date);
    }
    for (const key of withdrawals) draftOf(key).reports.push({ route, key, figure: null, provenance });
  }
  for (const [pair, rows] of statementsByPair(rates.statements, source)) {
    draftAt(pair, rows[0] as Statement).memory = new RouteMemory(rows);
  }
  for (const one of rates.held) if (one.source === source) draftOf(one).held.push(one);
  for (const old of rates.superseded) {
    if (old.source !== source) continue;
    const { past } = draftOf(old);
    const sameDay = past.get(old.date);
    if (sameDay === undefined) past.set(old.date, [old]);
    else sameDay.push(old);
  }
  for (const [pair, draft] of drafts) {
    const opposite = (pair % 64) * 64 + Math.floor(pair / 64);
    draft.reversed = draft.rows.length === 0 && (drafts.get(opposite)?.rows.length ?? 0) > 0;
    draft.reports.sort(byDayThenPublication);
    draft.held.sort((a, b) => a.date - b.date);
  }
  return { cases: [...drafts.values()], extents: documentExtents, oldCopies };
}

function newSeries(source: DailySource, base: CurrencyCode, quote: CurrencyCode): SeriesCase {
  return {
    ...{ source, base, quote, reversed: false, memory: new RouteMemory([]) },
    ...{ rows: [], reports: [], held: [], extents: [], past: new Map() },
  };
}

function widen(extents: SeriesExtent[], provenance: Provenance, route: string, day: Day): void {
  const last = extents.at(-1);
  if (last?.provenance !== provenance) {
    extents.push({ provenance, route, first: day, last: day, isComplete: true });
    return;
  }
  if (day < last.first) last.first = day;
  if (day > last.last) last.last = day;
}

function statementsByPair(rows: readonly Statement[], source: DailySource): Map<number, Statement[]> {
  const own = rows.filter((row) => row.source === source);
  return Map.groupBy(own, ({ base, quote }) => pairOf(currencyIndex(base), currencyIndex(quote)));
}

/** Relies on a stable sort: versions without an instant keep the document's order. A dated withdrawal comes after earlier versions. */
function byDayThenPublication(a: Report, b: Report): number {
  if (a.key.date !== b.key.date) return a.key.date - b.key.date;
  if (a.key.publishedAt === null || b.key.publishedAt === null) return 0;
  return a.key.publishedAt - b.key.publishedAt;
}

/** Judges every day with a report or a held figure. Results go to the pass's tally, routes' statements to the series' memory. */
function judgeSeries(rates: KnownRates, pass: SeriesPass, command: HeldCommand | null): void {
  const { rows, reports, held } = pass.series;
  const documents = [...new Set(pass.series.extents.map(({ provenance }) => provenance))];
  const notedFrom = new Map(documents.map((one) => [one, pass.documents.notedFrom(one, pass.series)]));
  const dateOf = (row: Row | undefined) =>
    row === undefined ? Infinity : (rates.observations.date[row] as Day);
  const currentOf = (row: Row | undefined) => (row === undefined ? null : currentAt(rates, row));
  let [rowAt, heldAt] = [0, 0];

  while (pass.reportAt < reports.length || heldAt < held.length) {
    const day = Math.min(reports[pass.reportAt]?.key.date ?? Infinity, held[heldAt]?.date ?? Infinity);
    for (; dateOf(rows[rowAt]) < day; rowAt++) pass.before = currentOf(rows[rowAt]);
    const initial = dateOf(rows[rowAt]) === day ? currentOf(rows[rowAt++]) : null;
    const ofDay: Report[] = [];
    for (; reports[pass.reportAt]?.key.date === day; pass.reportAt++) {
      const report = reports[pass.reportAt] as Report;
      const from = notedFrom.get(report.provenance) ?? null;
      if (from === null || day >= (initial === null ? from.firsts : from.changes)) ofDay.push(report);
    }
    const heldBefore = held[heldAt]?.date === day ? (held[heldAt] as HeldFigure) : null;
    while (held[heldAt]?.date === day) heldAt++;
    const dayReports = { day, reports: ofDay, initial, after: currentOf(rows[rowAt]), heldBefore };
    pass.before = judgeDay(pass, dayReports, command) ?? pass.before;
  }
}
