/** Open Exchange Rates, latest.json: keyed, one document for everything, JSON numbers and one time for all of them. */

import { BrokenDocument, UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Feed } from "#ports.ts";
import { digitsAt, objectAt, readJsonObject, textAt } from "#sources/json.ts";
import { AGAINST_DOLLAR, instantOfCount, readDollarRates, singlePoll } from "./reading.ts";

export interface OxrPlan {
  readonly appId: string;
  /** Requests that the plan allows in a month; 1,000 is the free plan. */
  readonly requestsPerMonth?: number;
}

const WHAT = "Open Exchange Rates";
const FREE_REQUESTS_PER_MONTH = 1000;
const LONGEST_MONTH_SECONDS = 31 * 86_400;

export function oxrFeed({ appId, requestsPerMonth = FREE_REQUESTS_PER_MONTH }: OxrPlan): Feed {
  return {
    id: "oxr",
    authority: "Open Exchange Rates",
    terms:
      "Source: Open Exchange Rates, a blend of several providers, updated hourly to every few minutes by plan. " +
      "Usage subject to terms: https://openexchangerates.org/terms",
    timesEachPrice: true,

    // Base and symbols are left out: the dollar is every plan's base, and one address for all keeps its validators.
    polls: (currencies) =>
      singlePoll(AGAINST_DOLLAR, currencies, () => ({
        url: "https://openexchangerates.org/api/latest.json",
        secretHeaders: { Authorization: `Token ${appId}` },
        maxBytes: 256 * 1024,
      })),

    leastPollSeconds: () => Math.max(10, Math.ceil(LONGEST_MONTH_SECONDS / requestsPerMonth)),
    // The month's requests may be used up, which no answer reports; one poll an hour does no harm.
    quotaPauseSeconds: () => 3600,

    parse(document, requested) {
      const answer = readJsonObject(document.bytes, WHAT);
      if (answer.has("error")) {
        const message = textAt(answer, "message") ?? "error";
        const reported = `${WHAT}: ${message}: ${textAt(answer, "description") ?? ""}`;
        throw new UpstreamFault(kindOfError(digitsAt(answer, "status") ?? "", message), reported);
      }
      if (textAt(answer, "base") !== "USD") throw new BrokenDocument(`${WHAT}: not the rates of the dollar`);
      const rates = objectAt(answer, "rates", WHAT);
      const observedAt = instantOfCount(digitsAt(answer, "timestamp") ?? "");
      return readDollarRates("oxr", document, requested, rates, observedAt);
    },
  };
}

/** Errors come with HTTP 200 too, so the body's own status and message decide. */
function kindOfError(status: string, message: string): UpstreamFaultKind {
  // access_restricted is the answer to an account that has gone over its limits.
  if (status === "429" || message === "access_restricted") return "rate_limited";
  return status === "401" || status === "403" ? "refused_credentials" : "status";
}
