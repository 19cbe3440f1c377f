/** The tables of the simulated authorities: when and from what each is made, and what is visible when. Formats are in other files. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, dayAt, type Instant, weekdayOf } from "#domain/time/day.ts";
import type { DemoRequest } from "./request.ts";

export interface Line {
  readonly code: string;
  /** Units of the currency in one rate: 1, 100 … */
  readonly unit: number;
  readonly decimals: number;
}

/** The second market day: a table read before 14:15 Frankfurt needs the day before. */
const OFFICIAL_START: Day = COVERAGE_START + 1;

export type UnitsPerEuro = (code: string, perEuro: (code: CurrencyCode) => number) => number;

/** When and from what an authority makes a table. Its format is in the authority's file. */
export interface SimulatedTable {
  /** The table's id in the catalogue of sources. */
  readonly id: string;
  readonly currency: string;
  /** foreign: the table's currency for units of others. own: units of others for one of the table's currency. */
  readonly counts: "foreign" | "own";
  readonly lines: readonly Line[];
  readonly began: Day;
  /** When the authority reads the market: sixteenths of a day after 14:15 Frankfurt, negative for before. */
  readonly sixteenths: number;
  /** Returns units of a code per euro; `perEuro` has those of the world's currencies. Absent: each code is such a currency. */
  readonly unitsPerEuro?: UnitsPerEuro;
  /** The day of the market that the table is read from; absent: its own day. */
  readonly marketDay?: (day: Day) => Day;
  isDay(day: Day): boolean;
  publishedAt(day: Day): Instant;
}

/** Completes a daily table with the usual values. */
export function dailyTable(
  table: Pick<SimulatedTable, "id" | "currency" | "lines" | "sixteenths" | "isDay" | "publishedAt"> &
    Partial<SimulatedTable>,
): SimulatedTable {
  return { counts: "foreign", began: OFFICIAL_START, ...table };
}

export type OfficialSheet = ReturnType<typeof officialSheet>;

export function officialSheet({ world, now, printing }: DemoRequest, table: SimulatedTable) {
  const newest = newestDay(table, now);
  return {
    /** The newest published day; before `began` if nothing is published. */
    newest,
    changedAt: table.publishedAt(newest),
    /** Published days in a window, ascending. */
    days(from: Day, to: Day): Day[] {
      const days: Day[] = [];
      for (let day = Math.max(from, table.began); day <= Math.min(to, newest); day++) {
        if (table.isDay(day)) days.push(day);
      }
      return days;
    },
    printedDay: (day: Day) => printing.day(day, newest),
    /** The digits visible now, zeros at the end kept; `share` of the market's mean, 1 by default. */
    printed(line: Line, day: Day, share = 1): string {
      const value = printing.value([line.code], day, newest, marketValue(line, day) * share);
      return value.toFixed(line.decimals);
    },
  };

  function marketValue({ code, unit }: Line, day: Day): number {
    const on = table.marketDay?.(day) ?? day;
    const [base, quote] = table.counts === "foreign" ? [code, table.currency] : [table.currency, code];
    const { day: weekday, elapsed } = marketAt(on, table.sixteenths);
    const perEuro = (currency: CurrencyCode) => world.perEuro(currency, weekday, elapsed);
    const { unitsPerEuro = (currency) => perEuro(currency as CurrencyCode) } = table;
    return (unitsPerEuro(quote, perEuro) / unitsPerEuro(base, perEuro)) * unit;
  }
}

/**
 * Where the market is so many sixteenths of a day after (or before) 14:15 Frankfurt; a figure at a sixteenth takes few steps to compute.
 * At a weekend the Friday before counts.
 */
function marketAt(day: Day, sixteenths: number): { day: Day; elapsed: number } {
  if (sixteenths >= 0) return { day: weekdayUpTo(day), elapsed: sixteenths / 16 };
  return { day: weekdayUpTo(weekdayUpTo(day) - 1), elapsed: (sixteenths + 16) / 16 };
}

function weekdayUpTo(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday === 0 ? day - 2 : weekday === 6 ? day - 1 : day;
}

export function nextOpen(isOpen: (day: Day) => boolean, day: Day): Day {
  let next = day + 1;
  while (!isOpen(next)) next++;
  return next;
}

export function openBefore(isOpen: (day: Day) => boolean, day: Day): Day {
  let before = day - 1;
  while (!isOpen(before)) before--;
  return before;
}

function newestDay(table: SimulatedTable, now: Instant): Day {
  // No authority dates a table by more than a day after the day it is in Greenwich.
  for (let day = dayAt(now) + 1; day >= table.began; day--) {
    if (table.isDay(day) && table.publishedAt(day) <= now) return day;
  }
  return table.began - 1;
}
