/** Česká národní banka: the daily fixing of the koruna. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, textAt } from "#sources/json.ts";
import { quoted } from "#sources/text.ts";
import { type TableReader, tableReader } from "./reader.ts";
import {
  dayWithMonthName,
  printDayMonthYear,
  publicationOf,
  requestedWindow,
  type Span,
  weekdaysOf,
  withoutExponent,
  yearsOf,
} from "./reading.ts";

const API = "https://api.cnb.cz/cnbapi/exrates/daily-year";
const TEXT =
  "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/central-bank-exchange-rate-fixing/daily.txt";
/** The first fixing in Czech koruna; before 1993-02-08 the currency was another one. */
const BEGAN = dayOf(1993, 2, 8) as Day;
const LOOKBACK_DAYS = 14;
const KILOBYTE = 1024;

/**
 * Declared after 14:30 on working days, valid that day and the following days that are none. Named by its day: the text
 * has a number within the year (`#1`) and the year's list has none, and counting would give every later fixing another
 * name when one is missing or added.
 */
export const CZE_FIXING: OfficialAdapter = {
  id: "cze_fixing",
  country: "CZE",
  types: ["fixing", "daily"],
  title: "Central bank exchange rate fixing, in koruna",
  authority: "Česká národní banka",
  homepage:
    "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/",
  terms:
    "Source: Czech National Bank, central bank exchange rate fixing, reproduced as published. " +
    "The bank declares it for accounting and for assessing taxes and customs duties.",
  cadence: "daily",
  zone: "Europe/Prague",
  currency: "CZK",

  /** latest: the day's text, two kilobytes, else the year. Otherwise the years, else, for short windows, a text a day. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
    if (requested === null) return [];
    const years = yearLists(requested);
    if (window.reach === "latest") return [texts(requested, [requested.to]), years];
    const days = weekdaysOf(requested);
    return days.length <= LOOKBACK_DAYS ? [years, texts(requested, days)] : [years];
  },
};

function yearLists(requested: Span): OfficialRoute {
  return {
    name: "year",
    requests: yearsOf(requested).map((year) => ({
      url: `${API}?year=${year}&lang=EN`,
      accept: "application/json",
      maxBytes: 4 * KILOBYTE * KILOBYTE,
      timeoutSeconds: 60,
    })),
    parse: (document) => parseCnbJson(document, requested),
  };
}

/** For any day, the bank returns the fixing that is valid on it. */
function texts(requested: Span, days: readonly Day[]): OfficialRoute {
  return {
    name: "text",
    requests: days.map((day) => ({
      url: `${TEXT}?date=${printDayMonthYear(day, ".")}`,
      accept: "text/plain",
      maxBytes: 64 * KILOBYTE,
      timeoutSeconds: 20,
    })),
    parse: (document) => parseCnbText(document, requested),
  };
}

const inYear = tableReader("CNB year", CZE_FIXING);

/** One publication a day; an empty list is a year without one yet. Throws BrokenDocument. */
function parseCnbJson(document: UpstreamDocument, window: Span): OfficialParsed {
  const byDay = new Map<string, { readonly day: Day; readonly lines: CnbLine[] }>();
  for (const line of inYear.objects(inYear.json(document), "rates")) {
    const printedDay = textAt(line, "validFor") ?? "";
    let fixing = byDay.get(printedDay);
    if (fixing === undefined) {
      const day = inYear.day(document, parseDay(printedDay), printedDay);
      fixing = { day, lines: [] };
      byDay.set(printedDay, fixing);
    }
    fixing.lines.push({
      code: textAt(line, "currencyCode") ?? "",
      amount: digitsAt(line, "amount") ?? "",
      rate: withoutExponent(digitsAt(line, "rate") ?? ""),
    });
  }
  const fixings = [...byDay.values()].map(({ day, lines }) => fixingOf(day, lines, inYear));
  return inYear.conclude(window, fixings);
}

const inText = tableReader("CNB text", CZE_FIXING);
const FIRST_LINE = /^(\d{2}) ([A-Z][a-z]{2}) (\d{4}) #[1-9]\d{0,2}$/;
const HEADING = "Country|Currency|Amount|Code|Rate";

/** The one fixing of a document. Throws BrokenDocument, also when the last line has no end: its rate may be half a rate. */
function parseCnbText(document: UpstreamDocument, window: Span): OfficialParsed {
  const lines = inText.text(document).split(/\r?\n/);
  if (lines.pop() !== "") throw inText.broken("cut off, the last line has no end");
  const [first = "", heading, ...rest] = lines;
  if (heading !== HEADING) throw inText.broken(`unknown heading ${quoted(heading ?? "")}`);
  const [, date, month, year] = FIRST_LINE.exec(first) ?? [];
  const day = inText.day(document, dayWithMonthName(date, month, year), first);
  return inText.conclude(window, [fixingOf(day, rest.map(readLine), inText)]);
}

function readLine(line: string): CnbLine {
  const cells = line.split("|");
  const [, , amount = "", code = "", rate = ""] = cells;
  if (cells.length !== 5) throw inText.broken(`not five columns: ${quoted(line)}`);
  return { code, amount, rate };
}

/** A line of a fixing, as printed: `amount` units of the currency cost `rate` koruna. */
export interface CnbLine {
  readonly code: string;
  readonly amount: string;
  readonly rate: string;
}

/** The publication of a day. Throws BrokenDocument on what is no code, no power of ten, no rate, or there twice and different. */
function fixingOf(day: Day, lines: readonly CnbLine[], reader: TableReader): OfficialReading {
  const name = formatDay(day);
  const rows = lines.map(({ code, amount, rate }): OfficialRow => {
    const base = reader.code(code);
    const of = `${base} of ${name}`;
    return {
      base,
      quote: "CZK",
      rate: reader.rate(rate, of),
      unit: reader.unit(amount, of),
      kind: "mid",
    };
  });
  return publicationOf(name, day, rows);
}
