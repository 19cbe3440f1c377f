/** One official table as visible at one moment: its days, and its printed digits with misprints and faults. Formats are elsewhere. */

import { printedDay, printedValue } from "#demo/fault.ts";
import { misprinted } from "#demo/misprint.ts";
import type { DemoRequest } from "#demo/request.ts";
import { type Day, dayAt, type Instant, yearOf } from "#domain/time/day.ts";
import { crossAt } from "./market.ts";
import { isOfficialMisprint, officialMisprintOf } from "./misprints.ts";
import type { Line, SimulatedTable } from "./table.ts";

export interface OfficialSheet {
  /** The newest day that is published; before `began` when none is. */
  readonly newest: Day;
  /** Instant of the last change to anything visible. */
  readonly changedAt: Instant;
  /** The same of one day's figures. */
  dayChangedAt(day: Day): Instant;
  /** Published days in a window, ascending. */
  days(from: Day, to: Day): Day[];
  /** The date to print over a day's figures. */
  printedDay(day: Day): Day;
  /** The digits visible now, zeros at the end kept; `share` of the market's mean, 1 by default. */
  printed(line: Line, day: Day, share?: number): string;
}

export function officialSheet({ world, now, fault }: DemoRequest, table: SimulatedTable): OfficialSheet {
  const newest = newestDay(table, now);
  return {
    newest,
    changedAt: lastChange(),
    dayChangedAt,
    days(from, to) {
      const days: Day[] = [];
      for (let day = Math.max(from, table.began); day <= Math.min(to, newest); day++) {
        if (table.isDay(day)) days.push(day);
      }
      return days;
    },
    printedDay: (day) => printedDay(fault, day, newest),
    printed(line, day, share = 1) {
      const value = printedValue(fault, line.code, day, newest, marketValue(line, day) * share);
      const text = value.toFixed(line.decimals);
      const isWrong = isOfficialMisprint(world.seed, table, day, line.code) && now < table.correctedAt(day);
      return isWrong ? misprinted(text) : text;
    },
  };

  function marketValue({ code, unit }: Line, day: Day): number {
    const on = table.marketDay?.(day) ?? day;
    const [base, quote] = table.counts === "foreign" ? [code, table.currency] : [table.currency, code];
    return crossAt(world, base, quote, on, table.sixteenths) * unit;
  }

  function dayChangedAt(day: Day): Instant {
    const isWrong = officialMisprintOf(world.seed, table, yearOf(day)).day === day;
    const corrected = table.correctedAt(day);
    return isWrong && corrected <= now ? corrected : table.publishedAt(day);
  }

  /** The newest publication, or a correction since. */
  function lastChange(): Instant {
    let last = table.publishedAt(newest);
    for (const year of [yearOf(newest) - 1, yearOf(newest)]) {
      const { day } = officialMisprintOf(world.seed, table, year);
      if (day <= newest && table.correctedAt(day) <= now) last = Math.max(last, table.correctedAt(day));
    }
    return last;
  }
}

function newestDay(table: SimulatedTable, now: Instant): Day {
  // No authority dates a table by more than a day after the day it is in Greenwich.
  for (let day = dayAt(now) + 1; day >= table.began; day--) {
    if (table.isDay(day) && table.publishedAt(day) <= now) return day;
  }
  return table.began - 1;
}
