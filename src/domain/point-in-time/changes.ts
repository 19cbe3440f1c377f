/** Incremental sync: finds every pair and day with figures that changed after an earlier instant. */

import { CURRENCY_COUNT, type CurrencyIndex, EUR, USD } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { type Cross, crossRate, isUnfilled } from "#domain/history/cross.ts";
import { currencyOfRow, FILL_DAYS, type ObservationColumns, type Row } from "#domain/history/history.ts";
import type { Fill } from "#domain/history/rate-columns.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import { keyAt } from "./columns.ts";
import { newestInstant, timelineOf } from "./dataset.ts";
import type { Reach } from "./since.ts";
import { rowsDated } from "./timeline.ts";

/** How one value of a series differs from its state at the earlier instant. */
export interface CellChange {
  /** The current rate; null where a value existed, or may have existed, and is gone. */
  readonly cross: Cross | null;
  /** Highest revision among the figures that the value rests on; for a value that is gone, among those that ended near it. */
  readonly revision: number;
  /** Latest retrieval among those figures; for a value that is gone, of the newest document that ended a figure near it. */
  readonly updatedAt: Instant;
}

export interface Changes {
  /** The change of one value, or null where it is unchanged. */
  at(base: CurrencyIndex, symbol: CurrencyIndex, day: Day, fill: Fill): CellChange | null;
  /** Days from `first` to `last` on which something may have changed, ascending; on other days nothing has. */
  days(first: Day, last: Day, fill: Fill): Iterable<Day>;
}

interface Event {
  readonly currency: CurrencyIndex;
  readonly revision: number;
  /** When it ended; Infinity for one that is in force. */
  readonly gone: Instant;
  /** It ended without a next revision: from then on, perhaps for a while, there was no figure. */
  readonly gap: boolean;
}

/**
 * Compares a dataset with its state at an instant: `then` is datasetAsOf(now, …, "retrieved"), of the same window or all years. A
 * value has changed when it rests on other observations or revisions, or when its day is after `sinceDay`, the copy's last. Days
 * after `today` have no value. A copy of a foreign version may hold any value: each one that is absent here counts as gone. A copy may
 * hold figures that were in force only in between. So a value near a withdrawn figure counts as changed, and a missing value that may
 * have existed counts as gone.
 */
export function changesSince(
  now: Dataset,
  then: Dataset,
  { day: sinceDay, foreign }: Pick<Reach, "day" | "foreign">,
  today: Day,
): Changes {
  const since = then.asOf?.instant ?? Number.NEGATIVE_INFINITY;
  const { columns, on } = eventsSince(now, since);
  const linked = createLinks(columns);

  /** Events of figures that can be a leg of the pair on a day: figures of its two currencies and of the pivots. */
  const near = (base: CurrencyIndex, symbol: CurrencyIndex, day: Day): Event[] => {
    const events: Event[] = [];
    for (let date = day - FILL_DAYS; date <= day; date++) {
      for (const event of on(date)) {
        const { currency } = event;
        if (currency === base || currency === symbol || currency === EUR || currency === USD)
          events.push(event);
      }
    }
    return events;
  };

  return {
    at(base, symbol, day, fill) {
      const present = day > today ? null : valueOn(now, base, symbol, day, fill);
      const past = day > sinceDay ? null : valueOn(then, base, symbol, day, fill);
      if (present !== null) {
        const same =
          past !== null && sameFigures(now, present, then, past) && !hasGap(near(base, symbol, day));
        return same ? null : { cross: present, ...newestOf(now, present) };
      }
      if (foreign !== null) return { cross: null, revision: 1, updatedAt: newestInstant(now) };
      if (past === null && !linked(base, symbol, fill === "none" ? day : day - FILL_DAYS, day)) return null;
      const nearby = near(base, symbol, day);
      if (past === null && nearby.length === 0) return null;
      const ended = nearby.filter(({ gone }) => gone !== Number.POSITIVE_INFINITY);
      return {
        cross: null,
        revision: Math.max(1, ...ended.map(({ revision }) => revision)),
        updatedAt: Math.max(since, ...ended.map(({ gone }) => gone)),
      };
    },
    *days(first, last, fill) {
      // A figure reaches as far as the fill does: a day without filling can change too, when a figure that its rate depended on ends.
      let reach = Number.NEGATIVE_INFINITY;
      for (let day = first - FILL_DAYS; day <= last; day++) {
        if (on(day).length > 0) reach = day + FILL_DAYS;
        if (
          day >= first &&
          (foreign !== null || day <= reach || (fill === "previous" && (day > sinceDay || day > today)))
        )
          yield day;
      }
    },
  };
}

/** Figures that came or ended after the instant, by their day; a day is examined on first use. */
function eventsSince(now: Dataset, since: Instant) {
  const { columns, from, supersededAt } = timelineOf(now, "retrieved");
  const byDay = new Map<Day, readonly Event[]>();
  const endOf = (row: Row) => supersededAt.get(row) ?? Number.POSITIVE_INFINITY;
  // The revisions of one figure are adjacent.
  const isReplaced = (row: Row) =>
    row + 1 < columns.count &&
    keyAt(columns, row + 1) === keyAt(columns, row) &&
    (from[row + 1] as Instant) <= endOf(row);
  const find = (day: Day): readonly Event[] => {
    const events: Event[] = [];
    for (const [begin, end] of rowsDated(columns, day, day)) {
      for (let row = begin; row < end; row++) {
        const came = (from[row] as Instant) > since;
        const gone = endOf(row);
        if (!came && (gone === Number.POSITIVE_INFINITY || gone <= since)) continue;
        events.push({
          currency: currencyOfRow({ observations: columns }, row),
          revision: columns.revision[row] as number,
          gone,
          gap: gone !== Number.POSITIVE_INFINITY && !isReplaced(row),
        });
      }
    }
    return events;
  };
  const on = (day: Day): readonly Event[] => {
    const events = byDay.get(day) ?? find(day);
    byDay.set(day, events);
    return events;
  };
  return { columns, on };
}

function valueOn(
  { history }: Dataset,
  base: CurrencyIndex,
  symbol: CurrencyIndex,
  day: Day,
  fill: Fill,
): Cross | null {
  const cross = crossRate(history, day, base, symbol);
  return cross === null || fill === "previous" || isUnfilled(history, day, cross) ? cross : null;
}

function hasGap(events: readonly Event[]): boolean {
  for (const { gap } of events) if (gap) return true;
  return false;
}

function sameFigures(now: Dataset, present: Cross, then: Dataset, past: Cross): boolean {
  if (present.rows.length !== past.rows.length) return false;
  const [newer, older] = [now.history.observations, then.history.observations];
  for (const [index, row] of present.rows.entries()) {
    const other = past.rows[index] as Row;
    if (keyAt(newer, row) !== keyAt(older, other) || newer.revision[row] !== older.revision[other])
      return false;
  }
  return true;
}

function newestOf({ history: { observations } }: Dataset, { rows }: Cross) {
  let revision = 0;
  let updatedAt = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    revision = Math.max(revision, observations.revision[row] as number);
    updatedAt = Math.max(updatedAt, observations.retrievedAt[row] as Instant);
  }
  return { revision, updatedAt };
}

/** Whether figures dated from `first` to `last`, current or not, connect two currencies. Remembers the last days asked for. */
function createLinks(columns: ObservationColumns) {
  let cached: { readonly first: Day; readonly last: Day; readonly group: Int8Array } | null = null;
  return (base: CurrencyIndex, symbol: CurrencyIndex, first: Day, last: Day): boolean => {
    if (cached?.first !== first || cached.last !== last)
      cached = { first, last, group: groupsOf(columns, first, last) };
    const { group } = cached;
    return (group[base] as number) >= 0 && group[base] === group[symbol];
  };
}

/** A number per currency, equal for connected currencies; -1 without a figure. */
function groupsOf(columns: ObservationColumns, first: Day, last: Day): Int8Array {
  const group = new Int8Array(CURRENCY_COUNT).fill(-1);
  for (const [begin, end] of rowsDated(columns, first, last)) {
    for (let row = begin; row < end; row++) {
      const [a, b] = [columns.base[row] as CurrencyIndex, columns.quote[row] as CurrencyIndex];
      if (group[a] === -1) group[a] = a;
      if (group[b] === -1) group[b] = b;
      if (group[a] !== group[b]) replace(group, group[b] as number, group[a] as number);
    }
  }
  return group;
}

function replace(group: Int8Array, from: number, to: number): void {
  for (let index = 0; index < group.length; index++) if (group[index] === from) group[index] = to;
}
