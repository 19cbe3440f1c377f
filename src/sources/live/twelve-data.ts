/** Twelve Data, exchange_rate: keyed, one credit a pair, numbers with a time for each, errors among the answers. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument, UpstreamFault, type UpstreamFaultKind } from "#domain/faults/upstream.ts";
import type { Feed } from "#ports.ts";
import { digitsAt, type JsonObject, readJsonObject, textAt } from "#sources/json.ts";
import { AGAINST_DOLLAR, instantOfCount, marketPair, type PairEntry, readQuotes } from "./reading.ts";

export interface TwelveDataPlan {
  readonly apiKey: string;
  /** Credits that the plan gives a minute and a day, one for each pair; 8 and 800 are the free plan, null is no limit. */
  readonly creditsPerMinute?: number;
  readonly creditsPerDay?: number | null;
}

const WHAT = "Twelve Data";
const DAY_SECONDS = 86_400;

export function twelveDataFeed({ apiKey, creditsPerMinute = 8, creditsPerDay = 800 }: TwelveDataPlan): Feed {
  const pairsAPoll = Math.max(1, creditsPerMinute);
  return {
    id: "twelvedata",
    authority: "Twelve Data",
    terms:
      "Source: Twelve Data. Display and redistribution depend on the plan; see https://twelvedata.com/terms",
    timesEachPrice: true,

    // One poll uses at most a minute's credits; further pairs are in further polls.
    polls(currencies) {
      const pairs = pairsOf(currencies);
      const rounds = Math.ceil(pairs.length / pairsAPoll);
      return Array.from({ length: rounds }, (_, round) => {
        const requested = pairs.filter((_, index) => index % rounds === round);
        const symbols = requested.map((currency) => marketPair(currency).join("/"));
        const request = {
          url: `https://api.twelvedata.com/exchange_rate?symbol=${symbols.join(",")}`,
          secretHeaders: { Authorization: `apikey ${apiKey}` },
          accept: "application/json",
          maxBytes: 256 * 1024,
          timeoutSeconds: 10,
        };
        return { request, requested };
      });
    },

    leastPollSeconds(currencies) {
      const pairs = pairsOf(currencies).length;
      const credits = Math.max(1, Math.ceil(pairs / Math.max(1, Math.ceil(pairs / pairsAPoll))));
      // Credits are counted by the minute of the clock, so a minute must hold whole polls.
      const forTheMinute = Math.ceil(60 / Math.max(1, Math.floor(creditsPerMinute / credits)));
      const forTheDay = creditsPerDay === null ? 0 : Math.ceil((DAY_SECONDS * credits) / creditsPerDay);
      return Math.max(1, forTheMinute, forTheDay);
    },

    // Credits come back at the next minute, those of a day at midnight UTC.
    quotaPauseSeconds(reported, now) {
      const unit = /\bday\b|daily/i.test(reported) ? DAY_SECONDS : 60;
      return unit - (Math.floor(now / 1000) % unit);
    },

    parse(document, requested) {
      const answer = readJsonObject(document.bytes, WHAT);
      if (isError(answer)) throw faultOf(answer);
      // A single pair is the answer itself; several pairs are members by symbol.
      const symbol = textAt(answer, "symbol");
      const members: JsonObject = symbol === null ? answer : new Map([[symbol, answer]]);
      let limited: string | null = null;
      const reading = readQuotes(
        "twelvedata",
        document,
        requested,
        (currency) => [marketPair(currency)],
        (pair) => {
          const name = pair.join("/");
          const member = members.get(name);
          if (member === undefined) return null;
          if (!(member instanceof Map)) throw new BrokenDocument(`${WHAT}: ${name} is not an object`);
          if (isError(member) && codeOf(member) === "429") limited = messageOf(member);
          return entryOf(member, name);
        },
      );
      return { ...reading, limited };
    },
  };
}

function pairsOf(currencies: readonly CurrencyCode[]): readonly CurrencyCode[] {
  return AGAINST_DOLLAR.filter((currency) => currencies.includes(currency));
}

function entryOf(member: JsonObject, name: string): PairEntry {
  if (isError(member)) {
    return codeOf(member) === "429"
      ? { rule: "no_price", reason: "is left out: the quota is used up" }
      : { rule: "not_offered", reason: `is refused with code ${codeOf(member)}` };
  }
  if (textAt(member, "symbol") !== name) throw new BrokenDocument(`${WHAT}: ${name} holds another pair`);
  const price = digitsAt(member, "rate");
  if (price === null) return { rule: "no_price", reason: "has no price" };
  return { printed: { price }, observedAt: instantOfCount(digitsAt(member, "timestamp") ?? "") };
}

function isError(answer: JsonObject): boolean {
  return textAt(answer, "status") === "error";
}

function codeOf(error: JsonObject): string {
  const code = digitsAt(error, "code") ?? "";
  return /^\d{1,5}$/.test(code) ? code : "unknown";
}

function messageOf(error: JsonObject): string {
  return textAt(error, "message") ?? "";
}

function faultOf(error: JsonObject): UpstreamFault {
  const code = codeOf(error);
  const kinds: Readonly<Record<string, UpstreamFaultKind>> = {
    401: "refused_credentials",
    403: "refused_credentials",
    404: "not_found",
    429: "rate_limited",
  };
  return new UpstreamFault(kinds[code] ?? "status", `${WHAT}: ${code}: ${messageOf(error)}`);
}
