/** HM Revenue & Customs' monthly rates for customs and VAT: identity, and which files cover a window. The file is read in hmrc-xml.ts. */

import { type Day, dayOf, formatDay, weekdayOf } from "#domain/time/day.ts";
import { periodEnd, periodStart } from "#domain/time/periods.ts";
import type { OfficialAdapter, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { parseHmrcXml } from "./hmrc-xml.ts";

const SITE = "https://www.trade-tariff.service.gov.uk";
/** The service has no earlier file. */
const BEGAN = dayOf(2021, 1, 1) as Day;
const THURSDAY = 4;

export const GBR_MONTHLY: OfficialAdapter = {
  id: "gbr_monthly",
  country: "GBR",
  types: ["customs", "vat"],
  title: "HMRC exchange rates for customs and VAT, monthly",
  authority: "HM Revenue & Customs",
  homepage: `${SITE}/exchange_rates`,
  terms:
    "Source: HM Revenue & Customs. Contains public sector information licensed under the Open Government Licence v3.0.",
  cadence: "monthly",
  zone: "Europe/London",
  currency: "GBP",

  /** A file a month. The service answers, or has answered, under three addresses for the same file. */
  routes(window) {
    const wanted = inMonths(window);
    const months = monthsOf(wanted);
    if (months.length === 0) return [];
    const route = (name: string, folder: string, padded: boolean): OfficialRoute => ({
      name,
      requests: months.map((month) => request(month, folder, padded)),
      mayBeAbsent: true,
      parse: (document) => parseHmrcXml(document, wanted),
    });
    const short = route("monthly XML", "api/v2", false);
    const padded = route("monthly XML, month in two digits", "api/v2", true);
    const renamed = route("monthly XML of the UK service", "uk/api", false);
    const differ = padded.requests.some(({ url }, at) => url !== short.requests[at]?.url);
    return differ ? [short, padded, renamed] : [short, renamed];
  },
};

/**
 * The same window in whole months: from the month that is in force on its first day. To the next month where that is out
 * by then, for it is published on the penultimate Thursday of the month before; a history leaves it for later.
 */
function inMonths(window: OfficialWindow): OfficialWindow {
  const published = window.reach !== "history" && window.to >= penultimateThursday(window.to);
  const newest = published ? periodEnd("1mo", window.to) + 1 : window.to;
  return { ...window, from: Math.max(periodStart("1mo", window.from), BEGAN), to: newest };
}

function penultimateThursday(day: Day): Day {
  const last = periodEnd("1mo", day);
  return last - ((weekdayOf(last) - THURSDAY + 7) % 7) - 7;
}

function monthsOf({ from, to }: OfficialWindow): readonly Day[] {
  const months: Day[] = [];
  for (let first = from; first <= to; first = periodEnd("1mo", first) + 1) months.push(first);
  return months;
}

function request(month: Day, folder: string, padded: boolean): UpstreamRequest {
  const [year, digits = ""] = formatDay(month).split("-");
  return {
    url: `${SITE}/${folder}/exchange_rates/files/monthly_xml_${year}-${padded ? digits : Number(digits)}.xml`,
    accept: "application/xml, text/xml",
    maxBytes: 512 * 1024,
    timeoutSeconds: 30,
  };
}
