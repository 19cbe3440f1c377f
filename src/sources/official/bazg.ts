/** The daily exchange rates (sell) of the Swiss customs: identity, and which documents cover a window. They are read in bazg-xml.ts. */

import { type Day, dayOf, formatDay, weekdayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports.ts";
import { BAZG_DAYS_AHEAD, parseBazgXml } from "./bazg-xml.ts";
import { askedOf } from "./reading.ts";

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

  /** latest: the newest document, else day by day. A day without a determination has no document of its own. */
  routes(window) {
    const asked = askedOf(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (asked === null) return [];
    // What was determined by the window's last day is published, and valid a day or more later.
    const wanted = { ...asked, to: asked.to + BAZG_DAYS_AHEAD };
    const parse = (document: UpstreamDocument) => parseBazgXml(document, wanted);
    const dated: OfficialRoute = {
      name: "daily XML by day",
      requests: determinations(asked),
      mayBeAbsent: true,
      parse,
    };
    if (window.reach !== "latest") return [dated];
    return [{ name: "newest daily XML", requests: [request(SITE)], parse }, dated];
  },
};

/** Addresses name the day of determination, which is the one before the first day of validity: never a weekend. */
function determinations({ from, to }: OfficialWindow): readonly UpstreamRequest[] {
  const requests: UpstreamRequest[] = [];
  for (let day = from - 1; day <= to; day++) {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday === 6) continue;
    requests.push(request(`${SITE}?d=${formatDay(day).replaceAll("-", "")}&locale=en`));
  }
  return requests;
}

function request(url: string): UpstreamRequest {
  return { url, accept: "application/xml, text/xml", maxBytes: 256 * 1024, timeoutSeconds: 20 };
}
