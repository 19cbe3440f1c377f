/** A currency that was requested and has no value is named; where it was the only one the answer is 404, because asking again brings nothing. */

import { describe, expect, test } from "bun:test";
import { openTestApp, post, WORLD } from "#test/api/harness.ts";
import { datasetOf, day, ecb, fred } from "#test/domain/history/columns.ts";

/** The krona was last published on 2 March. */
const dataset = datasetOf([...WORLD, ecb("2026-02-27", "ISK", "144.00"), ecb("2026-03-02", "ISK", "145.00")]);
const app = openTestApp({ dataset: () => dataset });
const window = "start_date=2026-04-07&end_date=2026-04-10";

describe("named beside others", () => {
  test.each([
    "/v1/latest?symbols=EUR,ISK",
    "/v1/2026-04-10?symbols=ISK,EUR",
    `/v1/range?symbols=EUR,ISK&${window}`,
    `/v1/range?symbols=EUR,ISK&${window}&interval=1w`,
  ])("%s", async (path) => expect((await app.get(path)).missing_symbols).toEqual(["ISK"]));

  test.each([
    "/v1/latest?symbols=EUR,ISK",
    "/v1/2026-04-10?symbols=ISK,EUR",
    `/v1/range?symbols=EUR,ISK&${window}`,
    `/v1/range?symbols=EUR,ISK&${window}&interval=1w&aggregate=mean`,
    `/v1/average?symbols=EUR,ISK&${window}`,
    `/v1/fluctuation?symbols=EUR,ISK&${window}`,
  ])("in a file by a header, without a row that formulas would read as zeros: %s", async (path) => {
    const csv = await app.ask(`${path}&format=csv`);
    expect(csv.headers.get("x-missing-symbols")).toBe("ISK");
    expect(await csv.text()).not.toContain("ISK");
    const whole = await app.ask(`${path.replace(/,ISK|ISK,/, "")}&format=csv`);
    expect(whole.headers.has("x-missing-symbols")).toBe(false);
  });

  test("in a batch the others are converted", async () => {
    const batch = { from: "USD", pairs: Object.entries({ EUR: 10, ISK: 10, GBP: 5 }) };
    const { conversions, missing_symbols: missing } = await app.get("/v1/convert", post(batch));
    expect(conversions.map(({ to }: { to: string }) => to)).toEqual(["EUR", "GBP"]);
    expect(missing).toEqual(["ISK"]);
  });
});

test.each(["/v1/latest", "/v1/2026-04-10", "/v1/latest/TWD"])(
  "an answer of all currencies names those of the catalog without a value: %s",
  async (path) => {
    const { base, rates, missing_symbols: missing } = await app.get(path);
    expect(missing).toContain("ISK");
    expect([base, ...Object.keys(rates), ...missing].sort()).toHaveLength(31);
    expect(new Set([base, ...Object.keys(rates), ...missing]).size).toBe(31);
  },
);

test.each(["/v1/latest?symbols=EUR", "/v1/2026-04-10?symbols=EUR,GBP", `/v1/range?symbols=EUR&${window}`])(
  "where nothing is missing there is no such member: %s",
  async (path) => expect(await app.get(path)).not.toHaveProperty("missing_symbols"),
);

describe("the only one named", () => {
  test.each([
    "/v1/latest?symbols=ISK",
    "/v1/latest?base=ISK",
    "/v1/2026-04-10?symbols=ISK",
    "/v1/convert/USD/ISK",
    "/v1/convert/USD/ISK?date=2026-04-10",
    "/v1/rate/usd-isk",
    "/v1/explain/USD/ISK",
    `/v1/range?symbols=ISK&${window}`,
  ])("%s → 404, without Retry-After", async (path) => {
    const refusal = await app.refused(path, "no_data_for_date");
    expect(refusal.status).toBe(404);
    expect(refusal.headers.get("retry-after")).toBeNull();
  });
  test.each([
    { from: "USD", pairs: [["ISK", 1]] },
    { from: "ISK", pairs: Object.entries({ USD: 1, EUR: 2 }) },
  ])("a batch %j", (batch) => app.refused("/v1/convert", "no_data_for_date", post(batch)));
  test("the message has the date of the last figure", async () => {
    const message = await app.reason("/v1/convert/USD/ISK", "no_data_for_date");
    expect(message).toContain("ISK since 2026-03-02");
  });
  test("while the source itself is silent it stays 503, which a retry may mend", async () => {
    const later = openTestApp({ world: dataset, now: (day("2026-06-01") + 0.5) * 86_400_000 });
    const refusal = await later.refused("/v1/convert/USD/ISK", "data_unavailable");
    expect(refusal.headers.get("retry-after")).not.toBeNull();
  });
});

test("the list of currencies has the date of each one's last figure", async () => {
  const { currencies } = await app.get("/v1/currencies");
  const last = Object.fromEntries(
    currencies.map((one: { code: string; last_date: string | null }) => [one.code, one.last_date]),
  );
  expect(last).toMatchObject({
    EUR: "2026-04-13",
    USD: "2026-04-13",
    TWD: "2026-04-10",
    ISK: "2026-03-02",
    SEK: null,
  });
  const compatible = (await app.get("/v2/currencies")) as { iso_code: string; end_date: string | null }[];
  const ended = Object.fromEntries(compatible.map(({ iso_code, end_date }) => [iso_code, end_date]));
  expect(ended).toMatchObject({ GBP: "2026-04-13", ISK: "2026-03-02", SEK: null });
});

test("catalogs name the sources that answers name, and the day of each one's last figure", async () => {
  const rows = [
    fred("2026-04-02", "TWD", "32.1"),
    fred("2026-04-03", "TWD", "32.1"),
    ecb("2026-04-02", "USD", "1.15"),
  ];
  const { get } = openTestApp({ world: datasetOf(rows) });
  const { currencies } = await get("/v1/currencies");
  const sources = Object.fromEntries(
    currencies.map(({ code, sources }: { code: string; sources: string[] }) => [code, sources]),
  );
  // The ECB has no figure of the euro, and H.10 none of the dollar: their figures are against these.
  expect(sources).toMatchObject({
    EUR: ["ecb_daily"],
    USD: ["ecb_daily", "fred_daily"],
    TWD: ["fred_daily"],
    SEK: [],
  });
  // Good Friday is a day of H.10 alone.
  expect(await get("/v2/providers")).toMatchObject([
    { key: "ECB", end_date: "2026-04-02" },
    { key: "FRED", end_date: "2026-04-03" },
  ]);
});

/** It is Monday 2026-04-13; the ECB was closed from Friday the 3rd to Monday the 6th. */
const plain = openTestApp();

const windowOf = (start: string, end: string, more = "") =>
  `/v1/range?base=EUR&symbols=USD&start_date=${start}&end_date=${end}${more}`;
const FUTURE = "after today, 2026-04-13";
const BEFORE = "before 1999-01-04";
const TWO_WEEKS = "14 days before";

test.each([
  ["/v1/2026-04-14", FUTURE],
  ["/v1/convert/USD/EUR?date=2026-04-14", FUTURE],
  [windowOf("2026-04-14", "2026-04-20"), FUTURE],
  [windowOf("2026-04-14", "2026-04-20", "&format=csv"), FUTURE],
  ["/v1/1999-01-03", BEFORE],
  ["/v1/1900-01-01?as_of=2026-04-13T00:00:00Z", BEFORE],
  ["/v1/convert/USD/EUR?date=1998-12-31", BEFORE],
  [windowOf("1990-01-01", "1998-12-31"), BEFORE],
  [windowOf("1990-01-01", "1998-12-31", "&format=csv"), BEFORE],
  ["/v1/2010-01-01", TWO_WEEKS],
  ["/v1/2026-04-10?symbols=ISK", TWO_WEEKS],
  ["/v1/convert/USD/EUR?date=2010-01-01", TWO_WEEKS],
  [windowOf("2010-01-01", "2010-01-10"), TWO_WEEKS],
  [windowOf("2026-04-07", "2026-04-10").replace("symbols=USD", "symbols=ISK"), TWO_WEEKS],
])("%s has no value, and the message says why: %s", async (path, why) => {
  const message = await plain.reason(path, "no_data_for_date");
  expect(message).toContain(why);
  expect(message.includes("14 days")).toBe(why === TWO_WEEKS);
});
