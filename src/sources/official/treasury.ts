/** The US Treasury's Reporting Rates of Exchange through Fiscal Data: identity and requests. The answer is read in treasury-json.ts. */

import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { askedOf, yearsOf } from "./reading.ts";
import { parseTreasuryJson, TREASURY_PAGE_ROWS } from "./treasury-json.ts";

const DATASET =
  "https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
const FIELDS = "record_date,country_currency_desc,exchange_rate,effective_date";
/**
 * The report of 2022-12-31 is the first that is read. The dataset goes back to 2001, but its names of currencies outlive
 * redenominations, and a rate under the wrong code would be worse than none.
 */
const BEGAN = dayOf(2022, 12, 31) as Day;
/** A quarter, and the weeks until its report is out. */
const LATEST_LOOKBACK_DAYS = 130;

export const USA_TREASURY: OfficialAdapter = {
  id: "usa_treasury",
  country: "USA",
  types: ["reporting", "treasury"],
  title: "Treasury Reporting Rates of Exchange",
  authority: "U.S. Department of the Treasury, Bureau of the Fiscal Service",
  homepage: "https://fiscaldata.treasury.gov/datasets/treasury-reporting-rates-exchange/",
  terms:
    "Source: U.S. Department of the Treasury, Bureau of the Fiscal Service, Fiscal Data. " +
    "The report has no currency codes: they are this service's reading of its country and currency names.",
  cadence: "quarterly",
  zone: "America/New_York",
  currency: "USD",
  historyYears: 100,
  historyAtStart: true,

  /** A request a year, which one page always holds: how many pages a longer time takes is known only from the answer. */
  routes(window) {
    const asked = askedOf(window, BEGAN, LATEST_LOOKBACK_DAYS);
    if (asked === null) return [];
    const requests = yearsOf(asked).map(request);
    return [{ name: "Fiscal Data JSON", requests, parse: (document) => parseTreasuryJson(document, asked) }];
  },
};

/** What is valid within a year: the reports from the end of the year before on, each with its amendments. */
function request(year: number): UpstreamRequest {
  const from = formatDay(Math.max(dayOf(year - 1, 12, 31) as Day, BEGAN));
  const to = formatDay(dayOf(year, 12, 31) as Day);
  return {
    url:
      `${DATASET}?fields=${FIELDS}&filter=record_date:gte:${from},record_date:lte:${to}` +
      `&sort=record_date,country_currency_desc&page%5Bnumber%5D=1&page%5Bsize%5D=${TREASURY_PAGE_ROWS}`,
    accept: "application/json",
    maxBytes: 4 * 1024 * 1024,
    timeoutSeconds: 60,
  };
}
