/** Colombia's Tasa Representativa del Mercado: identity, and which pages of the open data cover a window. They are read in trm-json.ts. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { askedOf, stretches } from "./reading.ts";
import { parseTrm, TRM_DAYS_AHEAD, TRM_PAGE_ROWS } from "./trm-json.ts";

const DATASET = "https://www.datos.gov.co/resource/32sa-8pi3.json";
/** The first value of the dataset. */
const BEGAN = dayOf(1991, 11, 27) as Day;
/** Longer than Holy Week, and the days given around Christmas. */
const LOOKBACK_DAYS = 12;
/** A row has at least a day, so that a page always holds a stretch. */
const DAYS_A_PAGE = 400;

const TRM_TABLE: OfficialTable = {
  id: "col_trm",
  country: "COL",
  types: ["trm"],
  title: "Tasa Representativa del Mercado (TRM), pesos for a US dollar",
  authority: "Superintendencia Financiera de Colombia",
  homepage: "https://www.datos.gov.co/d/32sa-8pi3",
  terms:
    "Source: Superintendencia Financiera de Colombia, Tasa Representativa del Mercado, " +
    "through the open data of the Republic of Colombia (datos.gov.co), reproduced as published.",
  cadence: "daily",
  zone: "America/Bogota",
  currency: "COP",
};

/** What is certified on a day is valid from the next one: the window reaches so far ahead. */
export const COL_TRM: OfficialAdapter = {
  ...TRM_TABLE,
  routes(window) {
    const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
    if (asked === null) return [];
    const wanted = { ...asked, to: asked.to + TRM_DAYS_AHEAD };
    const requests = stretches(wanted.from, wanted.to, DAYS_A_PAGE).map(({ from, to }) => request(from, to));
    return [
      { name: "datos.gov.co JSON", requests, parse: (document) => parseTrm(document, wanted, TRM_TABLE) },
    ];
  },
};

function request(from: Day, to: Day): UpstreamRequest {
  const between = `vigenciadesde between '${formatDay(from)}T00:00:00.000' and '${formatDay(to)}T00:00:00.000'`;
  return {
    url:
      `${DATASET}?$select=valor,unidad,vigenciadesde,vigenciahasta&$where=${encodeURIComponent(between)}` +
      `&$order=vigenciadesde&$limit=${TRM_PAGE_ROWS}`,
    accept: "application/json",
    maxBytes: 1024 * 1024,
    timeoutSeconds: 30,
  };
}
