/** Colombia's Tasa Representativa del Mercado: identity, the pages of the open data that cover a window, and their JSON. */

import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { quoted } from "#sources/text.ts";
import { tableReader } from "./reader.ts";
import { publicationOf, requestedWindow, type Span, stretches } from "./reading.ts";

const DATASET = "https://www.datos.gov.co/resource/32sa-8pi3.json";
/** The first value of the dataset. */
const BEGAN = dayOf(1991, 11, 27) as Day;
/** Longer than Holy Week, and the days given around Christmas. */
const LOOKBACK_DAYS = 12;
/** A row has at least a day, so that a page always holds a stretch. */
const DAYS_A_PAGE = 400;

export const COL_TRM: OfficialAdapter = {
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

  /** What is certified on a day is valid from the next one: the window reaches so far ahead. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
    if (requested === null) return [];
    const wanted = { ...requested, to: requested.to + TRM_DAYS_AHEAD };
    const requests = stretches(wanted, DAYS_A_PAGE).map(request);
    return [{ name: "datos.gov.co JSON", requests, parse: (document) => parseTrm(document, wanted) }];
  },
};

function request({ from, to }: Span): UpstreamRequest {
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

/** More than the days of a page's window; a page that is full may have left something out. */
const TRM_PAGE_ROWS = 1000;
/** The value of a day is certified on the evening before. */
const TRM_DAYS_AHEAD = 1;
const reader = tableReader("TRM", COL_TRM, TRM_DAYS_AHEAD);
/** Holy Week and a bridge are shorter: a longer validity is a mistake in one of its two days. */
const LONGEST_VALIDITY_DAYS = 14;
/** A calendar day, written as an instant without a zone. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.000)?$/;

/**
 * One publication a row, named by the first day of its validity and valid to its last day as printed: over a weekend or
 * a holiday one value has several days. Throws BrokenDocument on anything but a whole list of such rows.
 */
function parseTrm(document: UpstreamDocument, window: Span): OfficialParsed {
  const rows = reader.jsonList(document);
  if (rows.length >= TRM_PAGE_ROWS) throw reader.broken(`a full page, which may be cut off`);
  const readings = rows.map((row) => readingOf(row, document));
  return reader.conclude(window, readings);
}

function readingOf(entry: JsonObject, document: UpstreamDocument): OfficialReading {
  const from = textAt(entry, "vigenciadesde") ?? "";
  const to = textAt(entry, "vigenciahasta") ?? "";
  const validFrom = reader.day(document, dayOfMidnight(from), from);
  const validTo = dayOfMidnight(to);
  if (validTo === null || validTo < validFrom || validTo >= validFrom + LONGEST_VALIDITY_DAYS)
    throw reader.broken(`not a validity: ${quoted(from)} to ${quoted(to)}`);
  const unit = textAt(entry, "unidad") ?? "";
  if (unit !== COL_TRM.currency) throw reader.broken(`counted in ${quoted(unit)}`);
  const digits = textAt(entry, "valor") ?? digitsAt(entry, "valor") ?? "";
  const name = from.slice(0, 10);
  const rate = reader.rate(digits, `the dollar of ${name}`);
  const row = { base: "USD", quote: COL_TRM.currency, rate, unit: 1, kind: "mid" } as const;
  return publicationOf(name, validFrom, [row], validTo);
}

function dayOfMidnight(text: string): Day | null {
  return parseDay(MIDNIGHT.exec(text)?.[1] ?? "");
}
