/** The daily exchange rates (sell) of the Swiss customs: identity, the documents that cover a window, and their XML. */

import type { OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import { tableReader } from "./reader.ts";
import { dayMonthYear, publicationOf, requestedWindow, type Span, weekdaysOf } from "./reading.ts";

const SITE = "https://www.backend-rates.bazg.admin.ch/api/xmldaily";
const BEGAN = dayOf(2000, 1, 3) as Day;
/** Longer than the pause at Christmas. */
const LATEST_LOOKBACK_DAYS = 10;

export const CHE_DAILY: OfficialAdapter = {
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

  /** latest: the newest document, else day by day. A day without a determination has no document. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (requested === null) return [];
    // What was determined by the window's last day is published, and valid a day or more later.
    const wanted = { ...requested, to: requested.to + BAZG_DAYS_AHEAD };
    const parse = (document: UpstreamDocument) => parseBazgXml(document, wanted);
    const dated: OfficialRoute = {
      name: "daily XML by day",
      // Addresses name the day of determination, which is the one before the first day of validity: never a weekend.
      requests: weekdaysOf({ ...requested, from: requested.from - 1 }).map(determinationOf),
      mayBeAbsent: true,
      parse,
    };
    if (window.reach !== "latest") return [dated];
    return [{ name: "newest daily XML", requests: [request(SITE)], parse }, dated];
  },
};

function determinationOf(day: Day): UpstreamRequest {
  return request(`${SITE}?d=${formatDay(day).replaceAll("-", "")}&locale=en`);
}

function request(url: string): UpstreamRequest {
  return { url, accept: "application/xml, text/xml", maxBytes: 256 * 1024, timeoutSeconds: 20 };
}

const reader = tableReader("BAZG daily rates", CHE_DAILY);
/** The office was renamed in 2022. The same service has a monthly average under another name, which is not this table. */
const NAMESPACE = /^https:\/\/www\.backend-rates\.(?:bazg|ezv)\.admin\.ch\/xmldaily$/;
const AMOUNT = /^(\d+) ([A-Z]{3})$/;
const ADDRESS = /[?&]d=(\d{8})(?:&|$)/;
/** A determination is valid from the next day; a few more for holidays. */
const BAZG_DAYS_AHEAD = 5;
/** Longer than any run of closed days. */
const LONGEST_VALIDITY_DAYS = 12;

/**
 * The publication named by its day of determination, `2023-11-03`, valid on the days that it lists. When it was made is
 * printed as a time without a zone, so that no instant is taken from it. Throws BrokenDocument.
 */
function parseBazgXml(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const table = reader.xml(document);
  if (table.name !== "wechselkurse" || !NAMESPACE.test(table.attributes.get("xmlns") ?? ""))
    throw reader.broken(`the document is a ${table.name} of ${quoted(table.attributes.get("xmlns") ?? "")}`);
  const printed = reader.textOf(table, "datum");
  const determined = reader.day(document, dayMonthYear(printed, "."), printed);
  // A day without a determination may be answered with the one before it, never with a later one.
  const requested = ADDRESS.exec(document.url)?.[1];
  if (requested !== undefined && formatDay(determined).replaceAll("-", "") > requested)
    throw reader.broken(`${printed} was published under ${document.url}`);
  const { from, to } = validityOf(reader.textOf(table, "gueltigkeit"), determined);
  const rows = elementsOf(table, "devise").map(rowOf);
  return reader.conclude(window, [publicationOf(formatDay(determined), from, rows, to)]);
}

/** The listed days are one run without a gap, which begins on or shortly after the day of determination. */
function validityOf(printed: string, determined: Day): Span {
  const days = printed.split(",").map((text) => dayMonthYear(text.trim(), "."));
  const [from] = days;
  const run = days.every((day, at) => day !== null && day === (from as Day) + at);
  const near = typeof from === "number" && from >= determined && from <= determined + BAZG_DAYS_AHEAD;
  if (!run || !near || days.length > LONGEST_VALIDITY_DAYS)
    throw reader.broken(`not the days after ${formatDay(determined)}: ${quoted(printed)}`);
  return { from, to: from + days.length - 1 };
}

function rowOf(line: XmlElement): OfficialRow {
  const code = reader.attribute(line, "code").toUpperCase();
  const printed = reader.textOf(line, "waehrung");
  const [, amount = "", currency] = AMOUNT.exec(printed) ?? [];
  if (currency !== code) throw reader.broken(`${quoted(code)} is counted as ${quoted(printed)}`);
  return {
    base: reader.code(code),
    quote: "CHF",
    rate: reader.rate(reader.textOf(line, "kurs"), code),
    unit: reader.unit(amount, code),
    kind: "sell",
  };
}
