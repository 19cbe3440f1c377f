/** Massive's forex snapshot: keyed, all pairs in one call, bid and ask with a time for each. */

import { BrokenDocument, UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Feed } from "#ports.ts";
import { digitsAt, type JsonObject, objectsAt, readJsonObject, textAt } from "#sources/json.ts";
import {
  AGAINST_DOLLAR,
  bothPairs,
  instantOfCount,
  objectsBy,
  type PairEntry,
  readQuotes,
  singlePoll,
} from "./reading.ts";

export interface MassivePlan {
  readonly apiKey: string;
  /** Requests that the plan allows in a minute. Plans with a limit allow 5, the default. */
  readonly requestsPerMinute?: number;
}

const WHAT = "Massive snapshot";
const SNAPSHOT = "https://api.massive.com/v2/snapshot/locale/global/markets/forex/tickers";

export function massiveFeed({ apiKey, requestsPerMinute = 5 }: MassivePlan): Feed {
  return {
    id: "massive",
    authority: "Massive (formerly Polygon.io)",
    terms:
      "Source: Massive forex quotes. Redistribution needs a plan that allows it; see Massive's market data terms.",
    timesEachPrice: true,

    // Both directions of every pair: some are quoted in one direction only, and one call returns them all.
    polls: (currencies) =>
      singlePoll(AGAINST_DOLLAR, currencies, (requested) => ({
        url: `${SNAPSHOT}?tickers=${requested.flatMap((currency) => bothPairs(currency).map(tickerOf)).join(",")}`,
        secretHeaders: { Authorization: `Bearer ${apiKey}` },
        maxBytes: 1024 * 1024,
      })),

    leastPollSeconds: () => Math.max(1, Math.ceil(60 / requestsPerMinute)),
    quotaPauseSeconds: () => 60,

    // The snapshot is cleared at midnight New York and fills up as prices arrive: a missing ticker is no fault.
    parse(document, requested) {
      const answer = readJsonObject(document.bytes, WHAT);
      const status = textAt(answer, "status") ?? "";
      if (answer.has("error") || status === "NOT_AUTHORIZED" || status === "ERROR") {
        const reported = textAt(answer, "error") ?? textAt(answer, "message") ?? "";
        throw new UpstreamFault(kindOfError(status, reported), `${WHAT}: ${status}: ${reported}`);
      }
      // DELAYED means a plan with late prices; each price still has its own time.
      if (status !== "OK" && status !== "DELAYED")
        throw new BrokenDocument(`${WHAT}: a status that is not OK`);
      const tickers = objectsBy("ticker", objectsAt(answer, "tickers", WHAT), WHAT);
      return readQuotes("massive", document, requested, bothPairs, (pair) =>
        quoteIn(tickers.get(tickerOf(pair))),
      );
    },
  };
}

function tickerOf([base, quote]: readonly [string, string]): string {
  return `C:${base}${quote}`;
}

function quoteIn(ticker: JsonObject | undefined): PairEntry {
  if (ticker === undefined) return null;
  const last = ticker.get("lastQuote");
  const quote = last instanceof Map ? last : undefined;
  const [bid, ask] = [digitsAt(quote, "b"), digitsAt(quote, "a")];
  if (bid === null || ask === null) return { rule: "no_price", reason: "has no bid and ask" };
  return { printed: { bid, ask }, observedAt: instantOfCount(digitsAt(quote, "t") ?? "") };
}

function kindOfError(status: string, reported: string): UpstreamFaultKind {
  if (/exceeded the maximum requests|too many requests/i.test(reported)) return "rate_limited";
  if (status === "NOT_AUTHORIZED" || /api key/i.test(reported)) return "refused_credentials";
  return "status";
}
