/** SIDOF, the Diario Oficial's JSON service: a list of indicators, of which 158 is the dollar. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/faults.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import { digitsAt, objectsAt, readJsonObject, textAt } from "#sources/live/json-text.ts";
import { quoted } from "#sources/text.ts";
import { issueOf } from "./dof-issue.ts";
import { conclude } from "./reading.ts";

const WHAT = "SIDOF";
/** Others in the list are in other units: 159 is the UDI. */
const DOLLAR = "158";

/**
 * One publication an issue; an empty list is a window without one. Throws UpstreamFault for a fault that SIDOF tells in a
 * body with status 200, BrokenDocument on another shape and on a list shorter than it says it is.
 */
export function parseSidof(
  document: UpstreamDocument,
  window: Pick<OfficialWindow, "from" | "to">,
  table: OfficialTable,
): OfficialParsed {
  const answer = readJsonObject(document.bytes, WHAT);
  const code = digitsAt(answer, "messageCode");
  if (code !== null && code !== "200") {
    const said = `${WHAT}: an error instead of data: ${quoted(code)} ${quoted(textAt(answer, "response") ?? "")}`;
    throw new UpstreamFault(code === "404" ? "not_found" : "status", said);
  }
  const listed = objectsAt(answer, "ListaIndicadores", WHAT);
  const total = digitsAt(answer, "TotalIndicadores");
  if (total !== null && total !== String(listed.length)) {
    throw new BrokenDocument(`${WHAT}: ${listed.length} indicators of ${quoted(total)}`);
  }
  const dollars = listed.filter((indicator) => digitsAt(indicator, "codTipoIndicador") === DOLLAR);
  const issues = dollars.flatMap((dollar) =>
    issueOf(textAt(dollar, "fecha") ?? "", textAt(dollar, "valor")?.trim() ?? "?", table, document, WHAT),
  );
  return conclude(window, issues, WHAT);
}
