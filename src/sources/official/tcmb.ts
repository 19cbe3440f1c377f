/** The indicative rates of the Turkish central bank. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, yearOf } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import { dayMonthYear, daysSince, publicationOf, tableReader, tableSource, weekdaysOf } from "./reading.ts";

export const TUR_INDICATIVE = tableSource({
  id: "tur_indicative",
  country: "TUR",
  types: ["indicative", "bulletin"],
  title: "TCMB indicative exchange rates",
  authority: "Central Bank of the Republic of Türkiye (TCMB)",
  homepage: "https://www.tcmb.gov.tr/kurlar/today.xml",
  terms:
    "Source: Central Bank of the Republic of Türkiye, indicative exchange rates, reproduced as published. " +
    "Forex buying and selling only: its rates for banknotes are not part of this table.",
  cadence: "daily",
  zone: "Europe/Istanbul",
  currency: "TRY",
  // Earlier bulletins are in the old lira (TRL, a million to one). Twelve days are longer than the longest feast.
  days: daysSince("2005-01-03", 12),

  /** latest: the newest bulletin, else one per weekday. A day on which the bank is closed has no bulletin: not found. */
  routes(days, reach) {
    const requests = weekdaysOf(days).map(bulletinOf);
    const dated = { name: "bulletins by day", requests, mayBeAbsent: true, read: readTcmb } as const;
    if (reach !== "latest") return [dated];
    return [{ name: "newest bulletin", requests: [request("today")], read: readTcmb }, dated];
  },
});

function bulletinOf(day: Day): UpstreamRequest {
  const [year, month, date] = formatDay(day).split("-");
  return request(`${year}${month}/${date}${month}${year}`);
}

function request(path: string): UpstreamRequest {
  return get("xml", `https://www.tcmb.gov.tr/kurlar/${path}.xml`);
}

const reader = tableReader("TCMB bulletin", TUR_INDICATIVE.zone);
const AMERICAN = /^(\d{2})\/(\d{2})\/(\d{4})$/;
const NUMBER = /^(\d{4})\/\d{1,3}$/;
const ADDRESS = /\/\d{6}\/(\d{2})(\d{2})(\d{4})\.xml$/;
/** The bank's bid and ask. The sheet's other tables, banknotes and cross rates, are left out. */
const FIGURES = [
  ["ForexBuying", "buy"],
  ["ForexSelling", "sell"],
] as const;

/** The publication named by its bulletin, `2026-166`, valid from its day until the next. Throws BrokenDocument. */
function readTcmb(document: UpstreamDocument): readonly OfficialReading[] {
  const bulletin = reader.xml(document);
  if (bulletin.name !== "Tarih_Date") throw reader.broken(`the document is a ${bulletin.name}`);
  const day = reader.day(document, "Tarih", () => dateOf(bulletin));
  const requested = ADDRESS.exec(document.url);
  if (requested !== null && day !== dayOf(Number(requested[3]), Number(requested[2]), Number(requested[1])))
    throw reader.broken(`the bulletin of ${formatDay(day)} was published under ${document.url}`);
  const number = reader.attribute(bulletin, "Bulten_No");
  if (NUMBER.exec(number)?.[1] !== `${yearOf(day)}`)
    throw reader.broken(`not the number of a bulletin of ${formatDay(day)}: ${quoted(number)}`);
  return [publicationOf(number, day, elementsOf(bulletin, "Currency").flatMap(rowsOf))];
}

function dateOf(bulletin: XmlElement): Day {
  const turkish = reader.attribute(bulletin, "Tarih");
  const american = reader.attribute(bulletin, "Date");
  const [, month, date, year] = AMERICAN.exec(american) ?? [];
  const day = dayMonthYear(turkish, ".");
  if (day !== null && day === dayOf(Number(year), Number(month), Number(date))) return day;
  throw reader.broken(`${quoted(turkish)} and ${quoted(american)} are not one date`);
}

function rowsOf(line: XmlElement): readonly OfficialRow[] {
  const base = reader.code(reader.attribute(line, "CurrencyCode"));
  if (reader.attribute(line, "Kod") !== base)
    throw reader.broken(`${base} is also ${quoted(reader.attribute(line, "Kod"))}`);
  const unit = reader.unit(reader.textOf(line, "Unit"), base);
  return FIGURES.flatMap(([name, kind]) => {
    const printed = reader.textOf(line, name);
    // The bank does not quote both sides of every currency: special drawing rights have no selling rate.
    if (printed === "") return [];
    return [{ base, quote: "TRY", rate: reader.rate(printed, `${base} ${name}`), unit, kind }];
  });
}
