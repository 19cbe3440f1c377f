/** The ECB's euro foreign exchange reference rates as an official publication: a table a day, with every currency that it has. */

import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { ECB_FILES } from "#sources/ecb/ecb.ts";
import { conclude, publicationOf, requestedWindow } from "#sources/official/reading.ts";
import { readEcbDays } from "./ecb-days.ts";

const BEGAN = dayOf(1999, 1, 4) as Day;
/** Longer than Easter, and than Christmas with New Year. */
const LOOKBACK_DAYS = 10;
/** What the file of ninety days surely has. */
const NINETY_DAYS = 85;

export const EUE_REFERENCE: OfficialAdapter = {
  id: "eue_reference",
  // ISO 3166-1 has no code for the Union; EUE is what it reserves for the Union's travel documents.
  country: "EUE",
  types: ["reference", "ecb"],
  title: "ECB euro foreign exchange reference rates",
  authority: "European Central Bank",
  homepage: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates",
  terms:
    "Source: European Central Bank, euro foreign exchange reference rates, reproduced as published. " +
    "The ECB publishes them for information only and discourages their use for transactions.",
  cadence: "daily",
  zone: "Europe/Berlin",
  currency: "EUR",
  // The zip has them all; in one window they would all be in memory at once.
  historyYears: 10,

  /**
   * latest: the day's XML, else that of 90 days. Otherwise the latter where it reaches, else the zip. SDMX is no route: it
   * has further currencies, and a publication would change with the route it came by.
   */
  routes(window) {
    const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
    if (requested === null) return [];
    const route = (name: string, request: UpstreamRequest): OfficialRoute => ({
      name,
      requests: [request],
      parse: (document) => parseReference(document, requested),
    });
    const ninetyDays = route("90-day XML", ECB_FILES.ninetyDays);
    const history = route("history zip", { ...ECB_FILES.history, timeoutSeconds: 60 });
    if (window.reach === "latest") return [route("daily XML", ECB_FILES.daily), ninetyDays];
    const isRecent = window.reach === "recent" && requested.from >= requested.to - NINETY_DAYS;
    return isRecent ? [ninetyDays, history] : [history];
  },
};

/** A publication a day, named by it, valid until the next. Throws BrokenDocument. */
function parseReference(document: UpstreamDocument, window: OfficialWindow): OfficialParsed {
  const readings = readEcbDays(document, window).map(({ date, rows }) =>
    publicationOf(formatDay(date), date, rows()),
  );
  return conclude(window, readings, "ECB reference rates");
}
