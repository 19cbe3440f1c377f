/** Documents of every feed in its own text, made by the tests: the same prices, a time, and each feed's form of an error. */

import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Instant } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import type { Feed } from "#ports.ts";
import { type FeedAccess, liveFeed } from "#sources/catalogue.ts";
import { marketPair } from "#sources/live/reading.ts";
import { documentOf } from "#test/sources/documents.ts";

export const HEX = "0123456789abcdef0123456789abcdef";
export const TOKEN = `${HEX}-${HEX}`;
/** A Tuesday in the afternoon, when everything trades. */
export const NOW = Date.parse("2026-04-14T15:00:30Z");

export const ACCESS: FeedAccess = {
  oxr: { appId: HEX },
  massive: { apiKey: HEX },
  twelvedata: { apiKey: HEX, creditsPerMinute: 60, creditsPerDay: null },
  oanda: { token: TOKEN, accountId: "101-001-1-001" },
};

/** Prices as printed, by currency: the feed's own way round, bid and ask where it has them. */
export type Printed = Partial<Record<CurrencyCode, string>>;

export interface Forged {
  readonly feed: Feed;
  /** Prices are printed as text, so that "NaN" is a text among others. */
  readonly asText: boolean;
  readonly twoSided: boolean;
  /** The whole document; a price "1.1/1.2" is a bid and an ask. `time` is put in as the feed prints times. */
  write(prices: Printed, time: Instant | string): string;
  /** Error bodies that come with HTTP 200, and what they mean. */
  readonly errors: readonly (readonly [body: string, kind: UpstreamFaultKind])[];
}

/** Good prices in every feed's own direction. */
const GOOD: Printed = { EUR: "1.17432", JPY: "159.471", SEK: "9.25137", TRY: "44.9012", MXN: "17.3456" };
export const REQUESTED = Object.keys(GOOD) as CurrencyCode[];

/** Feeds that quote everything in units for a dollar get the euro the other way round. */
const inverse: Printed = { ...GOOD, EUR: "0.85156" };

function feedOf(id: Feed["id"]): Feed {
  const feed = liveFeed(id, ACCESS);
  if (feed === null) throw new Error(`no feed ${id}`);
  return feed;
}

function entries(prices: Printed): [CurrencyCode, string][] {
  return CURRENCY_CODES.flatMap((code): [CurrencyCode, string][] => {
    const price = prices[code];
    return price === undefined ? [] : [[code, price]];
  });
}

const seconds = (time: Instant | string) => (typeof time === "string" ? time : String(time / 1000));
const sides = (price: string) => {
  const [bid = "", ask = bid] = price.split("/");
  return { bid, ask };
};

export const FORGES: readonly (Forged & { readonly good: Printed })[] = [
  {
    feed: feedOf("coinbase"),
    asText: true,
    twoSided: false,
    good: inverse,
    write: (prices) => {
      const rates = { BTC: "0.00001", XAU: "0", ...Object.fromEntries(entries(prices)) };
      return JSON.stringify({ data: { currency: "USD", rates } });
    },
    errors: [
      ['{"errors":[{"id":"invalid_request","message":"Currency is invalid"}]}', "status"],
      ['{"errors":[{"id":"rate_limit_exceeded","message":"Too many requests"}]}', "rate_limited"],
    ],
  },
  {
    feed: feedOf("oxr"),
    asText: false,
    twoSided: false,
    good: inverse,
    write: (prices, time) =>
      `{"disclaimer":"d","license":"l","timestamp":${seconds(time)},"base":"USD","rates":{` +
      `${['"BTC":1.2e-5', ...entries(prices).map(([code, price]) => `"${code}":${price}`)].join(",")}}}`,
    errors: [
      [
        '{"error":true,"status":401,"message":"invalid_app_id","description":"Invalid App ID provided."}',
        "refused_credentials",
      ],
      [
        '{"error":true,"status":429,"message":"not_allowed","description":"Too many requests."}',
        "rate_limited",
      ],
      [
        '{"error":true,"status":403,"message":"access_restricted","description":"Over the limit."}',
        "rate_limited",
      ],
      ['{"error":true,"status":403,"message":"blocked","description":"No."}', "refused_credentials"],
      ['{"error":true,"status":400,"message":"invalid_base","description":"Unsupported."}', "status"],
    ],
  },
  {
    feed: feedOf("massive"),
    asText: false,
    twoSided: true,
    good: GOOD,
    write: (prices, time) => {
      const tickers = entries(prices).map(([code, price]) => {
        const { bid, ask } = sides(price);
        return `{"ticker":"C:${marketPair(code).join("")}","lastQuote":{"a":${ask},"b":${bid},"x":48,"t":${time}},"updated":${time}}`;
      });
      return `{"status":"OK","tickers":[${tickers.join(",")}]}`;
    },
    errors: [
      ['{"status":"ERROR","request_id":"r","error":"Unknown API Key"}', "refused_credentials"],
      [
        '{"status":"NOT_AUTHORIZED","request_id":"r","message":"You are not entitled"}',
        "refused_credentials",
      ],
      [
        '{"status":"ERROR","error":"You\'ve exceeded the maximum requests per minute, please wait."}',
        "rate_limited",
      ],
      ['{"status":"ERROR","error":"Something else"}', "status"],
      ['{"status":"OK","tickers":[],"error":"Something else"}', "status"],
    ],
  },
  {
    feed: feedOf("twelvedata"),
    asText: false,
    twoSided: false,
    good: GOOD,
    write: (prices, time) => {
      const members = entries(prices).map(([code, price]) => {
        const name = marketPair(code).join("/");
        return `"${name}":{"symbol":"${name}","rate":${price},"timestamp":${seconds(time)}}`;
      });
      return `{${members.join(",")}}`;
    },
    errors: [
      ['{"code":401,"message":"**apikey** parameter is incorrect","status":"error"}', "refused_credentials"],
      [
        '{"code":429,"message":"You have run out of API credits for the current minute.","status":"error"}',
        "rate_limited",
      ],
      ['{"code":404,"message":"**symbol** parameter is missing or invalid.","status":"error"}', "not_found"],
      ['{"code":500,"message":"Internal error","status":"error"}', "status"],
    ],
  },
  {
    feed: feedOf("oanda"),
    asText: true,
    twoSided: true,
    good: GOOD,
    write: (prices, time) => {
      const printedTime =
        typeof time === "string" ? time : `${new Date(time).toISOString().slice(0, 23)}829226Z`;
      const quoted = entries(prices).map(([code, price]) => {
        const { bid, ask } = sides(price);
        return {
          ...{ type: "PRICE", time: printedTime, instrument: marketPair(code).join("_") },
          bids: [{ price: bid, liquidity: "1000000" }],
          asks: [{ price: ask, liquidity: "1000000" }],
          ...{ closeoutBid: bid, closeoutAsk: ask, status: "tradeable", tradeable: true },
        };
      });
      return JSON.stringify({ time: printedTime, prices: quoted });
    },
    errors: [
      ['{"errorMessage":"Insufficient authorization to perform request."}', "refused_credentials"],
      ['{"errorMessage":"Access is forbidden."}', "refused_credentials"],
      ['{"errorMessage":"Invalid value specified for \'instruments\'"}', "status"],
    ],
  },
];

export const forgeOf = (id: Feed["id"]) =>
  FORGES.find(({ feed }) => feed.id === id) as (typeof FORGES)[number];

/** A document that arrived at `retrievedAt`, answered by the origin at `servedAt` (null: without a Date). */
export function arrived(
  text: string | Uint8Array,
  { retrievedAt = NOW, servedAt = retrievedAt }: { retrievedAt?: Instant; servedAt?: Instant | null } = {},
): UpstreamDocument {
  return {
    ...documentOf(text, "https://feed.example/"),
    retrievedAt,
    ...(servedAt !== null && { servedAt }),
  };
}

export function offerOf(feed: Feed): readonly CurrencyCode[] {
  return feed.polls(CURRENCY_CODES).flatMap(({ requested }) => requested);
}
