/** Ingest's judgement: which figures of intact documents become observations, which are held, which are nothing new. */

import {
  CURRENCY_CODES,
  type CurrencyCode,
  type CurrencyIndex,
  currencyIndex,
} from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Row } from "#domain/history/history.ts";
import type { Provenance } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import type {
  Acceptance,
  DocumentReading,
  Held,
  HeldCommand,
  KnownRates,
  Saying,
  SeriesCase,
  SpokenSeries,
  Tally,
} from "./judgement.ts";
import type { FigureKey, SupersededObservation } from "./revision.ts";
import { RouteMemory } from "./route-memory.ts";
import { walkSeries } from "./series-walk.ts";
import { byRouteAndSeries, type Statement } from "./statements.ts";

/**
 * Judges documents of one source against what is known. Every series is walked once by ascending day:
 * - a candidate is compared with the last believed value before it, else with the next one after it; a
 *   revision also with the value it replaces; the first figures of a series with each other;
 * - a move that is too large is held until another route states the same figure, or until the believed value before it makes
 *   it believable; that later figures repeat it is no evidence;
 * - what a route says is news only where the route did not say it before (see route-memory.ts), and a document that covers a
 *   date and lost its figure withdraws it (see series-losses.ts);
 * - a new value for a held figure is judged afresh and takes the held one's place.
 * Nothing of a document is held longer than its series is walked, so that a history that is handed over piece by piece
 * is not held twice; `walked` is told after each series how many statements it had. `today` is the UTC day of the clock at retrieval. Pure; judging the same documents again changes nothing.
 */
export function accept(
  known: KnownRates,
  source: DailySource,
  documents: Iterable<DocumentReading>,
  today: Day,
  command: HeldCommand | null = null,
  walked: (sayings: number) => void = () => {},
): Acceptance {
  const tally: Tally = {
    accepted: [],
    withdrawn: [],
    held: known.held.filter((held) => held.source !== source),
    newlyHeld: [],
    released: [],
    revised: [],
    torn: [],
    completed: 0,
    unchanged: 0,
  };
  const statements = known.statements.filter((statement) => statement.source !== source);
  const cases = casesBySeries(known, source, documents);
  for (const series of cases) {
    if (series.said.length > 0 || series.held.length > 0) {
      const sayings = series.said.length;
      walkSeries(known, series, today, command, tally);
      series.said.length = 0;
      walked(sayings);
    }
    for (const { route, first, last, whole } of series.spoken)
      if (whole) series.memory.read(route, { first, last });
    statements.push(...series.memory.rows(series));
  }
  tally.held.sort(byKey);
  return { ...tally, statements: statements.sort(byRouteAndSeries) };
}

/** The order of the lake's list, so that an unchanged list is recognized. */
function byKey(a: Held, b: Held): number {
  return (
    DAILY_SOURCES.indexOf(a.source) - DAILY_SOURCES.indexOf(b.source) ||
    a.date - b.date ||
    byText(a.base, b.base) ||
    byText(a.quote, b.quote)
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Codes are below 31, so a pair fits one small integer. */
const pairOf = (base: CurrencyIndex, quote: CurrencyIndex) => (base + 1) * 64 + quote + 1;

function casesBySeries(
  known: KnownRates,
  source: DailySource,
  documents: Iterable<DocumentReading>,
): Iterable<SeriesCase> {
  interface Draft extends SeriesCase {
    base: CurrencyCode;
    quote: CurrencyCode;
    reversed: boolean;
    readonly rows: Row[];
    readonly said: Saying[];
    readonly held: Held[];
    readonly spoken: SpokenSeries[];
    memory: RouteMemory;
    readonly past: Map<Day, SupersededObservation[]>;
  }
  const drafts = new Map<number, Draft>();
  const draftAt = (pair: number, key: Pick<FigureKey, "base" | "quote">): Draft => {
    let draft = drafts.get(pair);
    if (draft === undefined) {
      const { base, quote } = key;
      const memory = new RouteMemory([]);
      draft = {
        source,
        base,
        quote,
        reversed: false,
        rows: [],
        said: [],
        held: [],
        spoken: [],
        memory,
        past: new Map(),
      };
      drafts.set(pair, draft);
    }
    return draft;
  };
  const draftOf = (key: Pick<FigureKey, "base" | "quote">) =>
    draftAt(pairOf(currencyIndex(key.base), currencyIndex(key.quote)), key);

  const { count, source: sources, base, quote } = known.observations;
  const number = DAILY_SOURCES.indexOf(source);
  for (let row = 0; row < count; row++) {
    if (sources[row] !== number) continue;
    const [from, to] = [base[row] as number, quote[row] as number];
    draftAt(pairOf(from, to), {
      base: CURRENCY_CODES[from] as CurrencyCode,
      quote: CURRENCY_CODES[to] as CurrencyCode,
    }).rows.push(row);
  }
  for (const { provenance, route, figures, withdrawals } of documents) {
    for (const figure of figures) {
      const { said, spoken } = draftOf(figure);
      said.push({ route, key: figure, figure, provenance });
      widen(spoken, provenance, route, figure.date);
    }
    for (const key of withdrawals) draftOf(key).said.push({ route, key, figure: null, provenance });
  }
  for (const [pair, rows] of statementsByPair(known.statements, source)) {
    draftAt(pair, rows[0] as Statement).memory = new RouteMemory(rows);
  }
  for (const held of known.held) if (held.source === source) draftOf(held).held.push(held);
  for (const old of known.superseded) {
    if (old.source !== source) continue;
    const { past } = draftOf(old);
    const sameDay = past.get(old.date);
    if (sameDay === undefined) past.set(old.date, [old]);
    else sameDay.push(old);
  }
  for (const [pair, draft] of drafts) {
    const opposite = (pair % 64) * 64 + Math.floor(pair / 64);
    draft.reversed = draft.rows.length === 0 && (drafts.get(opposite)?.rows.length ?? 0) > 0;
    draft.said.sort(byDayThenPublication);
    draft.held.sort((a, b) => a.date - b.date);
  }
  return drafts.values();
}

/** Notes that a document has a figure of the day. */
function widen(spoken: SpokenSeries[], provenance: Provenance, route: string, day: Day): void {
  const last = spoken.at(-1);
  if (last?.provenance !== provenance) {
    spoken.push({ provenance, route, first: day, last: day, whole: true });
    return;
  }
  if (day < last.first) last.first = day;
  if (day > last.last) last.last = day;
}

function statementsByPair(rows: readonly Statement[], source: DailySource): Map<number, Statement[]> {
  const own = rows.filter((row) => row.source === source);
  return Map.groupBy(own, ({ base, quote }) => pairOf(currencyIndex(base), currencyIndex(quote)));
}

/** Stable: versions without an instant keep the document's order; a withdrawal goes after what was published by then. */
function byDayThenPublication(a: Saying, b: Saying): number {
  if (a.key.date !== b.key.date) return a.key.date - b.key.date;
  if (a.key.publishedAt === null || b.key.publishedAt === null) return 0;
  return a.key.publishedAt - b.key.publishedAt;
}
