/** Mexico's authorities: the SIE API of Banco de México, and SIDOF of the Diario Oficial. */

import { isMexicanBankDay } from "#domain/official/mexican-days.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, parseDay, yearOf } from "#domain/time/day.ts";
import {
  dailyTable,
  type Line,
  nextOpen,
  type OfficialSheet,
  officialSheet,
  openBefore,
  type SimulatedTable,
} from "./official-sheet.ts";
import { type Answer, type DemoRequest, dayFrom, dayMonthYear, notFound } from "./request.ts";

/** Noon in Mexico City is three sixteenths of a day (4.5 h) after 14:15 in Frankfurt. */
const MEXICAN_NOON = 3;

const DOLLAR: Line = { code: "USD", unit: 1, decimals: 4 };

const FIX = dailyTable({
  id: "mex_fix",
  currency: "MXN",
  lines: [DOLLAR],
  sixteenths: MEXICAN_NOON,
  isDay: isMexicanBankDay,
  publishedAt: (day) => atWallTime("America/Mexico_City", day, 12, 0),
});

interface Series {
  readonly title: string;
  readonly line: Line;
  /** Bank days from the determination to the day for which the value is valid. */
  readonly bankDaysLater: number;
}

const OBLIGATIONS = "Tipo de cambio para solventar obligaciones denominadas en moneda extranjera Fecha de";
const BASKET = "Cotización de las divisas que conforman la canasta del DEG Respecto al peso mexicano";
const SERIES: Record<string, Series> = {
  SF43718: {
    // The run of spaces is the real one's.
    title: `Tipo de cambio                                          Pesos por dólar E.U.A. ${OBLIGATIONS} determinación (FIX)`,
    line: DOLLAR,
    bankDaysLater: 0,
  },
  SF60653: {
    title: `Tipo de cambio pesos por dólar E.U.A. ${OBLIGATIONS} liquidación`,
    line: DOLLAR,
    bankDaysLater: 2,
  },
  SF46410: { title: `${BASKET} Euro`, line: { ...DOLLAR, code: "EUR" }, bankDaysLater: 0 },
  SF46406: { title: `${BASKET} Yen japonés`, line: { ...DOLLAR, code: "JPY" }, bankDaysLater: 0 },
};

const VALUES =
  /^\/SieAPIRest\/service\/v1\/series\/([A-Z0-9,]+)\/datos(?:\/(oportuno|(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2})))?$/;
/** Longer than two bank days over Holy Week, and than any pause. */
const REACH_DAYS = 14;

export function banxico(request: DemoRequest): Answer {
  const [, names = "", part, from = "", to = ""] = VALUES.exec(request.url.pathname) ?? [];
  const series = names.split(",").filter((name) => SERIES[name] !== undefined);
  const sheet = officialSheet(request, FIX);
  const latest = part === "oportuno";
  const first = from === "" ? FIX.began : parseDay(from);
  const last = to === "" ? sheet.newest + REACH_DAYS : parseDay(to);
  if (series.length === 0 || first === null || last === null) return notFound();
  // As at the real host, not in the order of the request.
  const answers = series.toSorted().map((name) => {
    const { title, line, bankDaysLater } = SERIES[name] as Series;
    const from = latest ? sheet.newest - REACH_DAYS : first;
    const values = valuesOf(sheet, line, bankDaysLater, from, last).slice(latest ? -1 : 0);
    // A series without a value comes without the list.
    return { idSerie: name, titulo: title, ...(values.length > 0 && { datos: values }) };
  });
  return json({ bmx: { series: answers } });
}

function valuesOf(sheet: OfficialSheet, line: Line, bankDaysLater: number, from: Day, to: Day) {
  const reach = bankDaysLater === 0 ? 0 : REACH_DAYS;
  return sheet
    .days(from - reach, to)
    .map((day) => ({ day, validOn: later(sheet.printedDay(day), bankDaysLater) }))
    .filter(({ validOn }) => validOn >= from && validOn <= to)
    .map(({ day, validOn }) => ({ fecha: dayMonthYear(validOn, "/"), dato: sheet.printed(line, day) }));
}

function later(day: Day, bankDays: number): Day {
  return bankDays === 0 ? day : later(nextOpen(isMexicanBankDay, day), bankDays - 1);
}

function json(body: unknown): Answer {
  return { contentType: "application/json;charset=UTF-8", body: () => JSON.stringify(body) };
}

/** An issue prints the FIX of the bank day before it. */
const DOF: SimulatedTable = dailyTable({
  id: "mex_dof",
  currency: "MXN",
  lines: FIX.lines,
  sixteenths: FIX.sixteenths,
  marketDay: (day) => openBefore(isMexicanBankDay, day),
  began: FIX.began + 7,
  isDay: isDofDay,
  publishedAt: (day) => atWallTime("America/Mexico_City", day, 7, 0),
});

/** The Diario has issues on bank days except 5 May: the next issue is not always on the next bank day. */
function isDofDay(day: Day): boolean {
  return isMexicanBankDay(day) && day !== dayOf(yearOf(day), 5, 5);
}

const RANGE = /^\/dof\/sidof\/indicadores\/(\d+)\/(\d{2}-\d{2}-\d{4})\/(\d{2}-\d{2}-\d{4})$/;
export const DOLLAR_INDICATOR = "158";

export function sidof(request: DemoRequest): Answer {
  const [, indicator, first = "", last = ""] = RANGE.exec(request.url.pathname) ?? [];
  const [from, to] = [readDay(first), readDay(last)];
  if (from === null || to === null) return notFound();
  const issues = indicator === DOLLAR_INDICATOR ? issuesOf(request, from, to) : [];
  const listed = issues.map(({ day, date, value }) => ({
    // Stable: a row keeps its number.
    codIndicador: 2 * day,
    codTipoIndicador: 158,
    fecha: date,
    valor: value,
  }));
  return json({
    messageCode: 200,
    response: "OK",
    ListaIndicadores: listed,
    TotalIndicadores: listed.length,
  });
}

/** Figures of the dollar in the issues of a period, with their dates as the Diario prints them. */
export function issuesOf(request: DemoRequest, from: Day, to: Day) {
  const sheet = officialSheet(request, DOF);
  return sheet.days(from, to).map((day) => ({
    day,
    date: dayMonthYear(sheet.printedDay(day), "-"),
    // Six digits after the point; Banxico gave four.
    value: `${sheet.printed(DOLLAR, day)}00`,
  }));
}

/** Reads `31/12/2026` or `31-12-2026`. */
export function readDay(text: string): Day | null {
  const [, date, month, year] = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text) ?? [];
  return dayFrom(year, month, date);
}
