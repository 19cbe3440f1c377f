/** The US Treasury's Reporting Rates of Exchange through Fiscal Data: identity, requests, and the JSON of the answers. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { tableReader } from "#sources/official/reader.ts";
import { requestedWindow, yearsOf } from "#sources/official/reading.ts";
import { quoted } from "#sources/text.ts";
import { treasuryCurrency } from "./currencies.ts";
import { reportsOf, type TreasuryLine } from "./reports.ts";

const DATASET =
  "https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
const FIELDS = "record_date,country_currency_desc,exchange_rate,effective_date";
/**
 * The report of 2022-12-31 is the first that is read. The dataset goes back to 2001, but its names of currencies outlive
 * redenominations, and a rate under the wrong code would be worse than none.
 */
const BEGAN = dayOf(2022, 12, 31) as Day;
/** A quarter, and the weeks until its report is out. */
const LATEST_LOOKBACK_DAYS = 130;

export const USA_TREASURY: OfficialAdapter = {
  id: "usa_treasury",
  country: "USA",
  types: ["reporting", "treasury"],
  title: "Treasury Reporting Rates of Exchange",
  authority: "U.S. Department of the Treasury, Bureau of the Fiscal Service",
  homepage: "https://fiscaldata.treasury.gov/datasets/treasury-reporting-rates-exchange/",
  terms:
    "Source: U.S. Department of the Treasury, Bureau of the Fiscal Service, Fiscal Data. " +
    "The report has no currency codes: they are this service's reading of its country and currency names.",
  cadence: "quarterly",
  zone: "America/New_York",
  currency: "USD",
  historyYears: 100,
  historyAtStart: true,

  /** A request a year, which one page always holds: how many pages a longer time takes is known only from the answer. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (requested === null) return [];
    const requests = yearsOf(requested).map(request);
    return [
      { name: "Fiscal Data JSON", requests, parse: (document) => parseTreasuryJson(document, requested) },
    ];
  },
};

/** What is valid within a year: the reports from the end of the year before on, each with its amendments. */
function request(year: number): UpstreamRequest {
  const from = formatDay(Math.max(dayOf(year - 1, 12, 31) as Day, BEGAN));
  const to = formatDay(dayOf(year, 12, 31) as Day);
  return {
    url:
      `${DATASET}?fields=${FIELDS}&filter=record_date:gte:${from},record_date:lte:${to}` +
      `&sort=record_date,country_currency_desc&page%5Bnumber%5D=1&page%5Bsize%5D=${TREASURY_PAGE_ROWS}`,
    accept: "application/json",
    maxBytes: 4 * 1024 * 1024,
    timeoutSeconds: 60,
  };
}

/** Five quarters with their amendments are fewer than 1,000 lines. */
const TREASURY_PAGE_ROWS = 5000;
/** A report may be out some days before the quarter ends. */
const DAYS_AHEAD = 14;
const reader = tableReader("Treasury reporting rates", USA_TREASURY, DAYS_AHEAD);
const MOST_NAMED = 12;

/**
 * Every report and every amended table in the answer. Names that are no known currency, and currencies that one table
 * has at two rates, are left out and named in the note. Throws BrokenDocument on anything but one complete page.
 */
function parseTreasuryJson(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const answer = reader.json(document);
  const error = textAt(answer, "error");
  if (error !== null) {
    throw new UpstreamFault(
      "status",
      `${reader.what}: ${quoted(error)}: ${quoted(textAt(answer, "message") ?? "")}`,
    );
  }
  const printed = reader.objects(answer, "data");
  expectOnePage(reader.object(answer, "meta"), printed.length);
  const lines: TreasuryLine[] = [];
  const left = new Set<string>();
  for (const entry of printed) {
    const name = textAt(entry, "country_currency_desc");
    if (name === null) throw reader.broken(`a line without country_currency_desc`);
    const line = {
      name: name.trim().toLowerCase(),
      recorded: dayAt(entry, "record_date", document),
      effective: dayAt(entry, "effective_date", document),
      rate: reader.rate(digitsAt(entry, "exchange_rate") ?? "", name),
    };
    const currency = treasuryCurrency(name);
    if (currency === null) left.add(quoted(name));
    else if (currency !== "none") lines.push({ ...line, currency });
  }
  const readings = reportsOf(lines, (what) => left.add(what));
  return reader.conclude(window, readings, noteOf([...left]));
}

function expectOnePage(meta: JsonObject, lines: number): void {
  const pages = digitsAt(meta, "total-pages");
  const total = digitsAt(meta, "total-count");
  // An answer without lines has no page at all, or one that is empty.
  if (Number(pages) > 1) throw reader.broken(`${pages} pages, where one was to hold everything`);
  if (total !== `${lines}`) {
    throw reader.broken(`${lines} lines of ${total ?? "an unknown number"}`);
  }
}

function dayAt(entry: JsonObject, name: string, document: UpstreamDocument): Day {
  const printed = textAt(entry, name) ?? "";
  return reader.day(document, parseDay(printed), printed);
}

function noteOf(left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : "";
  return `left out: ${left.slice(0, MOST_NAMED).join("; ")}${more}`;
}
