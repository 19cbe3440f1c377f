import { expect, test } from "bun:test";
import { WORLD } from "#test/api/harness.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";

test("of the currencies with a rate of one quote that has both", async () => {
  const fixture = openStreamFixture({ observations: WORLD });
  const latest = async (base: string) => (await fixture.visit(`/v1/latest?base=${base}`)).json();
  expect(await latest("USD")).not.toHaveProperty("spread_bps");
  await fixture.hotBook.publish([
    quoteOfPair("EUR/USD", "1.16850", fixture.now(), { bid: "1.16843", ask: "1.16857" }),
    quoteOfPair("USD/JPY", "157.69", fixture.now()),
    quoteOfPair("USD/GBP", "0.7460", fixture.now(), { bid: "0.7460", ask: "0.7460" }),
  ]);
  // 1.4 / 1.1685 of a basis point.
  expect((await latest("USD")).spread_bps).toEqual({ EUR: 1.2, GBP: 0 });
  expect((await latest("EUR")).spread_bps).toEqual({ USD: 1.2 });
  expect(await latest("SEK")).not.toHaveProperty("spread_bps");
});
