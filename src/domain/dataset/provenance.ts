/** The provenance in every rate answer: source, sources, observation times, staleness. */

import { type CurrencyCode, type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import type { Cross } from "#domain/history/cross.ts";
import {
  currencyOfRow,
  currencyRow,
  type History,
  leastFreshRow,
  type Row,
  rowSource,
} from "#domain/history/history.ts";
import { isStale } from "#domain/history/schedule.ts";
import { type Day, dayAt, formatInstant, type Instant } from "#domain/time/day.ts";
import type { View } from "./dataset.ts";
import { isSimulatedRow, type Simulated, simulatedAmong } from "./simulated.ts";

const NOTICE =
  "Indicative mid rates for information only; not for settlement, trading or use as a source of record.";
const REFERENCE_NOTICE = "Daily reference rates: published once a day, not live.";
const SIMULATED_NOTICE = "SIMULATED DATA: every number here is made up and must not be used.";

/** Most currencies that the notice names. */
const NAMED_CURRENCIES = 12;

/** Reminder on every rate answer, with a sentence on reference data where it has any; it begins with the mark of simulated rates, true: all are. */
export function noticeText(simulated: Simulated | boolean, isReference = true): string {
  return `${simulatedNotice(simulated)}${NOTICE}${isReference ? ` ${REFERENCE_NOTICE}` : ""}`;
}

function simulatedNotice(simulated: Simulated | boolean): string {
  if (simulated === true) return `${SIMULATED_NOTICE} `;
  if (simulated === false || simulated.codes.length === 0) return "";
  if (simulated.isAll) return `${SIMULATED_NOTICE} `;
  const { codes, isInPart = false } = simulated;
  const rest = codes.length - NAMED_CURRENCIES;
  const names = codes.slice(0, NAMED_CURRENCIES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `SIMULATED${isInPart ? " on some days" : ""}: ${names}. These rates are made up and must not be used. `;
}

/** The observation whose time a rate is listed with: the currency's own, or one of an earlier date. */
function datingRow(history: History, own: Row, rows: readonly Row[]): Row {
  const { date } = history.observations;
  const least = leastFreshRow(history, rows);
  return (date[least] as Day) < (date[own] as Day) ? least : own;
}

/** The origin of the rates in an answer; members as in the contract. */
export interface RatesOrigin {
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  readonly dataUpdatedAt: Instant;
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly derivedSymbols: readonly CurrencyCode[];
  readonly simulated: Simulated;
}

export interface Provenance extends RatesOrigin {
  /** Of each currency: true when an observation that its rate rests on is older than the requested day. */
  readonly filled: Readonly<Record<string, boolean>>;
  /** True when any of them is. */
  readonly forwardFilled: boolean;
}

/**
 * Gathers the origin of several rates on one base and day; `rates` must not be empty. The base is listed when an own
 * observation contributes, with the oldest of these.
 */
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

  const baseRow = leastFreshRow(history, ownRows(history, base, rates));
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

/** The observations by which rates rest on a currency itself. */
function* ownRows(
  history: History,
  currency: CurrencyIndex,
  rates: readonly (readonly [CurrencyIndex, Cross])[],
): Generator<Row> {
  for (const [, { legs }] of rates) {
    for (const { row } of legs) if (currencyOfRow(history, row) === currency) yield row;
  }
}

/**
 * True when a newer rate should be there by now. Where the figures are of one date, every one of them must be overdue: a
 * rate of both sources is as new as the slower one, and is not stale because the other has gone on meanwhile. A past
 * day's rate does not go stale: its observations stay in force for that day, and a filled one is flagged as such.
 */
function isRateStale({ dataset, now }: View, day: Day, rows: readonly Row[]): boolean {
  if (day < dayAt(now)) return false;
  const { history, coveredThrough } = dataset;
  const dates = history.observations.date;
  const isOverdue = (row: Row) => {
    const source = rowSource(history, row);
    const date = dates[row] as Day;
    return isStale(source, date, coveredThrough[source] ?? date, now);
  };
  if (rows.some((row) => dates[row] !== dates[rows[0] as Row])) return rows.some(isOverdue);
  // A figure that its own currency has a newer one of holds no rate back.
  const isOfOneSource = rows.every((row) => rowSource(history, row) === rowSource(history, rows[0] as Row));
  return rows.every(
    (row) => isOverdue(row) || (!isOfOneSource && history.inForce(day, currencyOfRow(history, row)) !== row),
  );
}
