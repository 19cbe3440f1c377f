/** NBP's API as JSON: a list of tables, each with its own number. Rates are JSON numbers, taken digit by digit. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { publicationId } from "#domain/official/publication-id.ts";
import { orderedRows } from "#domain/official/rows.ts";
import { parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { digitsAt, type JsonObject, objectsAt, textAt } from "#sources/live/json-text.ts";
import { quoted } from "#sources/text.ts";
import { conclude, readCode, readRate, readTableDay } from "./reading.ts";
import { readJsonObjects, withoutExponent } from "./reading-json.ts";

const NUMBER = /^\d{1,4}\/([ABC])\/NBP\/\d{4}$/;
/** How NBP says, in place of a list and with status 404, that a window has no table. Its other words for 404 are a fault. */
const NOTHING = /^404 NotFound - Not Found - Brak danych\s*$/;

export interface NbpTable {
  readonly table: OfficialTable;
  readonly letter: "A" | "B" | "C";
}

/** The members of a currency that are rates of the table: a mean, or what the bank pays and what it asks. */
const FIGURES = {
  A: [["mid", "mid"]],
  B: [["mid", "mid"]],
  C: [
    ["bid", "buy"],
    ["ask", "sell"],
  ],
} as const;

/** One publication a table, named by NBP's own number: `041/A/NBP/2026` is `041-A-NBP-2026`. Throws BrokenDocument. */
export function parseNbp(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  { table, letter }: NbpTable,
): OfficialParsed {
  const what = `NBP table ${letter}`;
  if (NOTHING.test(new TextDecoder("latin1").decode(document.bytes.subarray(0, 100)))) {
    return conclude(window, [], what);
  }
  return conclude(window, readJsonObjects(document.bytes, what).map(publicationOf), what);

  function publicationOf(one: JsonObject): OfficialReading {
    const number = textAt(one, "no") ?? "";
    if (textAt(one, "table") !== letter || NUMBER.exec(number)?.[1] !== letter) {
      throw new BrokenDocument(`${what}: not such a table: ${quoted(number)}`);
    }
    const printedDay = textAt(one, "effectiveDate") ?? "";
    const validFrom = readTableDay(parseDay(printedDay), printedDay, table, document, what);
    const rows = objectsAt(one, "rates", what).flatMap((rate) => {
      const base = readCode(textAt(rate, "code") ?? "", what);
      return FIGURES[letter].map(([member, kind]) => {
        const digits = withoutExponent(digitsAt(rate, member) ?? "");
        const printed = readRate(digits, what, `${base} ${member} in ${number}`);
        return { base, quote: table.currency, rate: printed, unit: 1, kind };
      });
    });
    return {
      publication: publicationId(number),
      validFrom,
      validTo: null,
      publishedAt: null,
      rows: orderedRows(rows),
    };
  }
}
