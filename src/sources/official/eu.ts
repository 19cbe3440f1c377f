/**
 * Two tables of the European Union from the ECB's files, with every currency in them: the euro reference rates of each day, and
 * the customs rates of each month. Nobody publishes the customs rates: they are computed from the reference rates by the legal rules.
 */

import { penultimateInMonth, periodEnd, periodStart } from "#domain/history/periods.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, weekdayOf } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { ecbCurrency, ecbFigure, readEcbXml, readEcbZip } from "#sources/ecb/documents.ts";
import { ECB_FILES } from "#sources/ecb/ecb.ts";
import { daysSince, monthsOf, publicationOf, type Span, tableReader, tableSource } from "./reading.ts";

/** ISO 3166-1 has no code for the Union; EUE is what it reserves for the Union's travel documents. */
const COUNTRY = "EUE";
const ZONE = "Europe/Berlin";
const HISTORY_ZIP = { ...ECB_FILES.history, timeoutSeconds: 60 };

// ── Reference rates ──────────────────────────────────────────────────────────────────────────────

/** Days that the 90-day XML surely has. */
const NINETY_DAYS = 85;

export const EUE_REFERENCE = tableSource({
  id: "eue_reference",
  country: COUNTRY,
  types: ["reference", "ecb"],
  title: "ECB euro foreign exchange reference rates",
  authority: "European Central Bank",
  homepage: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates",
  terms:
    "Source: European Central Bank, euro foreign exchange reference rates, reproduced as published. " +
    "The ECB publishes them for information only and discourages their use for transactions.",
  cadence: "daily",
  zone: ZONE,
  currency: "EUR",
  // The zip has every year; a window of all years would hold them in memory at once.
  historyYears: 10,
  // Longer than the closures at Easter, and at Christmas with New Year.
  days: daysSince("1999-01-04", 10),

  /**
   * latest: the daily XML, else the 90-day XML. Otherwise the 90-day XML where it reaches, else the zip. SDMX is no route: it
   * has more currencies, so a publication would depend on its route.
   */
  routes(days, reach) {
    const read = (document: UpstreamDocument) =>
      readEuroDays(document, days).map(({ date, rows }) => publicationOf(formatDay(date), date, rows()));
    const daily = { name: "daily XML", requests: [ECB_FILES.daily], read };
    const ninetyDays = { name: "90-day XML", requests: [ECB_FILES.ninetyDays], read };
    const history = { name: "history zip", requests: [HISTORY_ZIP], read };
    if (reach === "latest") return [daily, ninetyDays];
    const isRecent = reach === "recent" && days.from >= days.to - NINETY_DAYS;
    return isRecent ? [ninetyDays, history] : [history];
  },
});

// ── Customs rates ────────────────────────────────────────────────────────────────────────────────

/** The first month under the Regulation. Before it, a move of 5 % by a Wednesday replaced a rate within its month. */
const CUSTOMS_BEGAN = dayOf(2016, 5, 1) as Day;
const WEDNESDAY = 3;
/** The most from a month's first day back to that Wednesday. */
const DAYS_BEFORE = 14;

export const EUE_CUSTOMS = tableSource({
  id: "eue_customs",
  country: COUNTRY,
  types: ["customs"],
  title: "EU customs exchange rates, computed from the ECB's reference rates",
  authority: "European Union, Article 146 of Implementing Regulation (EU) 2015/2447",
  homepage: "https://eur-lex.europa.eu/eli/reg_impl/2015/2447/oj",
  terms:
    "Computed by this service by Article 146 of Implementing Regulation (EU) 2015/2447 from the ECB's euro foreign " +
    "exchange reference rates (source: European Central Bank), which it reproduces as published. " +
    "Member States outside the euro area use the rate of their own authority instead.",
  cadence: "monthly",
  zone: ZONE,
  currency: "EUR",
  historyYears: 100,
  historyAtStart: true,

  /** Whole months: from the one that holds the first day to the one after the last day, because rates are fixed before their month begins. */
  days(window) {
    const from = Math.max(periodStart("1mo", window.from), CUSTOMS_BEGAN);
    const to = periodEnd("1mo", window.to) + 1;
    return from > to ? null : { from, to };
  },

  /** The 90-day XML covers this month and the next, the zip all months. */
  routes(days, reach) {
    const read = (document: UpstreamDocument) => {
      const published = readEuroDays(document, { from: days.from - DAYS_BEFORE, to: days.to });
      return monthsOf(days).flatMap((month) => euCustomsReading(month, published) ?? []);
    };
    const ninetyDays = { name: "90-day XML", requests: [ECB_FILES.ninetyDays], read };
    const history = { name: "history zip", requests: [HISTORY_ZIP], read };
    return reach === "latest" ? [ninetyDays, history] : [history];
  },
});

/**
 * The customs rates of the calendar month that holds `month`, named `2026-06`: the rates published on the second-to-last
 * Wednesday of the month before (Art. 146 (2)). They apply for the whole month (Art. 146 (3)). Null without that Wednesday in `days`:
 * its rates can still come, or the file has lost them. If none are published that day, the law takes the most recent earlier ones; the
 * calendar of the ECB never closes on such a Wednesday, so a day that is missing is a fault of the file.
 */
export function euCustomsReading(month: Day, days: readonly EuroDay[]): OfficialReading | null {
  const first = periodStart("1mo", month);
  const wednesday = penultimateInMonth(WEDNESDAY, first - 1);
  const published = days.find(({ date }) => date === wednesday);
  if (published === undefined) return null;
  return publicationOf(formatDay(first).slice(0, 7), first, published.rows(), periodEnd("1mo", first));
}

// ── Days of the ECB's files ──────────────────────────────────────────────────────────────────────

const reader = tableReader("ECB", ZONE, { hour: 14 });

/** The rates of one day, at least one, all in units for 1 EUR. */
export interface EuroDay {
  readonly date: Day;
  /** Parsed on demand: customs rates need one day of a month. Throws BrokenDocument. */
  rows(): readonly OfficialRow[];
}

/**
 * The days of a zip or XML that lie in `span` and have rates, ascending, each once. Throws BrokenDocument, also on a weekend
 * day, when the ECB publishes nothing.
 */
function readEuroDays(document: UpstreamDocument, span: Span): readonly EuroDay[] {
  const isZip = document.url.endsWith(".zip");
  const days = (isZip ? readEcbZip : readEcbXml)(document, (printed) => {
    const date = reader.day(document, printed);
    if (weekdayOf(date) % 6 === 0) throw reader.broken(`figures of ${printed}, a weekend`);
    return date;
  });
  if (!isZip && days.length === 0) throw reader.broken("no day in it");
  return days.flatMap(({ date, rates }) => {
    const isWithin = date >= span.from && date <= span.to;
    // Every day of the XML is parsed and checked. The zip has seven thousand days, so its rates are parsed on demand.
    if (isZip && !isWithin) return [];
    const printed = rates();
    const name = formatDay(date);
    const read = () => printed.map(([code, rate]) => rowOf(date, name, code, rate, isZip));
    const rows = isZip ? null : read();
    return isWithin && printed.length > 0 ? [{ date, rows: () => rows ?? read() }] : [];
  });
}

/** The zip drops trailing zeros that the ECB prints; for the ECB's current currencies they are added back. */
function rowOf(
  date: Day,
  name: string,
  printedCode: string,
  printed: string,
  lacksZeros: boolean,
): OfficialRow {
  const code = reader.code(printedCode);
  const rate = reader.rate(printed, `${code} of ${name}`);
  const currency = lacksZeros ? ecbCurrency(code) : null;
  if (currency === null) return { base: "EUR", quote: code, rate, unit: 1, kind: "mid" };
  const { decimals } = ecbFigure(date, currency, rate, null);
  const [whole = "", fraction = ""] = rate.split(".");
  const padded = `${whole}.${fraction.padEnd(decimals, "0")}`;
  return { base: "EUR", quote: code, rate: padded, unit: 1, kind: "mid" };
}
