/** Coinbase exchange rates: no key, one document for all, prices as text, and no time except the response's own. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { Feed } from "#ports.ts";
import { objectAt, objectsAt, readJsonObject, textAt } from "#sources/json.ts";
import { AGAINST_DOLLAR, readDollarRates, singlePoll } from "./reading.ts";

const WHAT = "Coinbase exchange rates";

export const COINBASE: Feed = {
  id: "coinbase",
  authority: "Coinbase",
  terms:
    "Source: Coinbase exchange rates API. Prices of a venue that trades around the clock, " +
    "used during the interbank trading week only; subject to Coinbase's terms of use.",
  timesEachPrice: false,

  polls: (currencies) =>
    singlePoll(AGAINST_DOLLAR, currencies, () => ({
      url: "https://api.coinbase.com/v2/exchange-rates?currency=USD",
      maxBytes: 512 * 1024,
    })),

  // Four requests a minute stay far below the public limit of 10,000 an hour per address.
  leastPollSeconds: () => 15,
  quotaPauseSeconds: () => 300,

  parse(document, requested) {
    const answer = readJsonObject(document.bytes, WHAT);
    if (answer.has("errors")) {
      const [error] = objectsAt(answer, "errors", WHAT);
      const id = textAt(error, "id") ?? "error";
      const kind = id === "rate_limit_exceeded" ? "rate_limited" : "status";
      throw new UpstreamFault(kind, `${WHAT}: ${id}: ${textAt(error, "message") ?? ""}`);
    }
    const data = objectAt(answer, "data", WHAT);
    if (textAt(data, "currency") !== "USD") throw new BrokenDocument(`${WHAT}: not the rates of the dollar`);
    const rates = objectAt(data, "rates", WHAT);
    return readDollarRates("coinbase", document, requested, rates, document.servedAt ?? null);
  },
};
