/**
 * Mexico's pesos per US dollar. The same number has three validities, so it makes three tables: Banco de México's FIX by day of
 * determination, the Diario Oficial by day of issue, and the settlement rate by day of settlement.
 */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { type Day, formatDay, weekdayOf } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import {
  dayMonthYear,
  daysSince,
  printDayMonthYear,
  publicationOf,
  stretches,
  type TableReader,
  tableReader,
  tableSource,
} from "./reading.ts";

/** Since the first FIX. Fourteen days are longer than any run without a FIX or an issue, Holy Week included. */
const days = (daysAhead?: number) => daysSince("1991-11-12", 14, daysAhead);
const ZONE = "America/Mexico_City";

/** Named by its day: no other name is in every route. */
function dollarOf(day: Day, rate: string): OfficialReading {
  return publicationOf(formatDay(day), day, [{ base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" }]);
}

// ── Banco de México ──────────────────────────────────────────────────────────────────────────────

const SERIES_API = "https://www.banxico.org.mx/SieAPIRest/service/v1/series";
/** 2,500 values and about 100 kilobytes a request; the whole FIX takes four. Banxico allows 200 requests in five minutes. */
const BANXICO_DAYS_A_REQUEST = 3653;
/** A FIX is settled with two bank days later: six days over Easter, and a margin for unforeseen holidays. */
const SETTLEMENT_DAYS_AHEAD = 10;

/** Valid from the day of determination until the next one. */
export const MEX_FIX: OfficialTable = {
  id: "mex_fix",
  country: "MEX",
  types: ["fix", "banxico"],
  title: "FIX: pesos per US dollar, by day of determination",
  authority: "Banco de México",
  homepage: "https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en",
  terms:
    "Source: Banco de México, Sistema de Información Económica, reproduced as published. " +
    "Banco de México neither endorses this service nor answers for it.",
  cadence: "daily",
  zone: ZONE,
  currency: "MXN",
};

/** Published ahead of its validity. */
export const MEX_SETTLEMENT: OfficialTable = {
  ...MEX_FIX,
  id: "mex_settlement",
  types: ["settlement"],
  title: "Pesos per US dollar for settling obligations in foreign currency, by day of settlement",
};

/** Both tables; `token` is Banxico's free API token, sent only as a header. The FIX is announced from 12:00 on. */
export function banxicoAdapters(token: string): readonly OfficialAdapter[] {
  return [
    banxicoTable(MEX_FIX, "SF43718", token, { daysAhead: 0, hour: 12 }),
    banxicoTable(MEX_SETTLEMENT, "SF60653", token, { daysAhead: SETTLEMENT_DAYS_AHEAD }),
  ];
}

/** `series` is Banxico's id, such as `SF43718`: series are found by id, because their titles vary in spacing. */
function banxicoTable(
  table: OfficialTable,
  series: string,
  token: string,
  ahead: { readonly daysAhead: number; readonly hour?: number },
): OfficialAdapter {
  const reader = tableReader("Banxico SIE", ZONE, ahead);
  return tableSource({
    ...table,
    days: days(ahead.daysAhead),
    routes: (days) => [
      {
        name: "SIE",
        requests: stretches(days, BANXICO_DAYS_A_REQUEST).map(({ from, to }) => ({
          ...get("json", `${SERIES_API}/${series}/datos/${formatDay(from)}/${formatDay(to)}`),
          secretHeaders: { "Bmx-Token": token },
          // A refused token and an exhausted limit both have status 400; only the body distinguishes them.
          alsoReads: [400],
        })),
        read: (document) => readSeries(document, series, reader),
      },
    ],
  });
}

const NO_VALUE = "N/E";
/** With decimals: in "17,677" the comma is a decimal one. */
const WITH_THOUSANDS = /^\d{1,3}(?:,\d{3})+\.\d+$/;

/**
 * One series of an answer, one publication per day with a value (`N/E` is none). Throws UpstreamFault for Banxico's own error
 * message, and BrokenDocument when the series is not in the answer exactly once. Also throws BrokenDocument on a rate at a weekend:
 * there has been none since 1991, so it means a day and a month in the wrong order.
 */
function readSeries(
  document: UpstreamDocument,
  series: string,
  reader: TableReader,
): readonly OfficialReading[] {
  const answer = reader.json(document);
  const error = answer.get("error");
  if (error instanceof Map) throw banxicoFault(error, reader);
  const listed = reader.objects(reader.object(answer, "bmx"), "series");
  const [only, ...more] = listed.filter((one) => textAt(one, "idSerie") === series);
  if (only === undefined || more.length > 0)
    throw reader.broken(`${series} is there ${only === undefined ? 0 : more.length + 1} times, not once`);
  // A series without a value in the window lacks `datos`.
  const values = only.has("datos") ? reader.objects(only, "datos") : [];
  return values.flatMap((value) => {
    const printed = textAt(value, "dato")?.trim() ?? "";
    if (printed === NO_VALUE) return [];
    const day = reader.day(document, textAt(value, "fecha"), dayMonthYear);
    if (weekdayOf(day) % 6 === 0) throw reader.broken(`${series} has a rate on ${formatDay(day)}, a weekend`);
    const digits = WITH_THOUSANDS.test(printed) ? printed.replaceAll(",", "") : printed;
    return [dollarOf(day, reader.rate(digits, `${series} of ${formatDay(day)}`))];
  });
}

function banxicoFault(error: JsonObject, { what }: TableReader): UpstreamFault {
  const reported = textAt(error, "mensaje") ?? "";
  const detail = `${what}: an error instead of data: ${quoted(reported)}`;
  const seconds = digitsAt(error, "secondsToReset") ?? "";
  if (seconds !== "" || /l[ií]mite/i.test(reported))
    return new UpstreamFault("rate_limited", detail, /^\d{1,6}$/.test(seconds) ? Number(seconds) : null);
  return new UpstreamFault(/token/i.test(reported) ? "refused_credentials" : "status", detail);
}

// ── Diario Oficial ───────────────────────────────────────────────────────────────────────────────

const SIDOF = "https://sidof.segob.gob.mx/dof/sidof/indicadores/158";
const PAGE = "https://www.dof.gob.mx/indicadores_detalle.php?cod_tipo_indicador=158";
const DOF_DAYS_A_REQUEST = 366;

/**
 * Valid from the day of the issue until the next issue. The day is read from the Diario, never computed from the FIX: the
 * next issue is not always on the next bank day (the FIX of 2010-05-04 was printed on 2010-05-06).
 */
export const MEX_DOF = tableSource({
  id: "mex_dof",
  country: "MEX",
  types: ["dof", "tax"],
  title: "Pesos per US dollar as published in the Diario Oficial de la Federación, by day of issue",
  authority: "Secretaría de Gobernación, Diario Oficial de la Federación",
  homepage: "https://www.dof.gob.mx/indicadores.php",
  terms:
    "Source: Diario Oficial de la Federación, indicator 158, as determined by Banco de México and reproduced as " +
    "published. The printed issue alone has legal force.",
  cadence: "daily",
  zone: ZONE,
  currency: "MXN",
  days: days(),

  /** SIDOF's JSON, else the page of the Diario's own site. Neither needs credentials. */
  routes(days) {
    const spans = stretches(days, DOF_DAYS_A_REQUEST);
    const ofSidof = spans.map(({ from, to }) =>
      get("json", `${SIDOF}/${printDayMonthYear(from, "-")}/${printDayMonthYear(to, "-")}`),
    );
    const pages = spans.map(({ from, to }) => {
      const query = `dfecha=${printDayMonthYear(from, "%2F")}&hfecha=${printDayMonthYear(to, "%2F")}`;
      return get("html", `${PAGE}&${query}`);
    });
    return [
      { name: "SIDOF", requests: ofSidof, read: readSidof },
      { name: "page", requests: pages, read: readPage },
    ];
  },
});

const inSidof = tableReader("SIDOF", ZONE);
/** Other indicators in the list have other units: 159 is the UDI. */
const SIDOF_DOLLAR = "158";

/**
 * One publication an issue; an empty list is a window without an issue. Throws UpstreamFault for an error that SIDOF reports in a
 * body with status 200, BrokenDocument on another shape or on a list that is not of its declared length.
 */
function readSidof(document: UpstreamDocument): readonly OfficialReading[] {
  const answer = inSidof.json(document);
  const code = digitsAt(answer, "messageCode");
  if (code !== null && code !== "200") {
    const reported = `${quoted(code)} ${quoted(textAt(answer, "response") ?? "")}`;
    const detail = `${inSidof.what}: an error instead of data: ${reported}`;
    throw new UpstreamFault(code === "404" ? "not_found" : "status", detail);
  }
  const listed = inSidof.objects(answer, "ListaIndicadores");
  const total = digitsAt(answer, "TotalIndicadores");
  if (total !== null && total !== String(listed.length))
    throw inSidof.broken(`${listed.length} indicators of ${quoted(total)}`);
  const dollars = listed.filter((indicator) => digitsAt(indicator, "codTipoIndicador") === SIDOF_DOLLAR);
  return dollars.flatMap((dollar) => {
    const value = textAt(dollar, "valor")?.trim() ?? "?";
    return issueOf(textAt(dollar, "fecha") ?? "", value, document, inSidof);
  });
}

const inPage = tableReader("DOF page", ZONE);
/** The indicator's name is the only text of a cell; the page of the UDI has its own name there. */
const DOLLAR_CELL = /<td[^<>]*>\s*DOLAR\s*<\/td>/i;
const HEADING = /<td[^<>]*>\s*Fecha\s*<\/td>\s*<td[^<>]*>\s*Valor\s*<\/td>\s*<\/tr>/i;
const ROW_BEGINS = /<tr\b/gi;
const ROW = /<tr\b[^<>]*>\s*<td[^<>]*>([^<]*)<\/td>\s*<td[^<>]*>([^<]*)<\/td>\s*<\/tr>/gi;

/**
 * One publication a row; a table without rows is a window without an issue. Throws BrokenDocument on a page of another
 * indicator, on one cut off within its table, and on a row of another form.
 */
function readPage(document: UpstreamDocument): readonly OfficialReading[] {
  // Latin-1 decodes any byte; everything read from the page is ASCII.
  const page = new TextDecoder("latin1").decode(document.bytes);
  const heading = HEADING.exec(page);
  if (heading === null || !DOLLAR_CELL.test(page.slice(0, heading.index)))
    throw inPage.broken("not the page of the dollar");
  const start = heading.index + heading[0].length;
  const end = page.indexOf("</table>", start);
  if (end === -1) throw inPage.broken("cut off, its table does not end");
  const body = page.slice(start, end);
  const rows = [...body.matchAll(ROW)];
  const begun = body.match(ROW_BEGINS)?.length ?? 0;
  if (rows.length !== begun) throw inPage.broken(`${rows.length} of ${begun} rows are a day and a value`);
  return rows.flatMap(([, day = "", value = ""]) => issueOf(day.trim(), value.trim(), document, inPage));
}

/** What a day without an issue prints as its value. */
const NO_ISSUE = new Set(["", "N/E", "N/D"]);

function issueOf(
  printedDay: string,
  value: string,
  document: UpstreamDocument,
  reader: TableReader,
): readonly OfficialReading[] {
  const day = reader.day(document, printedDay, dayMonthYear);
  return NO_ISSUE.has(value) ? [] : [dollarOf(day, reader.rate(value, `the dollar of ${formatDay(day)}`))];
}
