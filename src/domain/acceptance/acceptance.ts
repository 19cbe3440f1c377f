/** Ingest's judgement: which figures of intact documents become observations, which are held, which are nothing new. */

import { type CurrencyIndex, currencyIndex } from "#domain/currency.ts";
import type { Day } from "#domain/day.ts";
import type { Row } from "#domain/history.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/source.ts";
import type {
  Acceptance,
  DocumentReading,
  Held,
  HeldCommand,
  KnownRates,
  Saying,
  SeriesCase,
  Tally,
} from "./judgement.ts";
import type { FigureKey, SupersededObservation } from "./revision.ts";
import { walkSeries } from "./series-walk.ts";

/**
 * Judges documents of one source against what is known. Every series is walked once by ascending day:
 * - a candidate is compared with the last believed value before it, else with the next one after it; a
 *   revision also with the value it replaces; the first figures of a series with each other;
 * - a held `implausible_jump` is released when a later figure of another document agrees with it and no
 *   believed value lies between; a held `decimal_slip` only by command;
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
    completed: 0,
    unchanged: 0,
  };
  const cases = casesBySeries(known, source, documents);
  for (const series of cases) {
    if (series.said.length === 0 && series.held.length === 0) continue;
    walkSeries(known, series, today, command, tally);
    const sayings = series.said.length;
    series.said.length = 0;
    walked(sayings);
  }
  tally.held.sort(byKey);
  return tally;
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
): Iterable<SeriesCase & { readonly said: Saying[] }> {
  interface Draft extends SeriesCase {
    reversed: boolean;
    readonly rows: Row[];
    readonly said: Saying[];
    readonly held: Held[];
    readonly past: Map<Day, SupersededObservation[]>;
  }
  const drafts = new Map<number, Draft>();
  const draftAt = (pair: number): Draft => {
    let draft = drafts.get(pair);
    if (draft === undefined) {
      draft = { source, reversed: false, rows: [], said: [], held: [], past: new Map() };
      drafts.set(pair, draft);
    }
    return draft;
  };
  const draftOf = (key: FigureKey) => draftAt(pairOf(currencyIndex(key.base), currencyIndex(key.quote)));

  const { count, source: sources, base, quote } = known.observations;
  const number = DAILY_SOURCES.indexOf(source);
  for (let row = 0; row < count; row++) {
    if (sources[row] === number) draftAt(pairOf(base[row] as number, quote[row] as number)).rows.push(row);
  }
  for (const { provenance, figures, withdrawals } of documents) {
    for (const figure of figures) draftOf(figure).said.push({ key: figure, figure, provenance });
    for (const key of withdrawals) draftOf(key).said.push({ key, figure: null, provenance });
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

/** Stable: versions without an instant keep the document's order; a withdrawal goes after what was published by then. */
function byDayThenPublication(a: Saying, b: Saying): number {
  if (a.key.date !== b.key.date) return a.key.date - b.key.date;
  if (a.key.publishedAt === null || b.key.publishedAt === null) return 0;
  return a.key.publishedAt - b.key.publishedAt;
}
