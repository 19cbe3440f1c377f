/** Mexico's Diario Oficial: the dollar for tax and for debts payable in Mexico, by the day of the issue that prints it. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, textAt } from "#sources/json.ts";
import { quoted } from "#sources/text.ts";
import { type TableReader, tableReader } from "./reader.ts";
import {
  dayMonthYear,
  printDayMonthYear,
  publicationOf,
  requestedWindow,
  type Span,
  stretches,
} from "./reading.ts";

const SIDOF = "https://sidof.segob.gob.mx/dof/sidof/indicadores/158";
const PAGE = "https://www.dof.gob.mx/indicadores_detalle.php?cod_tipo_indicador=158";
const BEGAN = dayOf(1991, 11, 12) as Day;
/** Longer than any run of days without an issue. */
const LOOKBACK_DAYS = 14;
const DAYS_A_REQUEST = 366;
const MEGABYTE = 1024 * 1024;

/**
 * Valid from the day of the issue until the next. That day is the Diario's to say and never computed from the FIX: the
 * next issue is not always the next bank day (the FIX of 2010-05-04 was printed on 2010-05-06).
 */
export const MEX_DOF: OfficialAdapter = {
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
  zone: "America/Mexico_City",
  currency: "MXN",

  /** SIDOF's JSON first, else the page of the Diario's own site. No credentials. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
    if (requested === null) return [];
    return [
      route(requested, "SIDOF", parseSidof, ({ from, to }) => ({
        url: `${SIDOF}/${printDayMonthYear(from, "-")}/${printDayMonthYear(to, "-")}`,
        accept: "application/json",
        maxBytes: MEGABYTE,
        timeoutSeconds: 30,
      })),
      route(requested, "page", parseDofPage, ({ from, to }) => ({
        url: `${PAGE}&dfecha=${printDayMonthYear(from, "%2F")}&hfecha=${printDayMonthYear(to, "%2F")}`,
        accept: "text/html",
        maxBytes: 2 * MEGABYTE,
        timeoutSeconds: 30,
      })),
    ];
  },
};

function route(
  requested: Span,
  name: string,
  parse: typeof parseSidof,
  requestOf: (span: Span) => UpstreamRequest,
): OfficialRoute {
  const requests = stretches(requested, DAYS_A_REQUEST).map(requestOf);
  return { name, requests, parse: (document) => parse(document, requested) };
}

const inSidof = tableReader("SIDOF", MEX_DOF);
/** Others in the list are in other units: 159 is the UDI. */
const SIDOF_DOLLAR = "158";

/**
 * One publication an issue; an empty list is a window without one. Throws UpstreamFault for a fault that SIDOF reports in a
 * body with status 200, BrokenDocument on another shape and on a list shorter than its declared length.
 */
function parseSidof(document: UpstreamDocument, window: Span): OfficialParsed {
  const answer = inSidof.json(document);
  const code = digitsAt(answer, "messageCode");
  if (code !== null && code !== "200") {
    const reported = `${inSidof.what}: an error instead of data: ${quoted(code)} ${quoted(textAt(answer, "response") ?? "")}`;
    throw new UpstreamFault(code === "404" ? "not_found" : "status", reported);
  }
  const listed = inSidof.objects(answer, "ListaIndicadores");
  const total = digitsAt(answer, "TotalIndicadores");
  if (total !== null && total !== String(listed.length))
    throw inSidof.broken(`${listed.length} indicators of ${quoted(total)}`);
  const dollars = listed.filter((indicator) => digitsAt(indicator, "codTipoIndicador") === SIDOF_DOLLAR);
  const issues = dollars.flatMap((dollar) => {
    const value = textAt(dollar, "valor")?.trim() ?? "?";
    return issueOf(textAt(dollar, "fecha") ?? "", value, document, inSidof);
  });
  return inSidof.conclude(window, issues);
}

const inPage = tableReader("DOF page", MEX_DOF);
/** The indicator's name is the only text of a cell; the UDI's page has another there. */
const DOLLAR_CELL = /<td[^>]*>\s*DOLAR\s*<\/td>/i;
const HEADING = /<td[^>]*>\s*Fecha\s*<\/td>\s*<td[^>]*>\s*Valor\s*<\/td>\s*<\/tr>/i;
const ROW_BEGINS = /<tr\b/gi;
const ROW = /<tr\b[^>]*>\s*<td[^>]*>\s*([^<]*?)\s*<\/td>\s*<td[^>]*>\s*([^<]*?)\s*<\/td>\s*<\/tr>/gi;

/**
 * One publication a row. Throws BrokenDocument on a page that is not the dollar's, that ends before its table does, or
 * that has a row of another form. A table without rows is a window without an issue.
 */
function parseDofPage(document: UpstreamDocument, window: Span): OfficialParsed {
  // Every byte is a character of Latin-1, so nothing can fail here; what is read is plain ASCII.
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
  const issues = rows.flatMap(([, day = "", value = ""]) => issueOf(day, value, document, inPage));
  return inPage.conclude(window, issues);
}

/** How days without a value are printed. */
const NO_VALUE = new Set(["", "N/E", "N/D"]);

/**
 * The publication that a row `dd-mm-yyyy`, digits is, or none where it has no value. It is named by the day of the issue:
 * SIDOF has a number for each row, but the page does not, and a publication must not have another name when it is read
 * another way. Throws BrokenDocument.
 */
function issueOf(
  printedDay: string,
  value: string,
  document: UpstreamDocument,
  reader: TableReader,
): readonly OfficialReading[] {
  const day = reader.day(document, dayMonthYear(printedDay), printedDay);
  if (NO_VALUE.has(value)) return [];
  const name = formatDay(day);
  const rate = reader.rate(value, `the dollar of ${name}`);
  const row = { base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" } as const;
  return [publicationOf(name, day, [row])];
}
