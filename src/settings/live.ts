/** Settings of live quotes: feeds, keys, plans, currencies, intervals. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { FEEDS, type FeedId } from "#domain/live/live-quote.ts";
import type { SettingsReader } from "./reader.ts";
import type { SettingName } from "./table.ts";

export interface LiveSettings {
  /** In order of preference; empty collects nothing. */
  readonly feeds: readonly FeedId[];
  readonly currencies: readonly CurrencyCode[];
  readonly pollSeconds: number;
  /** null: by the pace of the feeds. */
  readonly staleSeconds: number | null;
  readonly delayMinutes: number;
  readonly access: LiveAccess;
}

/** Keys and plans; null where there is no key. */
export interface LiveAccess {
  readonly oxr: { readonly appId: string; readonly requestsPerMonth: number } | null;
  readonly massive: { readonly apiKey: string; readonly requestsPerMinute: number } | null;
  readonly twelvedata: {
    readonly apiKey: string;
    readonly creditsPerMinute: number;
    readonly creditsPerDay: number | null;
  } | null;
  readonly oanda: { readonly token: string; readonly accountId: string; readonly practice: boolean } | null;
}

/** What a feed cannot do without. */
const NEEDS: Readonly<Record<FeedId, readonly SettingName[]>> = {
  coinbase: [],
  oxr: ["OXR_APP_ID"],
  massive: ["MASSIVE_API_KEY"],
  twelvedata: ["TWELVEDATA_API_KEY"],
  oanda: ["OANDA_TOKEN", "OANDA_ACCOUNT"],
};

const LONGEST_DELAY_MINUTES = 60;

export function readLive(read: SettingsReader): LiveSettings {
  const first = read.choice("LIVE_FEED", [...FEEDS, "off"]);
  const fallbacks = read.choices("LIVE_FALLBACK", FEEDS);
  const feeds = first === "off" ? [] : [...new Set([first, ...fallbacks])];
  for (const feed of feeds) {
    for (const name of NEEDS[feed].filter((needed) => read.text(needed) === null))
      read.fault(name, `the feed ${feed} needs it`);
  }
  const currencies = read.choices("LIVE_CURRENCIES", CURRENCY_CODES);
  if (currencies.includes("USD"))
    read.fault("LIVE_CURRENCIES", "live quotes are prices in USD: leave USD out");
  return {
    feeds,
    currencies,
    pollSeconds: read.integer("LIVE_POLL_SECONDS", 1, 3600),
    staleSeconds: read.integerOrNull("LIVE_STALE_SECONDS", 10, 86_400),
    delayMinutes: read.integer("LIVE_DELAY_MINUTES", 0, LONGEST_DELAY_MINUTES),
    access: readAccess(read),
  };
}

function readAccess(read: SettingsReader): LiveAccess {
  const appId = read.text("OXR_APP_ID");
  const massiveKey = read.text("MASSIVE_API_KEY");
  const twelveDataKey = read.text("TWELVEDATA_API_KEY");
  const [token, accountId] = [read.text("OANDA_TOKEN"), read.text("OANDA_ACCOUNT")];
  const requestsPerMonth = read.integer("OXR_REQUESTS_PER_MONTH", 1, 100_000_000);
  const requestsPerMinute = read.integer("MASSIVE_REQUESTS_PER_MINUTE", 1, 100_000);
  const creditsPerMinute = read.integer("TWELVEDATA_CREDITS_PER_MINUTE", 1, 1_000_000);
  const creditsPerDay = read.integer("TWELVEDATA_CREDITS_PER_DAY", 0, 100_000_000) || null;
  const practice = read.choice("OANDA_PRACTICE", ["no", "yes"]) === "yes";
  return {
    oxr: appId === null ? null : { appId, requestsPerMonth },
    massive: massiveKey === null ? null : { apiKey: massiveKey, requestsPerMinute },
    twelvedata: twelveDataKey === null ? null : { apiKey: twelveDataKey, creditsPerMinute, creditsPerDay },
    oanda: token === null || accountId === null ? null : { token, accountId, practice },
  };
}
