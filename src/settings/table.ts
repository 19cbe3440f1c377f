/** Every setting there is: the README's table and .env.example say the same, and a test holds them against each other. */

import type { CurrencyCode } from "#domain/currency.ts";

interface Setting {
  readonly name: string;
  /** As shown in the README; null means the setting is empty by default. */
  readonly fallback: string | null;
  readonly meaning: string;
  /** Its value is never printed. */
  readonly secret?: boolean;
}

/** Traded around the clock in volume: what every feed delivers well. */
// biome-ignore format: a list of codes
const LIVE_CURRENCIES: readonly CurrencyCode[] = [
  "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK",
  "SGD", "HKD", "CNY", "MXN", "ZAR", "TRY", "PLN", "CZK", "HUF",
];

/** In the order of the README's table. */
export const SETTINGS = [
  { name: "PORT", fallback: "3000", meaning: "TCP port to listen on" },
  { name: "HOST", fallback: "127.0.0.1", meaning: "address to listen on; 0.0.0.0 for every interface" },
  {
    name: "ALLOWED_HOSTS",
    fallback: null,
    meaning: "host names to answer for, comma-separated; empty answers for any well-formed Host",
  },
  {
    name: "DATA_DIR",
    fallback: "data/live",
    meaning: "directory of the embedded stores (the demo uses data/demo)",
  },
  {
    name: "ACCESS",
    fallback: "open",
    meaning: "`open`: no keys and no limits; `metered` is accepted and not enforced yet",
  },
  {
    name: "ROLE",
    fallback: "all",
    meaning:
      "`all` collects and answers; `api` only answers, from what another process on the same DATA_DIR collects",
  },
  {
    name: "LIVE_FEED",
    fallback: "coinbase",
    meaning:
      "feed of live quotes: `coinbase` (needs no key), `oxr`, `massive`, `twelvedata`, `oanda` or `off`",
  },
  {
    name: "LIVE_FALLBACK",
    fallback: null,
    meaning: "feeds that stand in while the one before fails, comma-separated in order",
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
  {
    name: "REDIS_URL",
    fallback: null,
    secret: true,
    meaning:
      "redis:// or rediss:// address through which replicas share live quotes; empty keeps them in memory",
  },
  {
    name: "STREAM_SUBSCRIBERS",
    fallback: "2000",
    meaning: "streams of /v1/stream at once, 0 to 100000; more are refused with 503",
  },
  {
    name: "METRICS_PORT",
    fallback: null,
    meaning: "TCP port of GET /metrics (Prometheus); empty does not serve it",
  },
  {
    name: "METRICS_HOST",
    fallback: "127.0.0.1",
    meaning: "address that /metrics listens on; it names no secrets, yet is not for the public",
  },
  {
    name: "UPSTREAM_BASE",
    fallback: null,
    meaning: "remaps every upstream https://host/path to this address followed by /host/path",
  },
  {
    name: "FRED_API_KEY",
    fallback: null,
    secret: true,
    meaning: "FRED API key; without one the keyless CSV download is used",
  },
  {
    name: "NOW",
    fallback: null,
    meaning: "starts the clock at this UTC instant, e.g. 2026-04-13T16:30:00Z; refused in production",
  },
  {
    name: "CURSOR_SECRET",
    fallback: null,
    secret: true,
    meaning:
      "signs range cursors; give replicas the same one; by default made at random and kept in DATA_DIR",
  },
  { name: "BATCH_LIMIT", fallback: "100", meaning: "pairs that one batch conversion may hold, 1 to 1000" },
  {
    name: "INTRADAY_DAYS",
    fallback: "0",
    meaning: "days of intraday quotes to keep, today included; 0 keeps all of them",
  },
  { name: "EXPORT_CONCURRENCY", fallback: "2", meaning: "file exports under way at once, 1 to 16" },
  {
    name: "EXPORT_QUEUE",
    fallback: "32",
    meaning: "exports that may wait for their turn, 0 to 1000; more are refused with 503",
  },
  {
    name: "EXPORT_CACHE_MB",
    fallback: "1024",
    meaning: "disk under DATA_DIR for finished exports, which are sent again without new work",
  },
  {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: "`info`, `warn` or `silent`; log lines are JSON on standard error",
  },
  { name: "NODE_ENV", fallback: null, meaning: "`production` refuses settings that only tests need" },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];
