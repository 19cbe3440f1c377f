/** spread_bps of latest rates is of the quotes with a bid and an ask, and is absent without them. */

import { expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { WORLD } from "#test/api/harness.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";

test("of the currencies with a rate of one quote that has both", async () => {
  const fixture = openStreamFixture({ observations: WORLD });
  const quoteOf = (code: CurrencyCode, mid: string, bid: string | null, ask: string | null): LiveQuote => {
    const sides = code === "EUR" ? { base: code, quote: "USD" } : { base: "USD", quote: code };
    const at = fixture.now();
    return {
      feed: "massive",
      ...(sides as Pick<LiveQuote, "base" | "quote">),
      bid,
      ask,
      mid,
      observedAt: at,
      retrievedAt: at,
    };
  };
  const latest = async (base: string) => (await fixture.visit(`/v1/latest?base=${base}`)).json();
  expect(await latest("USD")).not.toHaveProperty("spread_bps");
  await fixture.hotBook.publish([
    quoteOf("EUR", "1.16850", "1.16843", "1.16857"),
    quoteOf("JPY", "157.69", null, null),
    quoteOf("GBP", "0.7460", "0.7460", "0.7460"),
  ]);
  // 1.4 / 1.1685 of a basis point.
  expect((await latest("USD")).spread_bps).toEqual({ EUR: 1.2, GBP: 0 });
  expect((await latest("EUR")).spread_bps).toEqual({ USD: 1.2 });
  expect(await latest("SEK")).not.toHaveProperty("spread_bps");
});
