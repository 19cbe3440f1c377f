/** One issue's dollar as a publication: both routes to the Diario end here, so that they give the same. */

import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports.ts";
import { dayMonthYear, readRate, readTableDay } from "./reading.ts";

/** How days without a value are printed. */
const NO_VALUE = new Set(["", "N/E", "N/D"]);

/**
 * The publication that a row `dd-mm-yyyy`, digits is, or none where it has no value. It is named by the day of the issue:
 * SIDOF has a number for each row, but the page does not, and a publication must not have another name when it is read
 * another way. Throws BrokenDocument.
 */
export function issueOf(
  printedDay: string,
  value: string,
  table: OfficialTable,
  document: UpstreamDocument,
  what: string,
): readonly OfficialReading[] {
  const day = readTableDay(dayMonthYear(printedDay), printedDay, table, document, what);
  if (NO_VALUE.has(value)) return [];
  const publication = formatDay(day);
  const rate = readRate(value, what, `the dollar of ${publication}`);
  const row = { base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" } as const;
  return [{ publication, validFrom: day, validTo: null, publishedAt: null, rows: [row] }];
}
