/** Mexico's Diario Oficial: SIDOF's JSON, which reports its faults with status 200, and the page of an indicator in Latin-1. */

import { dayFrom, dayMonthYear } from "#demo/print.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { isMexicanBankDay } from "#domain/official/mexican-days.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, dayOf, yearOf } from "#domain/time/day.ts";
import { FIX } from "./banxico.ts";
import { dailyTable, officialSheet, openBefore, type SimulatedTable } from "./sheet.ts";

const DOLLAR = { code: "USD", unit: 1, decimals: 4 } as const;

/** An issue prints the FIX of the bank day before it. */
export const DOF: SimulatedTable = dailyTable({
  id: "mex_dof",
  currency: "MXN",
  lines: FIX.lines,
  sixteenths: FIX.sixteenths,
  marketDay: (day) => openBefore(isMexicanBankDay, day),
  began: FIX.began + 7,
  isDay: isDofDay,
  publishedAt: (day) => atWallTime("America/Mexico_City", day, 7, 0),
});

/** The Diario has issues on bank days, but for 5 May: its day is never simply the next bank day. */
function isDofDay(day: Day): boolean {
  return isMexicanBankDay(day) && day !== dayOf(yearOf(day), 5, 5);
}

const RANGE = /^\/dof\/sidof\/indicadores\/(\d+)\/(\d{2}-\d{2}-\d{4})\/(\d{2}-\d{2}-\d{4})$/;
const DOLLAR_INDICATOR = "158";

export function sidof(request: DemoRequest): Answer {
  const [, indicator, first = "", last = ""] = RANGE.exec(request.url.pathname) ?? [];
  const [from, to] = [readDay(first), readDay(last)];
  if (from === null || to === null) return json({ messageCode: 400, response: "BAD_REQUEST" });
  const issues = indicator === DOLLAR_INDICATOR ? issuesOf(request, from, to) : [];
  const listed = issues.map(({ day, date, value }) => ({
    // One number for each row, for ever.
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

export function dofPage(request: DemoRequest): Answer {
  const of = (name: string) => request.url.searchParams.get(name) ?? "";
  if (request.url.pathname !== "/indicadores_detalle.php") return notFound();
  const [from, to] = [readDay(of("dfecha")), readDay(of("hfecha"))];
  const isDollar = of("cod_tipo_indicador") === DOLLAR_INDICATOR;
  const issues = isDollar && from !== null && to !== null ? issuesOf(request, from, to) : [];
  const rows = issues.map(
    ({ date, value }) => `     <tr class="Celda 1">
     <td height="17" width="48%" align="center" class="txt" style="padding: 3px;">${date}</td>
     <td width="52%" align="center" class="txt">${value}</td>
   </tr>\n`,
  );
  const page = `<html><head><title>DOF - Diario Oficial de la Federaci\u00f3n</title></head><body>
<table width="95%" border="0" cellspacing="0" cellpadding="0" align="center">
<tr>
    <td class="txt_blanco" style="padding-left:4px" bgcolor="#737373">${isDollar ? "DOLAR" : "UDIS"}</td>
  </tr>
  <tr>
    <td>
 <table width="70%" border="0" cellspacing="0" cellpadding="0" class="Tabla_borde" align="center">
        <tr class="txt_blanco" bgcolor="#b2b2b2">
          <td height="17" width="48%" align="center" style="padding: 5px;">Fecha</td>
          <td height="17" width="52%" align="center" style="padding: 5px;">Valor</td>
        </tr>
      ${rows.join("")}        </table>
   <br />
    </td>
  </tr>
</table>
<p>Informaci\u00f3n del d\u00eda</p></body></html>
`;
  return { contentType: "text/html", body: () => new Uint8Array(Buffer.from(page, "latin1")) };
}

function issuesOf(request: DemoRequest, from: Day, to: Day) {
  const sheet = officialSheet(request, DOF);
  return sheet.days(from, to).map((day) => ({
    day,
    date: dayMonthYear(sheet.printedDay(day), "-"),
    // Six digits after the point, of which Banxico gave four.
    value: `${sheet.printed(DOLLAR, day)}00`,
  }));
}

function readDay(text: string): Day | null {
  const [, date, month, year] = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text) ?? [];
  return dayFrom(year, month, date);
}

function json(body: unknown): Answer {
  return { contentType: "application/json;charset=UTF-8", body: () => JSON.stringify(body) };
}
