/** CNB's daily.txt in English: the day and its number in the year, a heading, and a line a currency, with bars between. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { type CnbLine, fixingOf } from "./cnb-fixing.ts";
import { conclude, readTableDay } from "./reading.ts";

const WHAT = "CNB text";
const FIRST_LINE = /^(\d{2}) ([A-Z][a-z]{2}) (\d{4}) #[1-9]\d{0,2}$/;
const HEADING = "Country|Currency|Amount|Code|Rate";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The one fixing of a document. Throws BrokenDocument, also when the last line has no end: its rate may be half a rate. */
export function parseCnbText(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: OfficialTable,
): OfficialParsed {
  const lines = decodeText(document.bytes, WHAT).split(/\r?\n/);
  if (lines.pop() !== "") throw new BrokenDocument(`${WHAT}: cut off, the last line has no end`);
  const [first = "", heading, ...rest] = lines;
  if (heading !== HEADING) throw new BrokenDocument(`${WHAT}: unknown heading ${quoted(heading ?? "")}`);
  const day = readTableDay(dayIn(first), first, table, document, WHAT);
  return conclude(window, [fixingOf(day, rest.map(readLine), WHAT)], WHAT);
}

function dayIn(firstLine: string): Day | null {
  const [, date, month = "", year] = FIRST_LINE.exec(firstLine) ?? [];
  return year === undefined ? null : dayOf(Number(year), MONTHS.indexOf(month) + 1, Number(date));
}

function readLine(line: string): CnbLine {
  const cells = line.split("|");
  const [, , amount = "", code = "", rate = ""] = cells;
  if (cells.length !== 5) throw new BrokenDocument(`${WHAT}: not five columns: ${quoted(line)}`);
  return { code, amount, rate };
}
