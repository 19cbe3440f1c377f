/** What every rate answer says about its origin: source, sources, observation times, staleness. */

import type { Cross } from "./cross.ts";
import { type CurrencyCode, type CurrencyIndex, currencyCode } from "./currency.ts";
import type { View } from "./dataset.ts";
import { type Day, dayAt, formatInstant, type Instant } from "./day.ts";
import { isStale } from "./freshness.ts";
import type { History, Row } from "./history.ts";
import { DAILY_SOURCES, type DailySource, lessFresh, type Source } from "./source.ts";

const NOTICE =
  "Indicative mid rates for information only; not for settlement, trading or use as a source of record.";
const REFERENCE_NOTICE = "Daily reference rates: published once a day, not live.";
const SIMULATED_NOTICE = "SIMULATED DATA: every number here is made up and must not be used.";

/** Reminder on every rate answer, with a word on reference data where any is in it; the demo's says first that nothing is real. */
export function noticeText(simulated: boolean, isReference = true): string {
  return `${simulated ? `${SIMULATED_NOTICE} ` : ""}${NOTICE}${isReference ? ` ${REFERENCE_NOTICE}` : ""}`;
}

export function rowSource(history: History, row: Row): DailySource {
  return DAILY_SOURCES[history.observations.source[row] as number] as DailySource;
}

/** The least fresh of some observations (older; on a tie the slower source), or -1 for none. */
export function leastFreshRow(history: History, rows: Iterable<Row>): Row {
  const { observedAt } = history.observations;
  let least = -1;
  for (const row of rows) {
    if (
      least < 0 ||
      lessFresh(
        rowSource(history, row),
        observedAt[row] as Instant,
        rowSource(history, least),
        observedAt[least] as Instant,
      )
    ) {
      least = row;
    }
  }
  return least;
}

/**
 * The observation that speaks for a currency inside a rate: its own where it has one among the contributing rows,
 * else (a pivot has none of its own) the least fresh of them.
 */
export function speakingRow(history: History, day: Day, currency: CurrencyIndex, rows: readonly Row[]): Row {
  const own = history.standing(day, currency);
  return rows.includes(own) ? own : leastFreshRow(history, rows);
}

export interface Provenance {
  readonly source: Source;
  readonly sources: Readonly<Record<string, Source>>;
  readonly dataUpdatedAt: Instant;
  readonly effectiveAt: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly derivedSymbols: readonly CurrencyCode[];
  /** True when any contributing observation is older than the day asked for. */
  readonly forwardFilled: boolean;
}

/** Gathers the origin of several rates on one base and day; `rates` must not be empty. The base is listed when its own observation contributes. */
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
  const derivedSymbols: CurrencyCode[] = [];
  const all = new Set<Row>();

  const baseRow = history.standing(day, base);
  const baseContributes = rates.some(([, cross]) => cross.legs.some(({ row }) => row === baseRow));
  if (baseContributes) {
    sources[currencyCode(base)] = rowSource(history, baseRow);
    effectiveAt[currencyCode(base)] = formatInstant(observedAt[baseRow] as Instant);
  }
  for (const [currency, cross] of rates) {
    const code = currencyCode(currency);
    const { rows } = cross;
    const speaking = speakingRow(history, day, currency, rows);
    sources[code] = rowSource(history, speaking);
    effectiveAt[code] = formatInstant(observedAt[speaking] as Instant);
    stale[code] = rows.some((row) => isRowStale(view, day, row));
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
    forwardFilled: [...all].some((row) => (date[row] as Day) < day),
  };
}

/** A past day's rate does not go stale: what stood on that day stands, and a filled one is flagged as such. */
function isRowStale({ dataset, now }: View, day: Day, row: Row): boolean {
  if (day < dayAt(now)) return false;
  const source = rowSource(dataset.history, row);
  const date = dataset.history.observations.date[row] as Day;
  return isStale(source, date, dataset.coveredThrough[source] ?? date, now);
}
