/** Colombia's Tasa Representativa del Mercado, from the open data of the republic. */

import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import { daysSince, publicationOf, type Span, stretches, tableReader, tableSource } from "./reading.ts";

const DATASET = "https://www.datos.gov.co/resource/32sa-8pi3.json";
/** The value of a day is certified on the evening before. */
const DAYS_AHEAD = 1;
/** A row covers at least one day, so a page always holds this span. */
const DAYS_A_PAGE = 400;
/** More than DAYS_A_PAGE: a full page may have been cut off. */
const PAGE_ROWS = 1000;

export const COL_TRM = tableSource({
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
  // The dataset's first value. Twelve days are longer than Holy Week and the closures around Christmas.
  days: daysSince("1991-11-27", 12, DAYS_AHEAD),
  routes: (days) => [
    { name: "datos.gov.co JSON", requests: stretches(days, DAYS_A_PAGE).map(request), read: readTrm },
  ],
});

function request({ from, to }: Span): UpstreamRequest {
  const between = `vigenciadesde between '${formatDay(from)}T00:00:00.000' and '${formatDay(to)}T00:00:00.000'`;
  const url =
    `${DATASET}?$select=valor,unidad,vigenciadesde,vigenciahasta&$where=${encodeURIComponent(between)}` +
    `&$order=vigenciadesde&$limit=${PAGE_ROWS}`;
  return get("json", url);
}

const reader = tableReader("TRM", COL_TRM.zone, { daysAhead: DAYS_AHEAD });
/** Longer than Holy Week with a long weekend: beyond it, one of the two days must be wrong. */
const LONGEST_VALIDITY_DAYS = 14;
/** A calendar day, written as an instant without a zone. */
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.000)?$/;

/**
 * One publication a row, named by its first day and valid to its last day as printed: over a weekend or a holiday one value
 * covers several days. Throws BrokenDocument unless the document is a whole list of such rows.
 */
function readTrm(document: UpstreamDocument): readonly OfficialReading[] {
  const rows = reader.jsonList(document);
  if (rows.length >= PAGE_ROWS) throw reader.broken("a full page, which may be cut off");
  return rows.map((row) => readingOf(row, document));
}

function readingOf(entry: JsonObject, document: UpstreamDocument): OfficialReading {
  const from = textAt(entry, "vigenciadesde") ?? "";
  const to = textAt(entry, "vigenciahasta") ?? "";
  const validFrom = reader.day(document, from, dayOfMidnight);
  const validTo = dayOfMidnight(to);
  if (validTo === null || validTo < validFrom || validTo >= validFrom + LONGEST_VALIDITY_DAYS)
    throw reader.broken(`not a validity: ${quoted(from)} to ${quoted(to)}`);
  const unit = textAt(entry, "unidad") ?? "";
  if (unit !== "COP") throw reader.broken(`counted in ${quoted(unit)}`);
  const name = from.slice(0, 10);
  const rate = reader.rate(digitsAt(entry, "valor") ?? "", `the dollar of ${name}`);
  return publicationOf(name, validFrom, [{ base: "USD", quote: "COP", rate, unit: 1, kind: "mid" }], validTo);
}

function dayOfMidnight(text: string): Day | null {
  return parseDay(MIDNIGHT.exec(text)?.[1] ?? "");
}
