/** Banca Națională a României: the reference rates of the leu. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, parseDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { elementsOf, type XmlElement } from "#sources/xml.ts";
import { tableReader } from "./reader.ts";
import { publicationOf, requestedWindow, type Span, yearsOf } from "./reading.ts";

const FILES = "https://curs.bnr.ro";
/** The files since 2006 are in new lei throughout: the leu was redenominated, 10,000 to 1, on 2005-07-01. */
const BEGAN = dayOf(2006, 1, 1) as Day;
/** Ten working days, which the short file holds, are at least as long. */
const LOOKBACK_DAYS = 14;
const KILOBYTE = 1024;

/**
 * Valid from the day it carries until the next one. It is published at about 13:00, so that Romanian books take it for
 * the day after; the document does not say so, and its own day is what is given here.
 */
export const ROU_REFERENCE: OfficialAdapter = {
  id: "rou_reference",
  country: "ROU",
  types: ["reference", "daily"],
  title: "Reference rates of the foreign exchange market, in lei",
  authority: "Banca Națională a României",
  homepage: "https://www.bnr.ro/",
  terms:
    "Source: National Bank of Romania, reference exchange rates, reproduced as published. " +
    "Gold, which the bank prices by the gram, is left out.",
  cadence: "daily",
  zone: "Europe/Bucharest",
  currency: "RON",

  /** latest: the file of the last ten working days, else the year's. Otherwise a file a year. */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
    if (requested === null) return [];
    const route = (name: string, requests: readonly UpstreamRequest[]): OfficialRoute => ({
      name,
      requests,
      parse: (document) => parseBnr(document, requested),
    });
    const years = route(
      "year",
      yearsOf(requested).map((year) => file(`files/xml/years/nbrfxrates${year}.xml`, 4 * KILOBYTE)),
    );
    return window.reach === "latest"
      ? [route("ten days", [file("nbrfxrates10days.xml", 256)]), years]
      : [years];
  },
};

function file(path: string, maxKilobytes: number): UpstreamRequest {
  return {
    url: `${FILES}/${path}`,
    accept: "application/xml, text/xml",
    maxBytes: maxKilobytes * KILOBYTE,
    timeoutSeconds: 60,
  };
}

const reader = tableReader("BNR XML", ROU_REFERENCE);
/** ISO 4217 means an ounce of it, BNR a gram: under that code the figure would be wrong by a factor of 31. */
const GOLD = "XAU";
/** A dash in place of digits is a currency without a rate, not a broken one. */
const NO_RATE = "-";

/** One publication a cube, named by its day; an envelope without cubes is empty. Throws BrokenDocument. */
function parseBnr(document: UpstreamDocument, window: Span): OfficialParsed {
  const root = reader.xml(document);
  if (root.name !== "DataSet") throw reader.broken("the document is not a DataSet");
  const body = reader.element(root, "Body");
  if (reader.textOf(body, "OrigCurrency") !== ROU_REFERENCE.currency)
    throw reader.broken(`the rates are not in ${ROU_REFERENCE.currency}`);
  return reader.conclude(window, elementsOf(body, "Cube").map(readingOf));

  function readingOf(cube: XmlElement): OfficialReading {
    const date = reader.attribute(cube, "date");
    const validFrom = reader.day(document, parseDay(date), date);
    const name = formatDay(validFrom);
    const rows = cube.children.flatMap((rate) => rowOf(rate, name));
    return publicationOf(name, validFrom, rows);
  }
}

function rowOf(rate: XmlElement, publication: string): readonly OfficialRow[] {
  if (rate.name !== "Rate" || rate.children.length > 0)
    throw reader.broken(`a cube of ${publication} holds more than rates`);
  const base = reader.code(reader.attribute(rate, "currency"));
  if (base === GOLD || rate.text === NO_RATE) return [];
  const of = `${base} of ${publication}`;
  const printed = reader.rate(rate.text, of);
  const unit = reader.unit(rate.attributes.get("multiplier") ?? "1", of);
  return [{ base, quote: "RON", rate: printed, unit, kind: "mid" }];
}
