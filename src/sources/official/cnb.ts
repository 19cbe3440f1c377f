/** Česká národní banka: the daily fixing of the koruna. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, weekdayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialRoute, OfficialWindow } from "#ports/official.ts";
import { parseCnbJson } from "./cnb-json.ts";
import { parseCnbText } from "./cnb-text.ts";
import { askedOf, printDayMonthYear, yearsOf } from "./reading.ts";

const API = "https://api.cnb.cz/cnbapi/exrates/daily-year";
const TEXT =
  "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/central-bank-exchange-rate-fixing/daily.txt";
/** The first fixing in Czech koruna; before 1993-02-08 the currency was another one. */
const BEGAN = dayOf(1993, 2, 8) as Day;
const LOOKBACK_DAYS = 14;
const KILOBYTE = 1024;

/**
 * Declared after 14:30 on working days, valid that day and the following days that are none. Named by its day: the text
 * has a number within the year (`#1`) and the year's list has none, and counting would give every later fixing another
 * name when one is missing or added.
 */
export const CNB_TABLE: OfficialTable = {
  id: "cze_fixing",
  country: "CZE",
  types: ["fixing", "daily"],
  title: "Central bank exchange rate fixing, in koruna",
  authority: "Česká národní banka",
  homepage:
    "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/",
  terms:
    "Source: Czech National Bank, central bank exchange rate fixing, reproduced as published. " +
    "The bank declares it for accounting and for assessing taxes and customs duties.",
  cadence: "daily",
  zone: "Europe/Prague",
  currency: "CZK",
};

/** latest: the day's text, two kilobytes, else the year. Otherwise the years, else, for short windows, a text a day. */
export const CZE_FIXING: OfficialAdapter = {
  ...CNB_TABLE,
  routes(window) {
    const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
    if (asked === null) return [];
    const years = yearLists(asked);
    if (window.reach === "latest") return [texts(asked, [asked.to]), years];
    const days = workingDays(asked);
    return days.length <= LOOKBACK_DAYS ? [years, texts(asked, days)] : [years];
  },
};

function yearLists(asked: OfficialWindow): OfficialRoute {
  return {
    name: "year",
    requests: yearsOf(asked).map((year) => ({
      url: `${API}?year=${year}&lang=EN`,
      accept: "application/json",
      maxBytes: 4 * KILOBYTE * KILOBYTE,
      timeoutSeconds: 60,
    })),
    parse: (document) => parseCnbJson(document, asked, CNB_TABLE),
  };
}

/** Asked for any day, the bank gives the fixing that is valid on it. */
function texts(asked: OfficialWindow, days: readonly Day[]): OfficialRoute {
  return {
    name: "text",
    requests: days.map((day) => ({
      url: `${TEXT}?date=${printDayMonthYear(day, ".")}`,
      accept: "text/plain",
      maxBytes: 64 * KILOBYTE,
      timeoutSeconds: 20,
    })),
    parse: (document) => parseCnbText(document, asked, CNB_TABLE),
  };
}

function workingDays({ from, to }: OfficialWindow): readonly Day[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return days.filter((day) => weekdayOf(day) % 6 !== 0);
}
