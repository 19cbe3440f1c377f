/** Mexico's authorities: the SIE API of Banco de México, and SIDOF of the Diario Oficial. */

import { isMexicanBankDay } from "#domain/official/mexican-days.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import {
  COVERAGE_START,
  type Day,
  dayAt,
  dayOf,
  formatDay,
  type Instant,
  parseDay,
  yearOf,
} from "#domain/time/day.ts";
import { type Answer, type DemoRequest, json, notFound } from "./request.ts";

/** When an authority makes a table. */
export interface SimulatedTable {
  readonly began: Day;
  isDay(day: Day): boolean;
  publishedAt(day: Day): Instant;
}

/** What is visible of a table now. */
export function officialSheet({ now, printing }: DemoRequest, { began, isDay, publishedAt }: SimulatedTable) {
  // No authority dates a table by more than a day after the day it is in Greenwich.
  let newest = dayAt(now) + 1;
  while (newest >= began && !(isDay(newest) && publishedAt(newest) <= now)) newest--;
  return {
    /** The newest published day; before `began` if nothing is published. */
    newest,
    /** Published days in a window, ascending. */
    days(from: Day, to: Day): Day[] {
      const days: Day[] = [];
      for (let day = Math.max(from, began); day <= Math.min(to, newest); day++)
        if (isDay(day)) days.push(day);
      return days;
    },
    printedDay: (day: Day) => printing.day(day, newest),
    /** The digits visible now, zeros at the end kept. */
    printed: (code: string, day: Day, value: number) => printing.value([code], day, newest, value).toFixed(4),
  };
}

const FIX: SimulatedTable = {
  // The day before is the market's first.
  began: COVERAGE_START + 1,
  isDay: isMexicanBankDay,
  publishedAt: (day) => atWallTime("America/Mexico_City", day, 12, 0),
};

/** Noon in Mexico City, as a part of the time from one Frankfurt fixing to the next. */
const MEXICAN_NOON = 3 / 16;

/** Pesos per dollar at noon of a bank day. */
function fixOn(day: Day, { world }: DemoRequest): number {
  return world.perEuro("MXN", day, MEXICAN_NOON) / world.perEuro("USD", day, MEXICAN_NOON);
}

/** Bank days from the determination to the day for which the value is valid: the FIX, and its settlement. */
const BANK_DAYS_LATER: Readonly<Record<string, number>> = { SF43718: 0, SF60653: 2 };
/** Longer than two bank days over Holy Week, and than any pause. */
const REACH_DAYS = 14;

const VALUES = /^\/SieAPIRest\/service\/v1\/series\/(SF\d+)\/datos\/([\d-]{10})\/([\d-]{10})$/;

export function banxico(request: DemoRequest): Answer {
  const [, series = "", first = "", last = ""] = VALUES.exec(request.url.pathname) ?? [];
  const bankDays = BANK_DAYS_LATER[series];
  const [from, to] = [parseDay(first), parseDay(last)];
  if (bankDays === undefined || from === null || to === null) return notFound();
  const sheet = officialSheet(request, FIX);
  const datos = sheet.days(from - REACH_DAYS, to).flatMap((day) => {
    const validOn = later(sheet.printedDay(day), bankDays);
    if (validOn < from || validOn > to) return [];
    return [{ fecha: dayMonthYear(validOn, "/"), dato: sheet.printed("USD", day, fixOn(day, request)) }];
  });
  // A series without a value comes without the list.
  const answer = { idSerie: series, ...(datos.length > 0 && { datos }) };
  return json(JSON.stringify({ bmx: { series: [answer] } }));
}

function later(day: Day, bankDays: number): Day {
  if (bankDays === 0) return day;
  let next = day + 1;
  while (!isMexicanBankDay(next)) next++;
  return later(next, bankDays - 1);
}

/** The Diario has issues on bank days except 5 May: the next issue is not always on the next bank day. */
const DOF: SimulatedTable = {
  began: FIX.began + 7,
  isDay: (day) => isMexicanBankDay(day) && day !== dayOf(yearOf(day), 5, 5),
  publishedAt: (day) => atWallTime("America/Mexico_City", day, 7, 0),
};

const RANGE = /^\/dof\/sidof\/indicadores\/158\/(\d{2}-\d{2}-\d{4})\/(\d{2}-\d{2}-\d{4})$/;

export function sidof(request: DemoRequest): Answer {
  const [, first = "", last = ""] = RANGE.exec(request.url.pathname) ?? [];
  const [from, to] = [readDay(first), readDay(last)];
  if (from === null || to === null) return notFound();
  const listed = issuesOf(request, from, to).map(({ day, date, value }) => ({
    // Stable: a row keeps its number.
    codIndicador: 2 * day,
    codTipoIndicador: 158,
    fecha: date,
    valor: value,
  }));
  return json(
    JSON.stringify({
      messageCode: 200,
      response: "OK",
      ListaIndicadores: listed,
      TotalIndicadores: listed.length,
    }),
  );
}

/** Figures of the dollar in the issues of a period, with their dates as the Diario prints them: the FIX of the bank day before. */
function issuesOf(request: DemoRequest, from: Day, to: Day) {
  const sheet = officialSheet(request, DOF);
  return sheet.days(from, to).map((day) => {
    let bankDay = day - 1;
    while (!isMexicanBankDay(bankDay)) bankDay--;
    return {
      day,
      date: dayMonthYear(sheet.printedDay(day), "-"),
      // Six digits after the point; Banxico gave four.
      value: `${sheet.printed("USD", day, fixOn(bankDay, request))}00`,
    };
  });
}

/** `31/12/2026`, or with another separator. */
function dayMonthYear(day: Day, separator: string): string {
  return formatDay(day).split("-").reverse().join(separator);
}

/** Reads `31/12/2026` or `31-12-2026`. */
function readDay(text: string): Day | null {
  return parseDay(text.split(/[-/]/).reverse().join("-"));
}
