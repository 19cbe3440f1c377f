/** Banca Națională a României: the reference rates of the leu. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import { daysSince, publicationOf, tableReader, tableSource, yearsOf } from "./reading.ts";

/**
 * Valid from its printed day until the next publication. It is published at about 13:00, so Romanian books use it for the day
 * after. The document does not say that, so the printed day is kept here.
 */
export const ROU_REFERENCE = tableSource({
  id: "rou_reference",
  country: "ROU",
  types: ["reference", "daily"],
  title: "Reference rates of the foreign exchange market, in lei",
  authority: "Banca Națională a României",
  homepage: "https://www.bnr.ro/",
  terms:
    "Source: National Bank of Romania, reference exchange rates, reproduced as published. " +
    "Gold, which the bank prices by the gram, is left out.",
  cadence: "daily",
  zone: "Europe/Bucharest",
  currency: "RON",
  // The files since 2006 are in new lei throughout: the leu was redenominated, 10,000 to 1, on 2005-07-01. The short file
  // holds ten working days, which are at least two weeks.
  days: daysSince("2006-01-01", 14),

  /** latest: the file of the last ten working days, else the year's. Otherwise a file a year. */
  routes(days, reach) {
    const years = yearsOf(days).map((year) => file(`files/xml/years/nbrfxrates${year}.xml`));
    const byYear = { name: "year", requests: years, read: readBnr };
    const tenDays = { name: "ten days", requests: [file("nbrfxrates10days.xml")], read: readBnr };
    return reach === "latest" ? [tenDays, byYear] : [byYear];
  },
});

function file(path: string): UpstreamRequest {
  return get("xml", `https://curs.bnr.ro/${path}`);
}

const reader = tableReader("BNR XML", ROU_REFERENCE.zone);
/** ISO 4217 means an ounce of it, BNR a gram: under that code the figure would be wrong by a factor of 31. */
const GOLD = "XAU";
/** A dash instead of digits is a currency without a rate, not a broken one. */
const NO_RATE = "-";

/** One publication a cube, named by its day; an envelope without cubes is empty. Throws BrokenDocument. */
function readBnr(document: UpstreamDocument): readonly OfficialReading[] {
  const root = reader.xml(document);
  if (root.name !== "DataSet") throw reader.broken("the document is not a DataSet");
  const body = reader.element(root, "Body");
  if (reader.textOf(body, "OrigCurrency") !== "RON") throw reader.broken("the rates are not in RON");
  return elementsOf(body, "Cube").map((cube) => {
    const validFrom = reader.day(document, reader.attribute(cube, "date"));
    const name = formatDay(validFrom);
    const rows = cube.children.flatMap((rate) => rowOf(rate, name));
    return publicationOf(name, validFrom, rows);
  });
}

function rowOf(rate: XmlElement, publication: string): readonly OfficialRow[] {
  if (rate.name !== "Rate" || rate.children.length > 0)
    throw reader.broken(`a cube of ${publication} holds more than rates`);
  const base = reader.code(reader.attribute(rate, "currency"));
  if (base === GOLD || rate.text === NO_RATE) return [];
  const of = `${base} of ${publication}`;
  const printed = reader.rate(rate.text, of);
  const unit = reader.unit(rate.attributes.get("multiplier") ?? "1", of);
  return [{ base, quote: "RON", rate: printed, unit, kind: "mid" }];
}
