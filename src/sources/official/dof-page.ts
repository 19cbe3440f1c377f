/** The Diario Oficial's page of an indicator, in Latin-1: a table with a row a day. The second route, for days without SIDOF. */

import { BrokenDocument } from "#domain/faults/faults.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { issueOf } from "./dof-issue.ts";
import { conclude } from "./reading.ts";

const WHAT = "DOF page";
/** The indicator's name stands alone in a cell; the UDI's page has another there. */
const DOLLAR = /<td[^>]*>\s*DOLAR\s*<\/td>/i;
const HEADING = /<td[^>]*>\s*Fecha\s*<\/td>\s*<td[^>]*>\s*Valor\s*<\/td>\s*<\/tr>/i;
const ROW_BEGINS = /<tr\b/gi;
const ROW = /<tr\b[^>]*>\s*<td[^>]*>\s*([^<]*?)\s*<\/td>\s*<td[^>]*>\s*([^<]*?)\s*<\/td>\s*<\/tr>/gi;

/**
 * One publication a row. Throws BrokenDocument on a page that is not the dollar's, that ends before its table does, or
 * that has a row of another form. A table without rows is a window without an issue.
 */
export function parseDofPage(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: OfficialTable,
): OfficialParsed {
  // Every byte is a character of Latin-1, so nothing can fail here; what is read is plain ASCII.
  const page = new TextDecoder("latin1").decode(document.bytes);
  const heading = HEADING.exec(page);
  if (heading === null || !DOLLAR.test(page.slice(0, heading.index))) {
    throw new BrokenDocument(`${WHAT}: not the page of the dollar`);
  }
  const start = heading.index + heading[0].length;
  const end = page.indexOf("</table>", start);
  if (end === -1) throw new BrokenDocument(`${WHAT}: cut off, its table does not end`);
  const body = page.slice(start, end);
  const rows = [...body.matchAll(ROW)];
  const begun = body.match(ROW_BEGINS)?.length ?? 0;
  if (rows.length !== begun) {
    throw new BrokenDocument(`${WHAT}: ${rows.length} of ${begun} rows are a day and a value`);
  }
  const issues = rows.flatMap(([, day = "", value = ""]) => issueOf(day, value, table, document, WHAT));
  return conclude(window, issues, WHAT);
}
