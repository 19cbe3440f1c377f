/** CNB's API, the fixings of a year as JSON: one list for all days, each line with its own. Numbers digit by digit. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { digitsAt, objectsAt, readJsonObject, textAt } from "#sources/live/json-text.ts";
import { type CnbLine, fixingOf } from "./cnb-fixing.ts";
import { conclude, readTableDay } from "./reading.ts";
import { withoutExponent } from "./reading-json.ts";

const WHAT = "CNB year";

/** One publication a day; an empty list is a year without one yet. Throws BrokenDocument. */
export function parseCnbJson(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: OfficialTable,
): OfficialParsed {
  const byDay = new Map<string, { readonly day: Day; readonly lines: CnbLine[] }>();
  for (const line of objectsAt(readJsonObject(document.bytes, WHAT), "rates", WHAT)) {
    const printedDay = textAt(line, "validFor") ?? "";
    let fixing = byDay.get(printedDay);
    if (fixing === undefined) {
      const day = readTableDay(parseDay(printedDay), printedDay, table, document, WHAT);
      fixing = { day, lines: [] };
      byDay.set(printedDay, fixing);
    }
    fixing.lines.push({
      code: textAt(line, "currencyCode") ?? "",
      amount: digitsAt(line, "amount") ?? "",
      rate: withoutExponent(digitsAt(line, "rate") ?? ""),
    });
  }
  return conclude(
    window,
    [...byDay.values()].map(({ day, lines }) => fixingOf(day, lines, WHAT)),
    WHAT,
  );
}
