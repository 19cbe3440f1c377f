/** Česká národní banka: the daily fixing of the koruna. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import {
  daysSince,
  dayWithMonthName,
  printDayMonthYear,
  publicationOf,
  type TableReader,
  tableReader,
  tableSource,
  weekdaysOf,
  withoutExponent,
  yearsOf,
} from "./reading.ts";

const API = "https://api.cnb.cz/cnbapi/exrates/daily-year";
const SITE =
  "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/";
const TEXT = `${SITE}central-bank-exchange-rate-fixing/daily.txt`;
/** The first fixing in Czech koruna; before 1993-02-08 the currency was another one. */
const BEGAN = dayOf(1993, 2, 8) as Day;
const LOOKBACK_DAYS = 14;
const ZONE = "Europe/Prague";

/**
 * Declared after 14:30 on working days, valid on that day and on the holidays after it. Named by its day: only the text
 * has a number within the year (`#1`), and counting would give every later fixing another name when one is missing or added.
 */
export const CZE_FIXING = tableSource({
  id: "cze_fixing",
  country: "CZE",
  types: ["fixing", "daily"],
  title: "Central bank exchange rate fixing, in koruna",
  authority: "Česká národní banka",
  homepage: SITE,
  terms:
    "Source: Czech National Bank, central bank exchange rate fixing, reproduced as published. " +
    "The bank declares it for accounting and for assessing taxes and customs duties.",
  cadence: "daily",
  zone: ZONE,
  currency: "CZK",
  days: daysSince(BEGAN, LOOKBACK_DAYS),

  /** latest: the day's text, two kilobytes, else the year. Otherwise the years, else, for short windows, a text a day. */
  routes(days, reach) {
    const years = {
      name: "year",
      requests: yearsOf(days).map((year) => get("json", `${API}?year=${year}&lang=EN`)),
      read: readYear,
    };
    /** For any day, the bank returns the fixing that is valid on it. */
    const texts = (of: readonly Day[]) => ({
      name: "text",
      requests: of.map((day) => get("text", `${TEXT}?date=${printDayMonthYear(day, ".")}`)),
      read: readText,
    });
    if (reach === "latest") return [texts([days.to]), years];
    const weekdays = weekdaysOf(days);
    return weekdays.length <= LOOKBACK_DAYS ? [years, texts(weekdays)] : [years];
  },
});

/** As printed: `amount` units of the currency cost `rate` koruna. */
interface CnbLine {
  readonly code: string;
  readonly amount: string;
  readonly rate: string;
}

const inYear = tableReader("CNB year", ZONE);

/** One publication a day; an empty list is a year without one yet. Throws BrokenDocument. */
function readYear(document: UpstreamDocument): readonly OfficialReading[] {
  const listed = inYear.objects(inYear.json(document), "rates");
  const byDay = Map.groupBy(listed, (line) => textAt(line, "validFor") ?? "");
  return [...byDay].map(([printedDay, lines]) => {
    const day = inYear.day(document, printedDay);
    const printed = lines.map((line) => ({
      code: textAt(line, "currencyCode") ?? "",
      amount: digitsAt(line, "amount") ?? "",
      rate: withoutExponent(digitsAt(line, "rate") ?? ""),
    }));
    return fixingOf(day, printed, inYear);
  });
}

const inText = tableReader("CNB text", ZONE);
const FIRST_LINE = /^(\d{2}) ([A-Z][a-z]{2}) (\d{4}) #[1-9]\d{0,2}$/;
const HEADING = "Country|Currency|Amount|Code|Rate";

/** The one fixing of a document. Throws BrokenDocument, also when the last line has no end: its rate may be half a rate. */
function readText(document: UpstreamDocument): readonly OfficialReading[] {
  const lines = inText.text(document).split(/\r?\n/);
  if (lines.pop() !== "") throw inText.broken("cut off, the last line has no end");
  const [first = "", heading, ...rest] = lines;
  if (heading !== HEADING) throw inText.broken(`unknown heading ${quoted(heading ?? "")}`);
  const [, date, month, year] = FIRST_LINE.exec(first) ?? [];
  const day = inText.day(document, first, () => dayWithMonthName(date, month, year));
  return [fixingOf(day, rest.map(readLine), inText)];
}

function readLine(line: string): CnbLine {
  const cells = line.split("|");
  const [, , amount = "", code = "", rate = ""] = cells;
  if (cells.length !== 5) throw inText.broken(`not five columns: ${quoted(line)}`);
  return { code, amount, rate };
}

function fixingOf(day: Day, lines: readonly CnbLine[], reader: TableReader): OfficialReading {
  const name = formatDay(day);
  const rows = lines.map(({ code, amount, rate }): OfficialRow => {
    const base = reader.code(code);
    const of = `${base} of ${name}`;
    return { base, quote: "CZK", rate: reader.rate(rate, of), unit: reader.unit(amount, of), kind: "mid" };
  });
  return publicationOf(name, day, rows);
}
