/** The feeds' real answers, recorded and documented, where they lie beside the checkout, and copies of their shape. */

import { expect, test } from "bun:test";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import { currencyOf } from "#domain/live/live-quote.ts";
import type { Feed } from "#ports.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { arrived, forgeOf, offerOf } from "./forge.ts";

function readReal(id: Feed["id"], name: string, moment: string) {
  const at = Date.parse(moment);
  const { feed } = forgeOf(id);
  return feed.parse(arrived(realDocument(`live/${name}`), { retrievedAt: at, servedAt: at }), offerOf(feed));
}

testOn("live/coinbase_exchange_rates_usd.real-2019-subset.json")(
  "Coinbase in 2019 printed to the minor unit: only prices that this is fine enough for are taken",
  () => {
    const reading = readReal(
      "coinbase",
      "coinbase_exchange_rates_usd.real-2019-subset.json",
      "2019-03-20T15:00:00Z",
    );
    expect(reading.quotes.map(currencyOf)).toEqual(["IDR", "INR", "PHP", "THB", "TWD"]);
    expect(new Set(reading.refusals.map(({ rule }) => rule))).toEqual(new Set(["too_coarse"]));
    expect(reading.quotes.length + reading.refusals.length).toBe(CURRENCY_CODES.length - 1);
  },
);

testOn("live/oxr_latest.real-2021-subset.json")(
  "Open Exchange Rates in 2021: the catalog's currencies of the subset, BGN and CNH passed over",
  () => {
    const reading = readReal("oxr", "oxr_latest.real-2021-subset.json", "2021-02-23T20:00:30Z");
    const texts = reading.quotes.map(({ base, quote, mid }) => `${base}/${quote} ${mid}`);
    expect(texts).toEqual([
      "USD/AUD 1.264004",
      "USD/BRL 5.4454",
      "USD/CAD 1.259292",
      "USD/CHF 0.905455",
      "USD/CNY 6.46665",
      "USD/CZK 21.293823",
      "USD/DKK 6.123737",
      "USD/EUR 0.823433",
      "USD/GBP 0.708829",
    ]);
    expect(new Set(reading.refusals.map(({ rule }) => rule))).toEqual(new Set(["missing"]));
  },
);

testOn("live/oxr_error.real.json")("Open Exchange Rates' refusal of a key is one", () => {
  const refused = () => readReal("oxr", "oxr_error.real.json", "2021-02-23T20:00:30Z");
  expect(refused).toThrow(UpstreamFault);
  expect(refused).toThrow("invalid_app_id");
});

testOn("live/massive_forex_snapshot.shape.json")(
  "Massive's documented snapshot: times in milliseconds, the dollar first where the market has it second",
  () => {
    const reading = readReal("massive", "massive_forex_snapshot.shape.json", "2025-04-18T18:13:30Z");
    expect(reading.quotes).toEqual([
      {
        feed: "massive",
        base: "USD",
        quote: "EUR",
        bid: "0.92320",
        ask: "0.92380",
        mid: "0.9235",
        observedAt: 1_745_000_000_000,
        retrievedAt: Date.parse("2025-04-18T18:13:30Z"),
      },
      expect.objectContaining({ quote: "JPY", bid: "149.50", ask: "149.60", mid: "149.55" }),
    ]);
  },
);

testOn("live/twelvedata_exchange_rate_batch.shape.json")(
  "Twelve Data's documented batch: a price, one whose digits are too few, one that it does not know",
  () => {
    const reading = readReal(
      "twelvedata",
      "twelvedata_exchange_rate_batch.shape.json",
      "2026-03-13T13:40:30Z",
    );
    expect(reading.quotes.map(({ quote, mid }) => `${quote} ${mid}`)).toEqual(["JPY 155.96499"]);
    expect(reading.refusals.find(({ currency }) => currency === "TWD")?.rule).toBe("too_coarse");
  },
);

testOn("live/oanda_v20_pricing.real.json")(
  "OANDA's recorded price is not of a pair with the dollar, and so passed over",
  () => {
    const reading = readReal("oanda", "oanda_v20_pricing.real.json", "2023-12-29T15:27:30Z");
    expect(reading.quotes).toEqual([]);
    expect(new Set(reading.refusals.map(({ rule }) => rule))).toEqual(new Set(["missing"]));
  },
);

// A quota that ends in the middle of a batch: poll.test.ts.
test("Twelve Data answers without the name of the pair where one alone was requested", () => {
  const { feed } = forgeOf("twelvedata");
  const single = '{"symbol":"USD/JPY","rate":159.47123,"timestamp":1776178828}';
  const retrievedAt = Date.parse("2026-04-14T15:00:30Z");
  const { quotes } = feed.parse(arrived(single, { retrievedAt }), ["JPY", "SEK"]);
  expect(quotes.map(({ mid }) => mid)).toEqual(["159.47123"]);
});
