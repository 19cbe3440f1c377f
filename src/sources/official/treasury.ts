/** The US Treasury's Reporting Rates of Exchange through Fiscal Data: a report at the end of each quarter, and its amendments. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import { periodEnd } from "#domain/history/periods.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import {
  daysSince,
  publicationOf,
  type TableContent,
  tableReader,
  tableSource,
  withOneRate,
  yearsOf,
} from "./reading.ts";
import list from "./treasury-currencies.txt" with { type: "text" };

const DATASET =
  "https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
const FIELDS = "record_date,country_currency_desc,exchange_rate,effective_date";
/**
 * The first report that is read. The dataset goes back to 2001, but its currency names outlive redenominations, and a rate under
 * the wrong code is worse than no rate.
 */
const BEGAN = "2022-12-31";
/** Five quarters with their amendments are fewer than 1,000 lines. */
const PAGE_ROWS = 5000;

export const USA_TREASURY = tableSource({
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
  // A quarter, and the weeks until its report is published.
  days: daysSince(BEGAN, 130),
  /** One request per year, which always fits one page: the number of pages of a longer span is known only from the answer. */
  routes: (days) => [{ name: "Fiscal Data JSON", requests: yearsOf(days).map(request), read: readTreasury }],
});

/** Requests everything valid within a year: the reports from the last day of the year before on, with their amendments. */
function request(year: number): UpstreamRequest {
  const [before, to] = [`${year - 1}-12-31`, `${year}-12-31`];
  const from = before < BEGAN ? BEGAN : before;
  const url =
    `${DATASET}?fields=${FIELDS}&filter=record_date:gte:${from},record_date:lte:${to}` +
    `&sort=record_date,country_currency_desc&page%5Bnumber%5D=1&page%5Bsize%5D=${PAGE_ROWS}`;
  return get("json", url);
}

/** A report may be out some days before the quarter ends. */
const DAYS_AHEAD = 14;
const reader = tableReader("Treasury reporting rates", USA_TREASURY.zone, { daysAhead: DAYS_AHEAD });
const MOST_NAMED = 12;

/** `rate` units of `currency` for a dollar; `name` is the report's name for the currency. */
interface Line {
  readonly name: string;
  readonly currency: string;
  /** The end of the line's quarter. */
  readonly recorded: Day;
  /** `recorded`, or a later day when the rate was amended within the following quarter. */
  readonly effective: Day;
  readonly rate: string;
}

/**
 * Every report and every amended table in the answer. Unknown currency names, and currencies with two rates in one table, are left out
 * and named in the note. Throws BrokenDocument unless the answer is one complete page.
 */
function readTreasury(document: UpstreamDocument): TableContent {
  const answer = reader.json(document);
  const error = textAt(answer, "error");
  if (error !== null) {
    const detail = `${quoted(error)}: ${quoted(textAt(answer, "message") ?? "")}`;
    throw new UpstreamFault("status", `${reader.what}: ${detail}`);
  }
  const printed = reader.objects(answer, "data");
  expectOnePage(reader.object(answer, "meta"), printed.length);
  const lines: Line[] = [];
  const left = new Set<string>();
  for (const entry of printed) {
    const name = textAt(entry, "country_currency_desc");
    if (name === null) throw reader.broken("a line without country_currency_desc");
    const line = {
      name: name.trim().toLowerCase(),
      recorded: reader.day(document, textAt(entry, "record_date")),
      effective: reader.day(document, textAt(entry, "effective_date")),
      rate: reader.rate(digitsAt(entry, "exchange_rate") ?? "", name),
    };
    const currency = treasuryCurrency(name);
    if (currency === null) left.add(quoted(name));
    else if (currency !== "none") lines.push({ ...line, currency });
  }
  const readings = reportsOf(lines, (what) => left.add(what));
  const named = [...left].slice(0, MOST_NAMED).join("; ");
  const more = left.size > MOST_NAMED ? ` and ${left.size - MOST_NAMED} more` : "";
  return { readings, note: left.size === 0 ? undefined : `left out: ${named}${more}` };
}

function expectOnePage(meta: JsonObject, lines: number): void {
  const pages = digitsAt(meta, "total-pages");
  const total = digitsAt(meta, "total-count");
  // An answer without lines may count no pages or one empty page.
  if (Number(pages) > 1) throw reader.broken(`${pages} pages, where one was to hold everything`);
  if (total !== `${lines}`) throw reader.broken(`${lines} lines of ${total ?? "an unknown number"}`);
}

// ── Lines become tables ──────────────────────────────────────────────────────────────────────────

/**
 * A report is named by its record date, `2023-06-30`, and valid from that day to the end of the following quarter. On that last day
 * the next report is valid too, and is the newer one. When a rate moves by a tenth, the Treasury amends it in a line with a later
 * effective date. The report was in force until then, so an amendment is no correction: it makes a further table,
 * `2023-06-30-from-2023-07-31`, valid from the effective date. That table holds the whole report with every amendment up to that day,
 * because a table of the amended lines alone would hide all others. `leave` receives what is left out.
 */
function reportsOf(lines: readonly Line[], leave: (what: string) => void): readonly OfficialReading[] {
  for (const line of lines.filter((one) => !isInForce(one)))
    leave(`${line.name} of ${formatDay(line.recorded)} from ${formatDay(line.effective)}`);
  const byReport = Map.groupBy(lines.filter(isInForce), ({ recorded }) => recorded);
  return [...byReport].flatMap(([recorded, all]) => tablesOf(recorded, all, leave));
}

function isInForce({ recorded, effective }: Line): boolean {
  const isQuarterEnd = periodEnd("1q", recorded) === recorded;
  return isQuarterEnd && effective >= recorded && effective <= lastDayOf(recorded);
}

function lastDayOf(recorded: Day): Day {
  return periodEnd("1q", recorded + 1);
}

function tablesOf(
  recorded: Day,
  lines: readonly Line[],
  leave: (what: string) => void,
): readonly OfficialReading[] {
  const id = formatDay(recorded);
  const byDay = [...Map.groupBy(lines, ({ effective }) => effective)].sort(([a], [b]) => a - b);
  if (byDay[0]?.[0] !== recorded) {
    leave(`amendments of ${id}, which is not there itself`);
    return [];
  }
  const inForce = new Map<string, readonly Line[]>();
  return byDay.map(([day, amended]) => {
    for (const [name, same] of Map.groupBy(amended, (line) => line.name)) inForce.set(name, same);
    const printed = [...inForce.values()]
      .flat()
      .map(({ currency, rate }) => ({ base: "USD", quote: currency, rate, unit: 1, kind: "mid" }) as const);
    const { rows, left } = withOneRate(printed);
    for (const currency of left) leave(`${currency} of ${id}, at two rates`);
    return publicationOf(
      day === recorded ? id : `${id}-from-${formatDay(day)}`,
      day,
      rows,
      lastDayOf(recorded),
    );
  });
}

// ── Names become currencies ──────────────────────────────────────────────────────────────────────

const CODES = new Map(
  [...list.matchAll(/^([A-Z]{3}|none) (.+)$/gm)].flatMap(([, code = "", names = ""]) =>
    names.split("|").map((name) => [name.trim().toLowerCase(), code] as const),
  ),
);
/** The euro zone has its own line. Its countries are sometimes listed too, perhaps with an older rate, and are left out. */
const EURO_COUNTRY = /-euro$/;

/**
 * The ISO 4217 code of a `country_currency_desc`, in any case; "none" where its line is not a rate of its own;
 * null for a name that is not in the list.
 */
export function treasuryCurrency(description: string): string | null {
  const name = description.trim().toLowerCase();
  return CODES.get(name) ?? (EURO_COUNTRY.test(name) ? "none" : null);
}
