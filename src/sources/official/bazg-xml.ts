/** One day of the Swiss customs' rates: `<wechselkurse>` with the days of its validity, and francs for 1, 100 or 1000 units. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, textOf, type XmlElement } from "#sources/xml.ts";
import { conclude, readCode, readRate, readTableDay, readUnit } from "./reading.ts";

const WHAT = "BAZG daily rates";
/** The office was renamed in 2022. The same service has a monthly average under another name, which is not this table. */
const NAMESPACE = /^https:\/\/www\.backend-rates\.(?:bazg|ezv)\.admin\.ch\/xmldaily$/;
const DATE = /^(\d{2})\.(\d{2})\.(\d{4})$/;
const AMOUNT = /^(\d+) ([A-Z]{3})$/;
const ADDRESS = /[?&]d=(\d{8})(?:&|$)/;
/** A determination is valid from the next day; a few more for holidays. */
export const BAZG_DAYS_AHEAD = 5;
/** Longer than any run of closed days. */
const LONGEST_VALIDITY_DAYS = 12;

/**
 * The publication named by its day of determination, `2023-11-03`, valid on the days that it lists. When it was made is
 * printed as a time without a zone, so that no instant is taken from it. Throws BrokenDocument.
 */
export function parseBazgXml(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const table = readElements(decodeText(document.bytes, WHAT), WHAT);
  if (table.name !== "wechselkurse" || !NAMESPACE.test(table.attributes.get("xmlns") ?? "")) {
    throw new BrokenDocument(
      `${WHAT}: the document is a ${table.name} of ${quoted(table.attributes.get("xmlns") ?? "")}`,
    );
  }
  const printed = textOf(table, "datum", WHAT);
  const determined = readTableDay(dayFrom(printed), printed, { zone: "Europe/Zurich" }, document, WHAT);
  // A day without a determination may be answered with the one before it, never with a later one.
  const asked = ADDRESS.exec(document.url)?.[1];
  if (asked !== undefined && formatDay(determined).replaceAll("-", "") > asked) {
    throw new BrokenDocument(`${WHAT}: ${printed} stands under ${document.url}`);
  }
  const validity = validityOf(textOf(table, "gueltigkeit", WHAT), determined);
  const publication = publicationId(formatDay(determined));
  const rows = orderedRows(elementsOf(table, "devise").map(rowOf));
  return conclude(window, [{ publication, ...validity, publishedAt: null, rows }], WHAT);
}

/** The listed days are one run without a gap, which begins on or shortly after the day of determination. */
function validityOf(printed: string, determined: Day): { validFrom: Day; validTo: Day } {
  const days = printed.split(",").map((text) => dayFrom(text.trim()));
  const [validFrom] = days;
  const run = days.every((day, at) => day !== null && day === (validFrom as Day) + at);
  const near =
    typeof validFrom === "number" && validFrom >= determined && validFrom <= determined + BAZG_DAYS_AHEAD;
  if (!run || !near || days.length > LONGEST_VALIDITY_DAYS) {
    throw new BrokenDocument(`${WHAT}: not the days after ${formatDay(determined)}: ${quoted(printed)}`);
  }
  return { validFrom, validTo: validFrom + days.length - 1 };
}

function rowOf(line: XmlElement): OfficialRow {
  const code = attributeOf(line, "code", WHAT).toUpperCase();
  const printed = textOf(line, "waehrung", WHAT);
  const [, amount = "", currency] = AMOUNT.exec(printed) ?? [];
  if (currency !== code) {
    throw new BrokenDocument(`${WHAT}: ${quoted(code)} is counted as ${quoted(printed)}`);
  }
  return {
    base: readCode(code, WHAT),
    quote: "CHF",
    rate: readRate(textOf(line, "kurs", WHAT), WHAT, code),
    unit: readUnit(amount, WHAT, code),
    kind: "sell",
  };
}

function dayFrom(text: string): Day | null {
  const match = DATE.exec(text);
  return match === null ? null : dayOf(Number(match[3]), Number(match[2]), Number(match[1]));
}
