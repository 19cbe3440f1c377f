/** Clients written for the other services, as published and unmodified, work when only their base URL changes. */

import { describe, expect, test } from "bun:test";
import { FrankfurterClient, FrankfurterError } from "frankfurter-js";
import fx from "money";
import oxr from "oxr";
import { NOW, simulatedDirectory } from "#test/commands/lakes.ts";
import { openProduct } from "#test/support/product.ts";

const settings = {
  ACCESS: "open",
  DATA_DIR: await simulatedDirectory(NOW),
  UPSTREAM_BASE: "http://127.0.0.1:9",
};
const demo = (await openProduct(settings, { now: () => Date.parse(NOW) })).listen();

async function ownRate(path: string, code: string): Promise<number> {
  const response = await fetch(`${demo.url}${path}`);
  return (await response.json()).rates[code] as number;
}

describe("frankfurter-js", () => {
  const client = () => new FrankfurterClient({ baseUrl: `${demo.url}/compat/frankfurter` });

  test("latest, a day and a range have the product's own figures", async () => {
    const latest = await client().latest({ base: "USD", quotes: ["EUR", "GBP"] });
    expect(latest.map(({ base, quote }) => `${base}/${quote}`)).toEqual(["USD/EUR", "USD/GBP"]);
    const date = latest[0]?.date as string;
    expect(latest[0]?.rate).toBe(await ownRate(`/v1/${date}?base=USD`, "EUR"));

    const day = await client().historical("2025-12-25", { base: "EUR", quotes: "USD", providers: ["ECB"] });
    expect(day).toEqual([
      {
        date: "2025-12-24",
        base: "EUR",
        quote: "USD",
        rate: await ownRate("/v1/2025-12-24?base=EUR", "USD"),
      },
    ]);

    const range = await client().range("2026-01-02", "2026-01-31", { quotes: ["USD"] });
    expect(range.length).toBeGreaterThan(15);
    const months = await client().range("2026-01-01", "2026-03-31", { quotes: ["USD"], group: "month" });
    expect(months.map(({ date: first }) => first)).toEqual(["2026-01-01", "2026-02-01", "2026-03-01"]);
  });

  test("currencies and providers are read", async () => {
    expect(await client().currencies({ scope: "all" })).toHaveLength(31);
    expect((await client().providers()).map(({ key, base }) => `${key} ${base}`)).toEqual([
      "ECB EUR",
      "FRED USD",
    ]);
  });

  test("refusals arrive as its own error", async () => {
    const refused = await client()
      .historical("invalid-date")
      .catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(FrankfurterError);
    expect(refused).toMatchObject({ status: 422, body: { message: "invalid date" } });
  });
});

describe("oxr", () => {
  /** Its `host` stands before the path that it adds, `/api` first, so that a prefix can be part of it. */
  const service = () =>
    oxr.factory({ appId: "any", protocol: "http", host: `${new URL(demo.url).host}/compat/oxr` });

  test("latest, a day and the currencies are read", async () => {
    const latest = await service().latest({ base: "EUR" });
    expect(Object.keys(latest.rates)).toHaveLength(31);
    expect(latest).toMatchObject({ base: "EUR", rates: { EUR: 1 } });
    expect(latest.timestamp).toBeLessThanOrEqual(Date.parse("2026-04-13T16:31:00Z") / 1000);
    expect(latest.disclaimer).toStartWith("SIMULATED");

    const past = await service().historical(new Date("2025-12-25T00:00:00Z"), { symbols: "EUR" });
    expect(past.rates["EUR"]).toBe(await ownRate("/v1/2025-12-25?base=USD", "EUR"));
    expect((await service().currencies())["EUR"]).toBe("Euro");
  });

  test("refusals arrive as its own error", async () => {
    const refused = await service()
      .latest({ base: "XYZ" })
      .catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(oxr.OxrError);
    expect(refused).toMatchObject({ status: 400, message: "invalid_base" });
  });
});

test("money converts with the rates and the base as they are answered", async () => {
  const response = await fetch(`${demo.url}/compat/oxr/latest.json?app_id=any`);
  const { rates, base } = await response.json();
  fx.rates = rates;
  fx.base = base;
  const converted = await fetch(`${demo.url}/compat/oxr/convert/1000/GBP/HKD`);
  const { response: exact } = await converted.json();
  expect(fx.convert(1000, { from: "GBP", to: "HKD" }) / exact).toBeCloseTo(1, 8);
  expect(fx(100).from("USD").to("USD")).toBe(100);
});
