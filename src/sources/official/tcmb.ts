/** The indicative rates of the Turkish central bank: identity, and which bulletins cover a window. They are read in tcmb-xml.ts. */

import { type Day, dayOf, formatDay, weekdayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports.ts";
import { askedOf } from "./reading.ts";
import { parseTcmbXml } from "./tcmb-xml.ts";

const SITE = "https://www.tcmb.gov.tr/kurlar";
/** Bulletins before it count in the lira of old, a million to one under the letters TRL. */
const BEGAN = dayOf(2005, 1, 3) as Day;
/** Longer than a feast with the days given around it. */
const LATEST_LOOKBACK_DAYS = 12;

export const TUR_INDICATIVE: OfficialAdapter = {
  id: "tur_indicative",
  country: "TUR",
  types: ["indicative", "bulletin"],
  title: "TCMB indicative exchange rates",
  authority: "Central Bank of the Republic of Türkiye (TCMB)",
  homepage: "https://www.tcmb.gov.tr/kurlar/today.xml",
  terms:
    "Source: Central Bank of the Republic of Türkiye, indicative exchange rates, reproduced as published. " +
    "Forex buying and selling only: its rates for banknotes are not part of this table.",
  cadence: "daily",
  zone: "Europe/Istanbul",
  currency: "TRY",

  /** latest: the newest bulletin, else day by day. A day on which the bank is closed has no bulletin: not found. */
  routes(window) {
    const asked = askedOf(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (asked === null) return [];
    const parse = (document: UpstreamDocument) => parseTcmbXml(document, asked);
    const dated: OfficialRoute = {
      name: "bulletins by day",
      requests: weekdays(asked),
      mayBeAbsent: true,
      parse,
    };
    if (window.reach !== "latest") return [dated];
    return [{ name: "newest bulletin", requests: [request("today")], parse }, dated];
  },
};

function weekdays({ from, to }: OfficialWindow): readonly UpstreamRequest[] {
  const requests: UpstreamRequest[] = [];
  for (let day = from; day <= to; day++) {
    const weekday = weekdayOf(day);
    if (weekday === 0 || weekday === 6) continue;
    const [year, month, date] = formatDay(day).split("-");
    requests.push(request(`${year}${month}/${date}${month}${year}`));
  }
  return requests;
}

function request(path: string): UpstreamRequest {
  return {
    url: `${SITE}/${path}.xml`,
    accept: "application/xml, text/xml",
    maxBytes: 256 * 1024,
    timeoutSeconds: 20,
  };
}
