/**
 * The immutable data behind daily answers, replaced as a whole; the provenance in every answer; and which rates are simulated
 * (in the demo all but those that rest on the ECB's own history).
 */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { type CurrencyCode, type CurrencyIndex, currencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import type { Cross } from "#domain/history/cross.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import {
  currencyOfRow,
  currencyRow,
  type History,
  leastFreshRow,
  ownRow,
  type Row,
  rowSource,
} from "#domain/history/history.ts";
import type { AsOf, Observation } from "#domain/history/observation.ts";
import { isMissingOn, isStale } from "#domain/history/schedule.ts";
import type { PendingSource } from "#domain/intake/reading.ts";
import type { MarketSession } from "#domain/time/calendar.ts";
import { type Day, dayAt, formatInstant, type Instant } from "#domain/time/day.ts";

/** The documents of the observations in force; many have one document. */
export interface FigureDocuments {
  readonly list: readonly Pick<Observation, "document" | "documentSha256">[];
  /** Places in the list, by row. */
  readonly places: Int32Array;
}

/** What point-in-time answers need beyond the observations in force. */
export interface Revisions {
  /** NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Absent in a dataset that was not read from a lake. */
  readonly documents?: FigureDocuments;
  readonly superseded: readonly SupersededObservation[];
}

export interface Dataset {
  readonly history: History;
  /** The last day that each source's documents cover; absent before the first collection. */
  readonly coveredThrough: Readonly<Partial<Record<DailySource, Day>>>;
  /** True in the demo: all figures are simulated except those that `realThrough` covers. */
  readonly simulated: boolean;
  /** In a demo that began with the ECB's own history: its last day; the ECB's figures up to it are real. Absent or null: no figure is. */
  readonly realThrough?: Day | null;
  /** Absent where nothing was ever revised and no publication instant is known. */
  readonly revisions?: Revisions;
  /** Damaged files: their figures are missing here; absent where everything is intact. */
  readonly damaged?: readonly DamagedFigures[];
  /** Sources that were never collected; absent where all were. */
  readonly pending?: readonly PendingSource[];
  /** Bounds the cache of what is computed from this dataset; absent where little is cached, as in commands. */
  readonly caches?: CacheBudget;
  /** Present on a dataset as it was known at an instant: see datasetAsOf. */
  readonly asOf?: AsOf;
}

export interface View {
  readonly dataset: Dataset;
  readonly now: Instant;
}

export interface Simulated {
  readonly isDemo: boolean;
  /** Currencies with a rate that rests on a simulated figure. */
  readonly codes: readonly CurrencyCode[];
  /** Every rate of the answer rests on a simulated figure. */
  readonly isAll: boolean;
  /** On some of several days the rates of these currencies are real. */
  readonly isInPart?: boolean;
}

const OF_REAL_SERVER: Simulated = { isDemo: false, codes: [], isAll: false };

/** `isSimulated` is asked in the demo only. */
export function simulatedAmong(
  isDemo: boolean,
  currencies: readonly CurrencyIndex[],
  isSimulated: (currency: CurrencyIndex, at: number) => boolean,
): Simulated {
  if (!isDemo) return OF_REAL_SERVER;
  const codes = currencies.filter(isSimulated).map(currencyCode);
  return { isDemo, codes, isAll: codes.length > 0 && codes.length === currencies.length };
}

const ECB = DAILY_SOURCES.indexOf("ecb_daily");

/** Whether an observation is simulated: in the demo all except the ECB's up to `realThrough`. */
export function isSimulatedRow({ simulated, realThrough = null, history }: Dataset, row: Row): boolean {
  if (!simulated) return false;
  const { source, date } = history.observations;
  return realThrough === null || source[row] !== ECB || (date[row] as Day) > realThrough;
}

/** Which rates of a page or file are simulated: those with a simulated figure in force for one of their two currencies. */
export function simulatedOnDays(
  dataset: Dataset,
  base: CurrencyIndex,
  symbols: readonly CurrencyIndex[],
  days: () => Iterable<Day>,
): Simulated {
  const { history } = dataset;
  const isOn = (day: Day, currency: CurrencyIndex) => {
    const dollar = history.inForce(day, USD);
    // H.10 has a figure of the euro, too: it is used only where the ECB's dollar is missing.
    const row = currency === EUR && dollar >= 0 ? dollar : history.inForce(day, currency);
    return row >= 0 && isSimulatedRow(dataset, row);
  };
  let isInPart = false;
  const simulated = simulatedAmong(dataset.simulated, symbols, (symbol) => {
    let [some, every] = [false, true];
    for (const day of days()) {
      const is = isOn(day, base) || isOn(day, symbol);
      some ||= is;
      every &&= is;
    }
    if (some && !every) isInPart = true;
    return some;
  });
  return { ...simulated, isAll: simulated.isAll && !isInPart, isInPart };
}

const NOTICE =
  "Indicative mid rates for information only; not for settlement, trading or use as a source of record.";
const REFERENCE_NOTICE = "Daily reference rates: published once a day, not live.";
const SIMULATED_NOTICE = "SIMULATED DATA: every number here is made up and must not be used.";

const NAMED_CURRENCIES = 12;

/** The notice on every rate answer: the mark of simulated rates (`true`: all are), the reminder, and where needed a reference sentence. */
export function noticeText(simulated: Simulated | boolean, isReference = true): string {
  return `${simulatedNotice(simulated)}${NOTICE}${isReference ? ` ${REFERENCE_NOTICE}` : ""}`;
}

/** The notice on every answer with official rates; the demo's begins with the mark of simulated data. */
export function officialNotice(simulated: Simulated | boolean, isReference = false): string {
  return `${noticeText(simulated, isReference)} ${OFFICIAL_NOTICE}`;
}

/** The mark that begins a text which people copy, such as a citation. */
export function simulatedMark(simulated: boolean): string {
  return simulated ? "SIMULATED: " : "";
}

/** The name of a number column in CSV. Files are kept without notice and headers, so the name marks simulated numbers. */
export function columnName(name: string, isSimulated: boolean): string {
  return isSimulated ? `${name}_simulated` : name;
}

const OFFICIAL_NOTICE = "Official rates as their authority published them; its own publication prevails.";

function simulatedNotice(simulated: Simulated | boolean): string {
  if (simulated === true) return `${SIMULATED_NOTICE} `;
  if (simulated === false || simulated.codes.length === 0) return "";
  if (simulated.isAll) return `${SIMULATED_NOTICE} `;
  const { codes, isInPart = false } = simulated;
  const rest = codes.length - NAMED_CURRENCIES;
  const names = codes.slice(0, NAMED_CURRENCIES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `SIMULATED${isInPart ? " on some days" : ""}: ${names}. These rates are made up and must not be used. `;
}

/** The observation that dates a rate: the currency's own, or the least fresh one where that is of an earlier date. */
function datingRow(history: History, own: Row, rows: readonly Row[]): Row {
  const { date } = history.observations;
  const least = leastFreshRow(history, rows);
  return (date[least] as Day) < (date[own] as Day) ? least : own;
}

/** The origin of the rates in an answer; members as in the contract. */
export interface RatesOrigin {
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  /** Time of the oldest contributing observation. */
  readonly dataUpdatedAt: Instant;
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly derivedSymbols: readonly CurrencyCode[];
  readonly simulated: Simulated;
}

/** The rate of one pair. */
export interface PairRate extends Omit<RatesOrigin, "stale" | "derivedSymbols"> {
  readonly base: CurrencyIndex;
  readonly quote: CurrencyIndex;
  /** Units of `quote` per one `base`. */
  readonly rate: string;
  /** True when the rate goes through a third currency. */
  readonly derived: boolean;
  /** Ceiling of the error of a derived rate in basis points; null where no bound is stated. */
  readonly boundBps: number | null;
  readonly stale: boolean;
  /** True when any daily reference figure contributes. */
  readonly isReference: boolean;
  readonly session: MarketSession;
}

export interface Provenance extends RatesOrigin {
  /** By currency: true when an observation of its rate is older than the requested day. */
  readonly filled: Readonly<Record<string, boolean>>;
  readonly forwardFilled: boolean;
}

/** The origin of one or more rates of one base and day. The base is listed, with its least fresh own observation, where one contributes. */
export function provenanceOf(
  view: View,
  day: Day,
  base: CurrencyIndex,
  rates: readonly (readonly [CurrencyIndex, Cross])[],
): Provenance {
  const { history } = view.dataset;
  const { observedAt, date } = history.observations;
  const sources: Record<string, Source> = {};
  const effectiveAt: Record<string, string> = {};
  const stale: Record<string, boolean> = {};
  const filled: Record<string, boolean> = {};
  const derivedSymbols: CurrencyCode[] = [];
  const all = new Set<Row>();

  const crosses = rates.filter(([, { legs }]) => legs.length > 0);
  const ofBase = crosses.map(([, { rows }]) => ownRow(history, base, rows)).filter((row) => row >= 0);
  const baseRow = leastFreshRow(history, ofBase);
  if (baseRow >= 0) {
    sources[currencyCode(base)] = rowSource(history, baseRow);
    effectiveAt[currencyCode(base)] = formatInstant(observedAt[baseRow] as Instant);
  }
  for (const [currency, cross] of rates) {
    const code = currencyCode(currency);
    const { rows } = cross;
    const own = currencyRow(history, currency, rows);
    sources[code] = rowSource(history, own);
    effectiveAt[code] = formatInstant(observedAt[datingRow(history, own, rows)] as Instant);
    stale[code] = isRateStale(view, day, rows);
    filled[code] = rows.some((row) => (date[row] as Day) < day);
    if (cross.derived) derivedSymbols.push(code);
    for (const row of rows) all.add(row);
  }
  const least = leastFreshRow(history, all);
  return {
    source: rowSource(history, least),
    sources,
    dataUpdatedAt: observedAt[least] as Instant,
    effectiveAt,
    stale,
    derivedSymbols,
    simulated: simulatedAmong(
      view.dataset.simulated,
      rates.map(([currency]) => currency),
      (_, at) => rates[at]?.[1].rows.some((row) => isSimulatedRow(view.dataset, row)) === true,
    ),
    filled,
    forwardFilled: Object.values(filled).includes(true),
  };
}

/**
 * True when a newer rate is overdue. Where all figures are of one date, all must be overdue: a rate of both sources is as new as the
 * slower source. A past day's rate is stale while the publication of its day is overdue here.
 */
function isRateStale({ dataset, now }: View, day: Day, rows: readonly Row[]): boolean {
  const { history, coveredThrough } = dataset;
  if (day < dayAt(now))
    return rows.some((row) =>
      isMissingOn(history, {
        row,
        day,
        coveredThrough: coveredThrough[rowSource(history, row)] ?? null,
        now,
      }),
    );
  const dates = history.observations.date;
  const isOverdue = (row: Row) => {
    const source = rowSource(history, row);
    const date = dates[row] as Day;
    return isStale(source, date, coveredThrough[source] ?? date, now);
  };
  if (rows.some((row) => dates[row] !== dates[rows[0] as Row])) return rows.some(isOverdue);
  // With two sources, a figure that is not in force does not delay the rate: its currency has a newer figure.
  const isOfOneSource = rows.every((row) => rowSource(history, row) === rowSource(history, rows[0] as Row));
  return rows.every(
    (row) => isOverdue(row) || (!isOfOneSource && history.inForce(day, currencyOfRow(history, row)) !== row),
  );
}
