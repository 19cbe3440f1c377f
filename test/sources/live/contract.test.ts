/** One contract for every feed: right quotes, each refusal by its rule and alone, units of time inferred from their size, errors distinguished. */

import { describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { currencyOf, FEEDS, type QuoteRule } from "#domain/live/live-quote.ts";
import { liveFeed } from "#sources/catalogue.ts";
import { faultOf } from "#test/sources/official/tables.ts";
import { words } from "#test/support/words.ts";
import { ACCESS, arrived, FORGES, forgeOf, NOW, offerOf, REQUESTED } from "./forge.ts";

const HOUR = 3_600_000;

test("there is a contract for every feed, and a feed that needs a key is none without it", () => {
  expect(FORGES.map(({ feed }) => feed.id)).toEqual([...FEEDS]);
  const keyless = { oxr: null, massive: null, twelvedata: null, oanda: null };
  expect(FEEDS.filter((id) => liveFeed(id, keyless) !== null)).toEqual(["coinbase"]);
  expect(FEEDS.filter((id) => liveFeed(id, ACCESS) !== null)).toEqual([...FEEDS]);
});

for (const forge of FORGES) {
  const { feed, good, write, twoSided } = forge;
  const read = (prices: typeof good, time: number | string = NOW - 2000, requested = REQUESTED) =>
    feed.parse(arrived(write(prices, time), { servedAt: NOW - 2000 }), requested);
  /** The one refusal among the wanted, all others being there. */
  const refusalOf = (reading: ReturnType<typeof read>, currency: CurrencyCode) => {
    const others = REQUESTED.filter((code) => code !== currency);
    expect(reading.quotes.map(currencyOf).sort()).toEqual(others.sort());
    expect(reading.refusals.map((refusal) => refusal.currency)).toEqual([currency]);
    return reading.refusals[0]?.rule as QuoteRule;
  };

  describe(feed.id, () => {
    test("names itself", () => {
      expect(feed.authority.length).toBeGreaterThan(3);
      expect(feed.terms).toContain("Source:");
      expect(offerOf(feed)).not.toContain("USD");
    });

    test("every wanted currency has its quote, as printed and the way round it was printed", () => {
      const { quotes, refusals, limited } = read(good);
      expect([refusals, limited]).toEqual([[], null]);
      expect(quotes.map(currencyOf).sort()).toEqual([...REQUESTED].sort());
      for (const quote of quotes) {
        expect([quote.feed, quote.observedAt, quote.retrievedAt]).toEqual([feed.id, NOW - 2000, NOW]);
        expect([quote.base, quote.quote]).toContain("USD");
        const printed = good[currencyOf(quote)] as string;
        expect(quote.mid).toBe(printed);
        expect([quote.bid, quote.ask]).toEqual(twoSided ? [printed, printed] : [null, null]);
      }
    });

    test("what was not requested is passed over", () => {
      const { quotes, refusals } = read({ ...good, CHF: "0.79123", USD: "1" }, NOW - 2000, ["JPY"]);
      expect([quotes.map(currencyOf), refusals]).toEqual([["JPY"], []]);
    });

    test("a missing currency is reported, the rest is kept", () => {
      const { TRY: _, ...rest } = good;
      expect(refusalOf(read(rest), "TRY")).toBe("missing");
      expect(read({}).refusals.map(({ rule }) => rule)).toEqual(REQUESTED.map(() => "missing"));
    });

    const bad: readonly (readonly [price: string, rule: QuoteRule])[] = [
      ["0", "not_positive"],
      ["0.0000", "not_positive"],
      ["-17.3456", "not_positive"],
      ["1e300", "out_of_range"],
      ["17345600000", "out_of_range"],
      ["0.00000001734", "out_of_range"],
      ["17", "too_coarse"],
      ["17.3", "too_coarse"],
      ["0.2499", "too_coarse"],
      ["1.7e1", "too_coarse"],
      [`0.${"0".repeat(100)}1`, "not_a_number"],
    ];
    for (const [price, rule] of bad) {
      test(`${price.slice(0, 20)} is refused as ${rule}, for its currency only`, () => {
        expect(refusalOf(read({ ...good, MXN: price }), "MXN")).toBe(rule);
      });
    }

    if (forge.asText) {
      test("a text that may be a key is not repeated", () => {
        const { refusals } = read({ ...good, MXN: "sk_live_51MszZ9" });
        expect(JSON.stringify(refusals)).not.toContain("sk_live");
      });
      for (const text of ["", " 17.3456", ...words("NaN Infinity 17,3456 0x11 +17.3456 017.3456 ١٧")]) {
        test(`the text ${JSON.stringify(text)} is refused as not a number`, () => {
          expect(refusalOf(read({ ...good, MXN: text }), "MXN")).toBe("not_a_number");
        });
      }
    } else {
      for (const value of ["null", "true", "[17.3456]", "{}"]) {
        test(`${value} in place of a price is no price`, () => {
          expect(refusalOf(read({ ...good, MXN: value }), "MXN")).toBe("no_price");
        });
      }
    }

    test("digits are kept as they are printed, and rounded half-even beyond fifteen", () => {
      const mid = (price: string) =>
        read({ ...good, MXN: price }).quotes.find((quote) => quote.quote === "MXN")?.mid;
      expect(mid("17.3450")).toBe(twoSided ? "17.345" : "17.3450");
      expect(mid("1.73450e1")).toBe(twoSided ? "17.345" : "17.3450");
      expect(mid("17.3456789012345678")).toBe("17.3456789012346");
      expect(mid("17.34567890123450")).toBe("17.3456789012345");
      expect(mid("17.34567890123445")).toBe("17.3456789012344");
      expect(mid("17.34567890123455")).toBe("17.3456789012346");
    });

    if (twoSided) {
      test("the mid is the exact mean of bid and ask, which are kept as printed", () => {
        const { quotes } = read({ ...good, EUR: "1.17430/1.17435", JPY: "159.50/159.513" });
        const texts = quotes.map(({ base, quote, bid, mid, ask }) => `${base}/${quote} ${bid} ${mid} ${ask}`);
        expect(texts).toContain("EUR/USD 1.17430 1.174325 1.17435");
        expect(texts).toContain("USD/JPY 159.50 159.5065 159.513");
      });

      const spreads: readonly (readonly [CurrencyCode, string, QuoteRule | null])[] = [
        ["EUR", "1.17435/1.17430", "crossed"],
        ["EUR", "1.16850/1.18018", null],
        ["EUR", "1.16840/1.18028", "wide_spread"],
        ["MXN", "17.1000/17.6000", null],
        ["MXN", "17.0000/17.6000", "wide_spread"],
        ["MXN", "0/17.3456", "not_positive"],
        // One side ends in zeros that a JSON number does not print.
        ["EUR", "1.174/1.17412", null],
      ];
      for (const [currency, price, rule] of spreads) {
        test(`${currency} at ${price} is ${rule ?? "accepted"}`, () => {
          const reading = read({ ...good, [currency]: price });
          if (rule === null) expect(reading.refusals).toEqual([]);
          else expect(refusalOf(reading, currency)).toBe(rule);
        });
      }
    }

    if (feed.timesEachPrice) {
      const at = NOW - 2000;
      const isWritten = feed.id === "oanda";
      const prints = isWritten
        ? words("2026-04-14T15:00:28Z 2026-04-14T15:00:28.000000000Z 2026-04-14T17:00:28.0+02:00").concat(
            `${at / 1000}.0`,
          )
        : [`${at / 1000}`, `${at / 1000}.000`, `${at}`, `${at}000`, `${at}000000`];
      for (const print of prints) {
        test(`the time ${print} is read`, () => {
          const observed = read(good, print).quotes.map(({ observedAt }) => observedAt);
          expect(observed).toEqual(REQUESTED.map(() => at));
        });
      }
      const wrong = isWritten
        ? ["", "yesterday", "2026-02-30T15:00:28Z", "01776178828"]
        : words("0 12345 -1776178828 1e9");
      for (const print of wrong) {
        test(`the time ${JSON.stringify(print)} is no time`, () => {
          expect(read(good, print).refusals.map(({ rule }) => rule)).toEqual(REQUESTED.map(() => "no_time"));
        });
      }
    } else {
      test("without a time of its own it needs the answer's", () => {
        const { refusals } = feed.parse(arrived(write(good, NOW), { servedAt: null }), REQUESTED);
        expect(refusals.map(({ rule }) => rule)).toEqual(REQUESTED.map(() => "no_time"));
      });
    }

    const times: readonly (readonly [string, now: string, at: string, QuoteRule | null])[] = [
      ["five minutes ahead", "2026-04-14T15:00:00Z", "2026-04-14T15:05:00Z", null],
      ["more than that ahead", "2026-04-14T15:00:00Z", "2026-04-14T15:05:01Z", "future_time"],
      ["a day old", "2026-04-14T15:00:00Z", "2026-04-13T15:00:00Z", null],
      ["more than a day old", "2026-04-14T15:00:00Z", "2026-04-13T14:59:59Z", "too_old"],
      ["a year old", "2026-04-14T15:00:00Z", "2025-04-14T15:00:00Z", "too_old"],
      ["Friday's last, on Sunday", "2026-04-12T20:00:00Z", "2026-04-10T20:59:59Z", null],
      ["Friday's last, on Monday", "2026-04-13T20:59:00Z", "2026-04-10T20:59:59Z", null],
      ["Friday noon's, on Monday evening", "2026-04-13T20:59:00Z", "2026-04-10T16:00:00Z", "too_old"],
      ["Saturday's", "2026-04-11T12:00:00Z", "2026-04-11T11:59:00Z", "market_closed"],
      ["of Christmas Day", "2025-12-25T12:00:00Z", "2025-12-25T11:59:00Z", "market_closed"],
    ];
    for (const [what, now, at, rule] of times) {
      test(`a price that is ${what} is ${rule ?? "accepted"}`, () => {
        const [retrievedAt, observedAt] = [Date.parse(now), Date.parse(at)];
        const document = arrived(write(good, observedAt), { retrievedAt, servedAt: observedAt });
        const { quotes, refusals } = feed.parse(document, REQUESTED);
        if (rule === null) {
          // A price that its feed dates ahead of our clock is of the moment of its arrival.
          const expected = REQUESTED.map(() => Math.min(observedAt, retrievedAt));
          expect(quotes.map((quote) => quote.observedAt)).toEqual(expected);
        } else expect(refusals.map((refusal) => refusal.rule)).toEqual(REQUESTED.map(() => rule));
      });
    }

    for (const [body, kind] of forge.errors) {
      test(`${body.slice(0, 60)}… is an error though it comes with 200: ${kind}`, () => {
        expect(faultOf(() => feed.parse(arrived(body), REQUESTED)).kind).toBe(kind);
      });
    }

    test("requests what is wanted and offered, each once; for nothing when that is nothing", () => {
      const polls = feed.polls(["USD", "JPY", "EUR", "JPY", "TWD"]);
      const requested = polls.flatMap((poll) => poll.requested);
      expect(requested).toEqual(offerOf(feed).includes("TWD") ? ["EUR", "JPY", "TWD"] : ["EUR", "JPY"]);
      for (const { request } of polls) {
        expect(request.url.startsWith("https://")).toBe(true);
        expect(request.maxBytes).toBeLessThanOrEqual(1024 * 1024);
        expect(request.timeoutSeconds).toBeLessThanOrEqual(15);
      }
      expect(feed.polls(["USD"])).toEqual([]);
      expect(feed.leastPollSeconds([])).toBeGreaterThanOrEqual(1);
    });
  });
}

test("a day is 24 hours of open market, across the change of clocks too", () => {
  const { feed, write, good } = forgeOf("coinbase");
  // New York's clocks go forward on Sunday 8 March 2026: Friday's close is at 22:00Z, Monday's opening at 21:00Z on Sunday.
  const servedAt = Date.parse("2026-03-06T21:00:00Z");
  const ruleAfter = (milliseconds: number) => {
    const retrievedAt = Date.parse("2026-03-08T21:00:00Z") + milliseconds;
    return feed.parse(arrived(write(good, 0), { retrievedAt, servedAt }), ["JPY"]).refusals[0]?.rule;
  };
  expect([ruleAfter(23 * HOUR), ruleAfter(23 * HOUR + 1)]).toEqual([undefined, "too_old"]);
});
