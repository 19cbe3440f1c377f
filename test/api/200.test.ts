import { describe, expect, test } from "bun:test";
import { openTestApp, post } from "./harness.ts";

const app = openTestApp();

describe("latest", () => {
  test("takes the base from path, query or path_base, in any case", async () => {
    for (const path of [
      "/v1/latest/EUR",
      "/v1/latest?base=eur",
      "/v1/latest/eur?base=EUR",
      "/v1/latest?path_base=EUR",
    ]) {
      const body = await app.get(`${path}${path.includes("?") ? "&" : "?"}symbols=usd`);
      expect(body.base).toBe("EUR");
      expect(body.rates).toEqual({ USD: 1.167 });
      expect(Object.keys(body.sources)).toEqual(["USD"]);
    }
  });
  test("prints a direct rate with the digits as published", async () => {
    const response = await app.ask("/v1/latest/EUR?symbols=HUF,GBP");
    expect(await response.text()).toContain('"rates":{"HUF":366.90,"GBP":0.85700}');
  });
  test("rounds to dp on request, and counts a base against itself as 1", async () => {
    expect((await app.get("/v1/latest/EUR?symbols=GBP,EUR&dp=2")).rates).toEqual({ GBP: 0.86, EUR: 1 });
  });
});

describe("convert", () => {
  test("bounds the error of a triangulated rate, and has no bound across sources", async () => {
    const jpy = await app.get("/v1/convert/USD/JPY");
    expect(jpy.derived).toBe(true);
    expect(jpy.derivation_bps_max).toBeGreaterThan(0);
    expect(await app.get("/v1/convert/EUR/TWD")).toMatchObject({ derived: true, derivation_bps_max: null });
  });
  test("converts a batch at one instant, in the order given", async () => {
    const pairs = Object.entries({ USD: 100, gbp: "2.5", EUR: 7 });
    const { conversions } = await app.get("/v1/convert", post({ from: "eur", pairs }));
    expect(conversions).toEqual([
      { to: "USD", amount: 100, rate: 1.167, converted: 116.7, derived: false, derivation_bps_max: null },
      { to: "GBP", amount: 2.5, rate: 0.857, converted: 2.1425, derived: false, derivation_bps_max: null },
      { to: "EUR", amount: 7, rate: 1, converted: 7, derived: false, derivation_bps_max: null },
    ]);
  });
});

describe("the catalog", () => {
  test("31 currencies, 465 pairs, minor units of ISO 4217", async () => {
    const body = await app.get("/v1/currencies");
    expect(body.count).toBe(31);
    expect(body.pairs).toBe(465);
    const byCode = Object.fromEntries(body.currencies.map((entry: { code: string }) => [entry.code, entry]));
    expect(byCode.HUF).toMatchObject({
      minor_units: 2,
      decimals: 2,
      derived: true,
      sources: ["ecb_daily"],
      history_start: "2026-03-31",
    });
    expect(byCode.JPY).toMatchObject({ minor_units: 0 });
    expect(byCode.TWD).toMatchObject({ derived: false, sources: ["fred_daily"] });
    expect(byCode.ISK).toMatchObject({ sources: [], history_start: null });
  });
  test.each(["HUF,%20GBP", "HUF,+GBP", "%20huf%20,%20%20gbp%20"])(
    "blanks at the commas of symbols=%s are nothing",
    async (symbols) => {
      const bare = await app.get("/v1/latest/EUR?symbols=HUF,GBP");
      expect(await app.get(`/v1/latest/EUR?symbols=${symbols}`)).toEqual(bare);
      expect((await app.get(`/v1/2026-04-10/EUR?symbols=${symbols}`)).rates).toEqual(
        (await app.get("/v1/2026-04-10/EUR?symbols=HUF,GBP")).rates,
      );
      const window = "base=EUR&start_date=2026-04-09&end_date=2026-04-10";
      const page = await app.get(`/v1/range?${window}&symbols=${symbols}`);
      expect(page.symbols).toEqual(["HUF", "GBP"]);
    },
  );
});
