/** Mexico's Diario Oficial: the dollar for tax and for debts payable in Mexico, by the day of the issue it stands in. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { parseDofPage } from "./dof-page.ts";
import { parseSidof } from "./dof-sidof.ts";
import { askedOf, printDayMonthYear, stretches } from "./reading.ts";

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
export const DOF_TABLE: OfficialTable = {
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
};

/** SIDOF's JSON first, else the page of the Diario's own site. No credentials. */
export const MEX_DOF: OfficialAdapter = {
  ...DOF_TABLE,
  routes(window) {
    const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
    if (asked === null) return [];
    return [
      route(asked, "SIDOF", parseSidof, (from, to) => ({
        url: `${SIDOF}/${printDayMonthYear(from, "-")}/${printDayMonthYear(to, "-")}`,
        accept: "application/json",
        maxBytes: MEGABYTE,
        timeoutSeconds: 30,
      })),
      route(asked, "page", parseDofPage, (from, to) => ({
        url: `${PAGE}&dfecha=${printDayMonthYear(from, "%2F")}&hfecha=${printDayMonthYear(to, "%2F")}`,
        accept: "text/html",
        maxBytes: 2 * MEGABYTE,
        timeoutSeconds: 30,
      })),
    ];
  },
};

function route(
  asked: OfficialWindow,
  name: string,
  parse: typeof parseSidof,
  requestOf: (from: Day, to: Day) => UpstreamRequest,
): OfficialRoute {
  const requests = stretches(asked.from, asked.to, DAYS_A_REQUEST).map(({ from, to }) => requestOf(from, to));
  return { name, requests, parse: (document) => parse(document, asked, DOF_TABLE) };
}
