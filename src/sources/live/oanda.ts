/** OANDA v20 pricing: an account's token, bid and ask as text, a time with nanoseconds for each. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { Feed } from "#ports.ts";
import { digitsAt, type JsonObject, objectsAt, readJsonObject, textAt } from "#sources/json.ts";
import {
  instantOfText,
  marketPair,
  objectsBy,
  type Pair,
  type PairEntry,
  readQuotes,
  singlePoll,
} from "./reading.ts";

export interface OandaAccount {
  readonly token: string;
  readonly accountId: string;
  /** A practice account, which has its own host. */
  readonly practice?: boolean;
}

const WHAT = "OANDA pricing";
/** OANDA refuses the whole request for one instrument that the account lacks, so only common ones are requested. */
// biome-ignore format: a list of codes
const OFFER: readonly CurrencyCode[] = [
  "AUD", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "JPY",
  "MXN", "NOK", "NZD", "PLN", "SEK", "SGD", "THB", "TRY", "ZAR",
];

export function oandaFeed({ token, accountId, practice = false }: OandaAccount): Feed {
  const host = practice ? "api-fxpractice.oanda.com" : "api-fxtrade.oanda.com";
  return {
    id: "oanda",
    authority: "OANDA",
    terms:
      "Source: OANDA v20 pricing, for the holder of the account; see OANDA's API licence before passing prices on.",
    timesEachPrice: true,

    polls: (currencies) =>
      singlePoll(OFFER, currencies, (requested) => ({
        url: `https://${host}/v3/accounts/${encodeURIComponent(accountId)}/pricing?instruments=${requested.map((currency) => marketPair(currency).join("_")).join(",")}`,
        secretHeaders: { Authorization: `Bearer ${token}` },
        // `/status` shows faults to everybody.
        secretPart: accountId,
        maxBytes: 512 * 1024,
      })),

    // 120 requests a second are allowed.
    leastPollSeconds: () => 1,
    quotaPauseSeconds: () => 60,

    parse(document, requested) {
      const answer = readJsonObject(document.bytes, WHAT);
      const reported = textAt(answer, "errorMessage");
      if (reported !== null) {
        const credentials = /authorization|forbidden/i.test(reported);
        throw new UpstreamFault(credentials ? "refused_credentials" : "status", `${WHAT}: ${reported}`);
      }
      const prices = objectsBy("instrument", objectsAt(answer, "prices", WHAT), WHAT);
      const pairsOf = (currency: CurrencyCode) => [marketPair(currency)];
      const find = (pair: Pair) => quoteIn(prices.get(pair.join("_")));
      return readQuotes("oanda", document, requested, pairsOf, find);
    },
  };
}

/** The best price of each side is the first of its list; deeper levels are for larger amounts. */
function quoteIn(price: JsonObject | undefined): PairEntry {
  if (price === undefined) return null;
  const [bid, ask] = [bestOf(price, "bids"), bestOf(price, "asks")];
  if (bid === null || ask === null) return { rule: "no_price", reason: "has no bid and ask" };
  return { printed: { bid, ask }, observedAt: instantOfText(textAt(price, "time") ?? "") };
}

function bestOf(price: JsonObject, side: "bids" | "asks"): string | null {
  const levels = price.get(side);
  const best: unknown = Array.isArray(levels) ? levels[0] : undefined;
  return best instanceof Map ? digitsAt(best, "price") : null;
}
