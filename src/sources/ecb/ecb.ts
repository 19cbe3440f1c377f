/** The European Central Bank's euro reference rates: identity, and which document covers which period. */

import type { Window } from "#domain/intake/reading.ts";
import { type Day, dayOf, formatDay, yearOf } from "#domain/time/day.ts";
import type { DailyAdapter, Route, UpstreamRequest } from "#ports/upstream.ts";
import { get } from "#sources/reading.ts";
import { ECB_CURRENCIES, parseEcbHistoryZip, parseEcbSdmx, parseEcbXml } from "./documents.ts";

const FILES = "https://www.ecb.europa.eu/stats/eurofxref";
const SDMX = "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A";
/** Longer than any run of TARGET closures: the newest figure is always inside. */
const LATEST_LOOKBACK_DAYS = 14;
/** Days that the 90-day XML surely has. */
const NINETY_DAYS = 85;

export const ECB: DailyAdapter = {
  id: "ecb_daily",
  authority: "European Central Bank",
  terms:
    "Source: European Central Bank, euro foreign exchange reference rates, reproduced as published. " +
    "The ECB publishes them for information only and discourages their use for transactions.",
  currencies: ECB_CURRENCIES,

  /**
   * history: the zip, else SDMX year by year. recent: SDMX, because only it has corrections and publication
   * instants, else the 90-day XML. latest: the daily XML, else SDMX.
   */
  routes(window) {
    switch (window.reach) {
      case "history":
        return [HISTORY_ZIP, { name: "sdmx", requests: sdmxYears(window), parse: parseEcbSdmx }];
      case "recent":
        return [sdmx(window.from, window.to), ninetyDaysXml];
      case "latest":
        return [dailyXml, sdmx(Math.min(window.from, window.to - LATEST_LOOKBACK_DAYS), window.to)];
    }
  },

  /** SDMX answers any days in a small document, the 90-day XML holds recent days, the zip holds all. */
  secondRoutes: ({ from, to, today }) => [
    sdmx(from, to),
    ...(today - from < NINETY_DAYS ? [ninetyDaysXml] : []),
    HISTORY_ZIP,
  ],
};

export const ECB_FILES = {
  daily: get("xml", `${FILES}/eurofxref-daily.xml`, { kilobytes: 64, seconds: 20 }),
  ninetyDays: get("xml", `${FILES}/eurofxref-hist-90d.xml`, { kilobytes: 1024, seconds: 30 }),
  history: get("zip", `${FILES}/eurofxref-hist.zip`, { kilobytes: 8192, seconds: 120 }),
} as const;

export const HISTORY_ZIP = whole("history zip", ECB_FILES.history, parseEcbHistoryZip);
const ninetyDaysXml = whole("90-day XML", ECB_FILES.ninetyDays, parseEcbXml);
const dailyXml = whole("daily XML", ECB_FILES.daily, parseEcbXml);

function whole(name: string, request: UpstreamRequest, parse: Route["parse"]): Route {
  return { name, voice: `files/${name}`, requests: [request], parse };
}

function sdmx(from: Day, to: Day): Route {
  return { name: "sdmx", requests: [sdmxRequest(from, to)], parse: parseEcbSdmx };
}

/** One request per year: a year's answer with its versions is about a megabyte. */
function sdmxYears({ from, to }: Window): UpstreamRequest[] {
  const first = yearOf(from);
  return Array.from({ length: yearOf(to) - first + 1 }, (_, nth) =>
    sdmxRequest(
      Math.max(dayOf(first + nth, 1, 1) as Day, from),
      Math.min(dayOf(first + nth, 12, 31) as Day, to),
    ),
  );
}

function sdmxRequest(from: Day, to: Day): UpstreamRequest {
  const query = `startPeriod=${formatDay(from)}&endPeriod=${formatDay(to)}`;
  const url = `${SDMX}?format=csvdata&detail=dataonly&includeHistory=true&${query}`;
  return get("csv", url, { kilobytes: 8192, seconds: 60 });
}
