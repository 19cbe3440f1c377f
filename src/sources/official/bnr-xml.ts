/** BNR's XML: `<Cube date>` holding `<Rate currency multiplier>digits</Rate>`. One schema for ten days and for a year. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialReading, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText } from "#sources/text.ts";
import { attributeOf, elementOf, elementsOf, readElements, textOf, type XmlElement } from "#sources/xml.ts";
import { conclude, readCode, readRate, readTableDay, readUnit } from "./reading.ts";

const WHAT = "BNR XML";
/** ISO 4217 means an ounce of it, BNR a gram: under that code the figure would be wrong by a factor of 31. */
const GOLD = "XAU";
/** A dash in place of digits is a currency without a rate, not a broken one. */
const NO_RATE = "-";

/** One publication a cube, named by its day; an envelope without cubes is empty. Throws BrokenDocument. */
export function parseBnr(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: OfficialTable,
): OfficialParsed {
  const root = readElements(decodeText(document.bytes, WHAT), WHAT);
  if (root.name !== "DataSet") throw new BrokenDocument(`${WHAT}: the document is not a DataSet`);
  const body = elementOf(root, "Body", WHAT);
  if (textOf(body, "OrigCurrency", WHAT) !== table.currency) {
    throw new BrokenDocument(`${WHAT}: the rates are not in ${table.currency}`);
  }
  return conclude(window, elementsOf(body, "Cube").map(publicationOf), WHAT);

  function publicationOf(cube: XmlElement): OfficialReading {
    const date = attributeOf(cube, "date", WHAT);
    const validFrom = readTableDay(parseDay(date), date, table, document, WHAT);
    const publication = formatDay(validFrom);
    const rows = cube.children.flatMap((rate) => rowOf(rate, publication));
    return { publication, validFrom, validTo: null, publishedAt: null, rows: orderedRows(rows) };
  }
}

function rowOf(rate: XmlElement, publication: string): readonly OfficialRow[] {
  if (rate.name !== "Rate" || rate.children.length > 0) {
    throw new BrokenDocument(`${WHAT}: a cube of ${publication} holds more than rates`);
  }
  const base = readCode(attributeOf(rate, "currency", WHAT), WHAT);
  if (base === GOLD || rate.text === NO_RATE) return [];
  const of = `${base} of ${publication}`;
  const printed = readRate(rate.text, WHAT, of);
  const unit = readUnit(rate.attributes.get("multiplier") ?? "1", WHAT, of);
  return [{ base, quote: "RON", rate: printed, unit, kind: "mid" }];
}
