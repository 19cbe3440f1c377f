/** One bulletin of the Turkish central bank: `<Tarih_Date>` holding a `<Currency>` each, liras for 1 or 100 units. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { type Day, dayOf, formatDay, yearOf } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, textOf, type XmlElement } from "#sources/xml.ts";
import { conclude, readCode, readRate, readTableDay, readUnit } from "./reading.ts";

const WHAT = "TCMB bulletin";
const TURKISH = /^(\d{2})\.(\d{2})\.(\d{4})$/;
const AMERICAN = /^(\d{2})\/(\d{2})\/(\d{4})$/;
const NUMBER = /^(\d{4})\/\d{1,3}$/;
const ADDRESS = /\/\d{6}\/(\d{2})(\d{2})(\d{4})\.xml$/;
/** What the bank pays and asks. Rates for banknotes and the crosses are left out: other tables on the same sheet. */
const FIGURES = [
  ["ForexBuying", "buy"],
  ["ForexSelling", "sell"],
] as const;

/** The publication named by its bulletin, `2026-166`, valid from its day until the next. Throws BrokenDocument. */
export function parseTcmbXml(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const bulletin = readElements(decodeText(document.bytes, WHAT), WHAT);
  if (bulletin.name !== "Tarih_Date") throw new BrokenDocument(`${WHAT}: the document is a ${bulletin.name}`);
  const day = readTableDay(dateOf(bulletin), "Tarih", { zone: "Europe/Istanbul" }, document, WHAT);
  const asked = ADDRESS.exec(document.url);
  if (asked !== null && day !== dayOf(Number(asked[3]), Number(asked[2]), Number(asked[1]))) {
    throw new BrokenDocument(`${WHAT}: the bulletin of ${formatDay(day)} stands under ${document.url}`);
  }
  const number = attributeOf(bulletin, "Bulten_No", WHAT);
  if (NUMBER.exec(number)?.[1] !== `${yearOf(day)}`) {
    throw new BrokenDocument(`${WHAT}: not the number of a bulletin of ${formatDay(day)}: ${quoted(number)}`);
  }
  const reading = {
    publication: publicationId(number),
    validFrom: day,
    validTo: null,
    publishedAt: null,
    rows: orderedRows(elementsOf(bulletin, "Currency").flatMap(rowsOf)),
  };
  return conclude(window, [reading], WHAT);
}

/** The day that both spellings agree on: one has the day first and the other the month. */
function dateOf(bulletin: XmlElement): Day {
  const turkish = attributeOf(bulletin, "Tarih", WHAT);
  const american = attributeOf(bulletin, "Date", WHAT);
  const [, date, month, year] = TURKISH.exec(turkish) ?? [];
  const [, sameMonth, sameDate, sameYear] = AMERICAN.exec(american) ?? [];
  const day = dayOf(Number(year), Number(month), Number(date));
  if (day !== null && day === dayOf(Number(sameYear), Number(sameMonth), Number(sameDate))) return day;
  throw new BrokenDocument(`${WHAT}: ${quoted(turkish)} and ${quoted(american)} are not one date`);
}

function rowsOf(line: XmlElement): readonly OfficialRow[] {
  const base = readCode(attributeOf(line, "CurrencyCode", WHAT), WHAT);
  if (attributeOf(line, "Kod", WHAT) !== base) {
    throw new BrokenDocument(`${WHAT}: ${base} is also ${quoted(attributeOf(line, "Kod", WHAT))}`);
  }
  const unit = readUnit(textOf(line, "Unit", WHAT), WHAT, base);
  const rows: OfficialRow[] = [];
  for (const [name, kind] of FIGURES) {
    const printed = textOf(line, name, WHAT);
    // The bank does not ask or pay for every currency: special drawing rights have no selling rate.
    if (printed === "") continue;
    rows.push({ base, quote: "TRY", rate: readRate(printed, WHAT, `${base} ${name}`), unit, kind });
  }
  return rows;
}
