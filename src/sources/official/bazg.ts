/** The daily exchange rates (sell) of the Swiss customs. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import {
  dayMonthYear,
  daysSince,
  publicationOf,
  type Span,
  tableReader,
  tableSource,
  weekdaysOf,
} from "./reading.ts";

/** A determination is valid from the next day; a few more for holidays. */
const DAYS_AHEAD = 5;

export const CHE_DAILY = tableSource({
  id: "che_daily",
  country: "CHE",
  types: ["customs", "vat"],
  title: "BAZG daily exchange rates (sell) for customs and VAT",
  authority: "Federal Office for Customs and Border Security (BAZG)",
  homepage: "https://www.rates.bazg.admin.ch/home",
  terms:
    "Source: Federal Office for Customs and Border Security, daily exchange rates (sell), reproduced as published.",
  cadence: "daily",
  zone: "Europe/Zurich",
  currency: "CHF",
  // Longer than the pause at Christmas.
  days: daysSince("2000-01-03", 10, DAYS_AHEAD),

  /** latest: the newest document, else day by day. A day without a determination has no document. */
  routes({ from, to }, reach) {
    // Addresses name the day of determination, which is the one before the first day of validity: never a weekend.
    const determined = weekdaysOf({ from: from - 1, to: to - DAYS_AHEAD });
    const requests = determined.map((day) => request(`?d=${compact(day)}&locale=en`));
    const dated = { name: "daily XML by day", requests, mayBeAbsent: true, read: readBazg } as const;
    return reach === "latest"
      ? [{ name: "newest daily XML", requests: [request("")], read: readBazg }, dated]
      : [dated];
  },
});

function request(query: string): UpstreamRequest {
  const url = `https://www.backend-rates.bazg.admin.ch/api/xmldaily${query}`;
  return get("xml", url);
}

function compact(day: Day): string {
  return formatDay(day).replaceAll("-", "");
}

const reader = tableReader("BAZG daily rates", CHE_DAILY.zone);
/** The office was renamed in 2022. The same service has a monthly average under another name, which is not this table. */
const NAMESPACE = /^https:\/\/www\.backend-rates\.(?:bazg|ezv)\.admin\.ch\/xmldaily$/;
const AMOUNT = /^(\d+) ([A-Z]{3})$/;
const ADDRESS = /[?&]d=(\d{8})(?:&|$)/;
/** Longer than any run of closed days. */
const LONGEST_VALIDITY_DAYS = 12;

/**
 * The publication named by its day of determination, `2023-11-03`, valid on the days that it lists. It prints the time of its
 * creation without a zone, so no instant is read. Throws BrokenDocument.
 */
function readBazg(document: UpstreamDocument): readonly OfficialReading[] {
  const table = reader.xml(document);
  const namespace = table.attributes.get("xmlns") ?? "";
  if (table.name !== "wechselkurse" || !NAMESPACE.test(namespace))
    throw reader.broken(`the document is a ${table.name} of ${quoted(namespace)}`);
  const printed = reader.textOf(table, "datum");
  const determined = reader.day(document, printed, (text) => dayMonthYear(text, "."));
  // A day without a determination may be answered with the one before it, never with a later one.
  const requested = ADDRESS.exec(document.url)?.[1];
  if (requested !== undefined && compact(determined) > requested)
    throw reader.broken(`${printed} was published under ${document.url}`);
  const { from, to } = validityOf(reader.textOf(table, "gueltigkeit"), determined);
  const rows = elementsOf(table, "devise").map(rowOf);
  return [publicationOf(formatDay(determined), from, rows, to)];
}

/** The listed days are one run without a gap, which begins on or shortly after the day of determination. */
function validityOf(printed: string, determined: Day): Span {
  const days = printed.split(",").map((text) => dayMonthYear(text.trim(), "."));
  const [from] = days;
  const run = days.every((day, at) => day !== null && day === (from as Day) + at);
  const near = typeof from === "number" && from >= determined && from <= determined + DAYS_AHEAD;
  if (!run || !near || days.length > LONGEST_VALIDITY_DAYS)
    throw reader.broken(`not the days after ${formatDay(determined)}: ${quoted(printed)}`);
  return { from, to: from + days.length - 1 };
}

function rowOf(line: XmlElement): OfficialRow {
  const code = reader.attribute(line, "code").toUpperCase();
  const printed = reader.textOf(line, "waehrung");
  const [, amount = "", currency] = AMOUNT.exec(printed) ?? [];
  if (currency !== code) throw reader.broken(`${quoted(code)} is counted as ${quoted(printed)}`);
  const rate = reader.rate(reader.textOf(line, "kurs"), code);
  return { base: reader.code(code), quote: "CHF", rate, unit: reader.unit(amount, code), kind: "sell" };
}
