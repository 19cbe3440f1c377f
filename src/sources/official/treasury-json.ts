/** An answer of Fiscal Data: lines of country, money and rate become quarterly reports, and each amendment a table of its own. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/faults.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports.ts";
import {
  digitsAt,
  type JsonObject,
  objectAt,
  objectsAt,
  readJsonObject,
  textAt,
} from "#sources/live/json-text.ts";
import { quoted } from "#sources/text.ts";
import { conclude, readRate, readTableDay } from "./reading.ts";
import { treasuryCurrency } from "./treasury-currencies.ts";
import { reportsOf, type TreasuryLine } from "./treasury-reports.ts";

const WHAT = "Treasury reporting rates";
/** Five quarters with their amendments are fewer than 1,000 lines. */
export const TREASURY_PAGE_ROWS = 5000;
/** A report may be out some days before the quarter ends. */
const DAYS_AHEAD = 14;
const MOST_TOLD = 12;

/**
 * Every report and every amended table in the answer. Names that are no known currency, and currencies that one table
 * has at two rates, are left out and told in the note. Throws BrokenDocument on anything but one complete page.
 */
export function parseTreasuryJson(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const answer = readJsonObject(document.bytes, WHAT);
  const error = textAt(answer, "error");
  if (error !== null) {
    throw new UpstreamFault(
      "status",
      `${WHAT}: ${quoted(error)}: ${quoted(textAt(answer, "message") ?? "")}`,
    );
  }
  const printed = objectsAt(answer, "data", WHAT);
  expectOnePage(objectAt(answer, "meta", WHAT), printed.length);
  const lines: TreasuryLine[] = [];
  const left = new Set<string>();
  for (const entry of printed) {
    const name = textAt(entry, "country_currency_desc");
    if (name === null) throw new BrokenDocument(`${WHAT}: a line without country_currency_desc`);
    const line = {
      name: name.trim().toLowerCase(),
      recorded: dayAt(entry, "record_date", document),
      effective: dayAt(entry, "effective_date", document),
      rate: readRate(digitsAt(entry, "exchange_rate") ?? "", WHAT, name),
    };
    const currency = treasuryCurrency(name);
    if (currency === null) left.add(quoted(name));
    else if (currency !== "none") lines.push({ ...line, currency });
  }
  const readings = reportsOf(lines, (what) => left.add(what));
  return conclude(window, readings, WHAT, told([...left]));
}

function expectOnePage(meta: JsonObject, lines: number): void {
  const pages = digitsAt(meta, "total-pages");
  const total = digitsAt(meta, "total-count");
  // An answer without lines has no page at all, or one that is empty.
  if (Number(pages) > 1) {
    throw new BrokenDocument(`${WHAT}: ${pages} pages, where one was to hold everything`);
  }
  if (total !== `${lines}`) {
    throw new BrokenDocument(`${WHAT}: ${lines} lines of ${total ?? "an unknown number"}`);
  }
}

function dayAt(entry: JsonObject, name: string, document: UpstreamDocument): Day {
  const printed = textAt(entry, name) ?? "";
  return readTableDay(parseDay(printed), printed, { zone: "America/New_York" }, document, WHAT, DAYS_AHEAD);
}

function told(left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const more = left.length > MOST_TOLD ? ` and ${left.length - MOST_TOLD} more` : "";
  return `left out: ${left.slice(0, MOST_TOLD).join("; ")}${more}`;
}
