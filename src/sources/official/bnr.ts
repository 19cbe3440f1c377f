/** Banca Națională a României: the reference rates of the leu. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialRoute } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { parseBnr } from "./bnr-xml.ts";
import { askedOf, yearsOf } from "./reading.ts";

const FILES = "https://curs.bnr.ro";
/** The files since 2006 are in new lei throughout: the leu was counted anew, 10,000 to 1, on 2005-07-01. */
const BEGAN = dayOf(2006, 1, 1) as Day;
/** Ten working days, which the short file holds, are at least as long. */
const LOOKBACK_DAYS = 14;
const KILOBYTE = 1024;

/**
 * Valid from the day it carries until the next one. It is published at about 13:00, so that Romanian books take it for
 * the day after; the document does not say so, and its own day is what is given here.
 */
export const BNR_TABLE: OfficialTable = {
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
};

/** latest: the file of the last ten working days, else the year's. Otherwise a file a year. */
export const ROU_REFERENCE: OfficialAdapter = {
  ...BNR_TABLE,
  routes(window) {
    const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
    if (asked === null) return [];
    const route = (name: string, requests: readonly UpstreamRequest[]): OfficialRoute => ({
      name,
      requests,
      parse: (document) => parseBnr(document, asked, BNR_TABLE),
    });
    const years = route(
      "year",
      yearsOf(asked).map((year) => file(`files/xml/years/nbrfxrates${year}.xml`, 4 * KILOBYTE)),
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
