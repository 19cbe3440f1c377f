/** The answer of the Hungarian central bank's SOAP service: an envelope that holds XML as text, decimals with a comma. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/faults.ts";
import type { OfficialReading, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, type XmlElement } from "#sources/xml.ts";
import { conclude, readCode, readRate, readTableDay, readUnit } from "./reading.ts";

const WHAT = "MNB rates";
const COMMA_DECIMAL = /^\d+(?:,\d+)?$/;
/** From the envelope to the text that holds the inner document. */
const PATH = ["Envelope", "Body", "GetExchangeRatesResponse", "GetExchangeRatesResult"];

/**
 * Every day of an answer to GetExchangeRates, named by its date and valid from it until the next. The answer is XML that
 * is text inside XML. Throws BrokenDocument, and UpstreamFault where the service answers with a SOAP fault.
 */
export function parseMnbAnswer(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: Pick<OfficialTable, "zone" | "currency">,
): OfficialParsed {
  const inner = innerText(readElements(decodeText(document.bytes, WHAT), WHAT));
  const list = readElements(inner, WHAT);
  if (list.name !== "MNBExchangeRates") throw new BrokenDocument(`${WHAT}: the answer is a ${list.name}`);
  return conclude(
    window,
    elementsOf(list, "Day").map((day) => readingOf(day, document, table)),
    WHAT,
  );
}

function innerText(envelope: XmlElement): string {
  let element = envelope;
  for (const [depth, name] of PATH.entries()) {
    if (depth > 0) element = soleChild(element);
    if (localName(element) === "Fault") {
      throw new UpstreamFault("status", `${WHAT}: ${quoted(faultText(element))}`);
    }
    if (localName(element) !== name) {
      throw new BrokenDocument(`${WHAT}: ${element.name} where ${name} belongs`);
    }
  }
  return element.text;
}

function soleChild(element: XmlElement): XmlElement {
  const [child, ...more] = element.children;
  if (child !== undefined && more.length === 0) return child;
  throw new BrokenDocument(`${WHAT}: ${element.children.length} elements in ${element.name}`);
}

function faultText(fault: XmlElement): string {
  return fault.children.find((child) => localName(child) === "faultstring")?.text ?? "fault";
}

function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

function readingOf(
  line: XmlElement,
  document: UpstreamDocument,
  table: Pick<OfficialTable, "zone" | "currency">,
): OfficialReading {
  const printed = attributeOf(line, "date", WHAT);
  const day: Day = readTableDay(parseDay(printed), printed, table, document, WHAT);
  const rows = elementsOf(line, "Rate").map((rate) => rowOf(rate, printed, table.currency));
  return {
    publication: publicationId(printed),
    validFrom: day,
    validTo: null,
    publishedAt: null,
    rows: orderedRows(rows),
  };
}

/** The bank writes decimals with a comma; a point would separate thousands, which it does not write. */
function rowOf(element: XmlElement, date: string, quote: string): OfficialRow {
  const base = readCode(attributeOf(element, "curr", WHAT), WHAT);
  const of = `${base} on ${date}`;
  if (!COMMA_DECIMAL.test(element.text)) {
    throw new BrokenDocument(`${WHAT}: ${of} is not a rate: ${quoted(element.text)}`);
  }
  return {
    base,
    quote,
    rate: readRate(element.text.replace(",", "."), WHAT, of),
    unit: readUnit(attributeOf(element, "unit", WHAT), WHAT, of),
    kind: "mid",
  };
}
