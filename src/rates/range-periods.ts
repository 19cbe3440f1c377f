/** The rows of a page of weeks or months: the last value or the exact mean of each period, from the daily series. */

import type { Dataset } from "#domain/dataset.ts";
import type { Day } from "#domain/day.ts";
import type { Aggregate, DailyInterval } from "#domain/export-plan.ts";
import type { Row } from "#domain/history.ts";
import { meanText, periodEnd, periodStart } from "#domain/periods.ts";
import type { Series } from "#domain/series.ts";
import type { PageWindow, RangeQuestion, SeriesKeep } from "./range-blocks.ts";
import { figuresOf } from "./range-days.ts";
import type { ListedPage, ListedRow } from "./range-listed.ts";
import { createOrigins, originOfRow, type ValueOrigin } from "./range-origin.ts";

export interface PeriodQuestion extends RangeQuestion {
  readonly interval: DailyInterval;
  readonly aggregate: Aggregate;
}

/**
 * The first `limit` periods of the window with a value, in its order. Only days inside the window count; a row is
 * dated with the first calendar day of its period, be it before the window. `window.last` is not after today.
 */
export function collectPeriods(
  keep: Pick<SeriesKeep, "shelf">,
  dataset: Dataset,
  question: PeriodQuestion,
  window: PageWindow,
): ListedPage {
  const { interval, symbols } = question;
  const { first, last, limit, order } = window;
  const descending = order === "desc";
  const rows: ListedRow[] = [];
  const figures: (() => Iterable<Row>)[] = [];
  const origins = createOrigins(symbols);
  const start = window.from ?? (descending ? last : first);
  for (let period = periodStart(interval, start); first <= last; ) {
    const ends = periodEnd(interval, period);
    if (period > last || ends < first) break;
    const days = [Math.max(period, first), Math.min(ends, last)] as const;
    const cells = periodCells(keep, dataset, question, days, window.end);
    if (cells.length > 0) {
      if (rows.length === limit) return { rows, origin: origins.origin(), figures, next: period };
      for (const { index, days: used, series, value } of cells) {
        origins.add(index, value);
        figures.push(() => used.flatMap((day) => figuresOf(dataset, series, day)));
      }
      rows.push(rowOf(period, cells, question));
    }
    period = descending ? periodStart(interval, period - 1) : ends + 1;
  }
  return { rows, origin: origins.origin(), figures, next: null };
}

/** The days of one symbol that count for a period. */
interface Cell {
  readonly index: number;
  readonly series: Series;
  readonly days: readonly Day[];
  /** The least fresh of them, with the flags of all. */
  readonly value: ValueOrigin;
}

function periodCells(
  { shelf }: Pick<SeriesKeep, "shelf">,
  { history }: Dataset,
  { base, symbols, fill, aggregate }: PeriodQuestion,
  [from, to]: readonly [Day, Day],
  end: Day,
): Cell[] {
  const cells: Cell[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const series = shelf.take(history, [base, symbol], fill, end, [from, Math.min(to, end)]);
    const has = (day: Day) => series.text[day - series.firstDay] !== undefined;
    const days: Day[] = [];
    if (aggregate === "mean") {
      for (let day = from; day <= to; day++) if (has(day)) days.push(day);
    } else if (fill === "previous") {
      // What stands on the period's last day: a series that ended before it has no value, as on that day itself.
      if (has(to)) days.push(to);
    } else {
      let day = to;
      while (day >= from && !has(day)) day--;
      if (day >= from) days.push(day);
    }
    if (days.length > 0) cells.push({ index, series, days, value: leastFresh(series, days) });
  }
  return cells;
}

function leastFresh(
  { firstDay, observedAt, source, ownSource, flags }: Series,
  days: readonly Day[],
): ValueOrigin {
  let least = (days[0] as Day) - firstDay;
  let all = 0;
  for (const day of days) {
    const at = day - firstDay;
    all |= flags[at] as number;
    if ((observedAt[at] as number) < (observedAt[least] as number)) least = at;
  }
  return {
    observedAt: observedAt[least] as number,
    source: source[least] as number,
    ownSource: ownSource[least] as number,
    flags: all,
  };
}

function rowOf(date: Day, cells: readonly Cell[], { aggregate }: PeriodQuestion): ListedRow {
  const rates = cells.map(({ series, days }) => {
    const texts = days.map((day) => series.text[day - series.firstDay] as string);
    return { symbol: series.to, text: aggregate === "mean" ? meanText(texts) : (texts[0] as string) };
  });
  return { date, ...originOfRow(cells.map(({ value }) => value)), rates, changes: null };
}
