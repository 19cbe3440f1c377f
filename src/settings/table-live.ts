/** Settings of live quotes and of official tables, in the order of docs/configuration.md. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Setting } from "./setting.ts";

/** Traded around the clock in volume: what every feed delivers well. */
// biome-ignore format: a list of codes
const LIVE_CURRENCIES: readonly CurrencyCode[] = [
  "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK",
  "SGD", "HKD", "CNY", "MXN", "ZAR", "TRY", "PLN", "CZK", "HUF",
];

export const LIVE_SETTINGS = [
  {
    name: "LIVE_FEED",
    fallback: "coinbase",
    meaning:
      "feed of live quotes: `coinbase` (needs no key), `oxr`, `massive`, `twelvedata`, `oanda` or `off`",
  },
  {
    name: "LIVE_FALLBACK",
    fallback: null,
    meaning: "fallback feeds, comma-separated: each is used while the ones before it fail",
  },
  {
    name: "LIVE_CURRENCIES",
    fallback: LIVE_CURRENCIES.join(","),
    meaning: "currencies to serve live where a feed delivers them well",
  },
  {
    name: "LIVE_POLL_SECONDS",
    fallback: "60",
    meaning: "seconds between polls of a feed, 1 to 3600; a plan that allows fewer is obeyed",
  },
  {
    name: "LIVE_STALE_SECONDS",
    fallback: null,
    meaning:
      "age in open market from which a live rate is stale, 10 to 86400; by default 300, or three polls of its feed where that is longer",
  },
  {
    name: "LIVE_DELAY_MINUTES",
    fallback: "0",
    meaning: "minutes by which live rates are held back, 0 to 60",
  },
  {
    name: "OXR_APP_ID",
    fallback: null,
    secret: true,
    meaning: "Open Exchange Rates app id",
  },
  {
    name: "OXR_REQUESTS_PER_MONTH",
    fallback: "1000",
    meaning: "requests a month that the Open Exchange Rates plan allows",
  },
  { name: "MASSIVE_API_KEY", fallback: null, secret: true, meaning: "Massive API key" },
  {
    name: "MASSIVE_REQUESTS_PER_MINUTE",
    fallback: "5",
    meaning: "requests a minute that the Massive plan allows",
  },
  { name: "TWELVEDATA_API_KEY", fallback: null, secret: true, meaning: "Twelve Data API key" },
  {
    name: "TWELVEDATA_CREDITS_PER_MINUTE",
    fallback: "8",
    meaning: "credits a minute of the Twelve Data plan; one poll takes a credit a currency",
  },
  {
    name: "TWELVEDATA_CREDITS_PER_DAY",
    fallback: "800",
    meaning: "credits a day of the Twelve Data plan; 0 is without limit",
  },
  { name: "OANDA_TOKEN", fallback: null, secret: true, meaning: "OANDA v20 access token" },
  { name: "OANDA_ACCOUNT", fallback: null, meaning: "OANDA v20 account id" },
  {
    name: "OANDA_PRACTICE",
    fallback: "no",
    meaning: "`yes` for a practice account, which has a host of its own; else `no`",
  },
] as const satisfies readonly Setting[];

export const OFFICIAL_SETTINGS = [
  {
    name: "OFFICIAL_TABLES",
    fallback: "all",
    meaning:
      "official tables to collect and serve: `all`, `off`, or ids, comma-separated; `crossrate admin official` lists them",
  },
  {
    name: "BANXICO_TOKEN",
    fallback: null,
    secret: true,
    meaning: "Banxico's free SIE token; without one its FIX and settlement tables are left out",
  },
] as const satisfies readonly Setting[];
