import { expect, test } from "bun:test";
import { tableFromIPC } from "apache-arrow";
import { parquetMetadata } from "hyparquet";
import { type Day, parseDay } from "#domain/time/day.ts";
import { openTestApp, post, WORLD } from "#test/api/harness.ts";
import { datasetOf } from "#test/domain/history/columns.ts";

/** The demo over this world, real through a day; null: no figure is. */
function demo(realThrough: string | null) {
  const dataset = {
    ...datasetOf(WORLD),
    simulated: true,
    realThrough: realThrough === null ? null : (parseDay(realThrough) as Day),
  };
  return openTestApp({ simulated: true, dataset: () => dataset });
}

const MIXED = demo("2026-04-10");
const REAL_DAYS = "start_date=2026-04-02&end_date=2026-04-10";
const BOTH = "start_date=2026-04-02&end_date=2026-04-13";

/** Address, the currencies that `simulated` names, and how the notice begins. */
const ANSWERS: readonly (readonly [string, readonly string[], string])[] = [
  ["/v1/2026-04-10?symbols=EUR,GBP", [], "Indicative"],
  // Filled from the last real day.
  ["/v1/2026-04-12?symbols=EUR,GBP", [], "Indicative"],
  ["/v1/2026-04-10?symbols=EUR,TWD", ["TWD"], "SIMULATED: TWD. "],
  ["/v1/2026-04-10?base=TWD&symbols=EUR,GBP", ["EUR", "GBP"], "SIMULATED DATA"],
  ["/v1/2026-04-13?symbols=EUR,GBP", ["EUR", "GBP"], "SIMULATED DATA"],
  ["/v1/2026-04-10?symbols=EUR,GBP&as_of=2026-04-11T00:00:00Z", [], "Indicative"],
  ["/v1/latest?symbols=EUR,GBP", ["EUR", "GBP"], "SIMULATED DATA"],
  ["/v1/rate/usd-gbp", ["GBP"], "SIMULATED DATA"],
  ["/v1/convert/USD/GBP/5?date=2026-04-10", [], "Indicative"],
  ["/v1/convert/USD/TWD/5?date=2026-04-10", ["TWD"], "SIMULATED DATA"],
  [`/v1/fluctuation?symbols=EUR&${REAL_DAYS}`, [], "Indicative"],
  [`/v1/fluctuation?symbols=EUR&${BOTH}`, ["EUR"], "SIMULATED on some days: EUR. "],
  [`/v1/range?symbols=EUR,TWD&${REAL_DAYS}`, ["TWD"], "SIMULATED: TWD. "],
  [`/v1/range?symbols=EUR&${REAL_DAYS}`, [], "Indicative"],
  [`/v1/range?symbols=EUR&${BOTH}`, ["EUR"], "SIMULATED on some days: EUR. "],
  ["/v1/range?symbols=EUR,GBP&start_date=2026-04-01&end_date=2026-04-10&interval=1w", [], "Indicative"],
  [
    "/v1/range?symbols=EUR&start_date=2026-04-01&end_date=2026-04-13&interval=1mo",
    ["EUR"],
    "SIMULATED on some days: EUR. ",
  ],
];

test.each(ANSWERS)("%s names what is simulated, and nothing else", async (path, codes, notice) => {
  const response = await MIXED.ask(path);
  const body = await response.json();
  expect(body.simulated).toEqual(
    codes.length === 0 ? undefined : Object.fromEntries(codes.map((code) => [code, true])),
  );
  expect(body.notice).toStartWith(notice);
  expect(response.headers.get("x-data-mode")).toBe(codes.length === 0 ? "real" : "simulated");
  // The answer that is ready from now on says the same.
  const again = await MIXED.ask(path);
  expect(again.headers.get("x-data-mode")).toBe(response.headers.get("x-data-mode"));
});

test("the legs of an explained rate are marked one by one", async () => {
  const { legs } = await MIXED.get("/v1/explain/EUR/TWD?date=2026-04-10");
  const marks = (legs as { quote: string; simulated?: true }[]).map((leg) => [leg.quote, leg.simulated]);
  expect(marks.toSorted()).toEqual([
    ["TWD", true],
    ["USD", undefined],
  ]);
});

test("a batch names the targets that are simulated", async () => {
  const made = await MIXED.get("/v1/convert", post({ from: "USD", pairs: [["GBP", 1]] }));
  expect(made.simulated).toEqual({ GBP: true });
});

/** Files and other dialects have no member for it. */
test.each([
  ["/v1/2026-04-10?symbols=EUR&format=csv", "real"],
  ["/v1/2026-04-13?symbols=EUR&format=csv", "simulated"],
  [`/v1/range?symbols=EUR,GBP&${REAL_DAYS}&format=csv`, "real"],
  [`/v1/range?symbols=EUR,TWD&${REAL_DAYS}&format=csv`, "simulated"],
  [`/v1/range?symbols=EUR&${BOTH}&format=csv`, "simulated"],
  ["/compat/oxr/historical/2026-04-10.json?symbols=EUR", "real"],
  ["/compat/oxr/historical/2026-04-10.json?symbols=TWD", "simulated"],
  ["/compat/oxr/time-series.json?start=2026-04-02&end=2026-04-10&symbols=EUR", "real"],
  ["/compat/oxr/time-series.json?start=2026-04-02&end=2026-04-13&symbols=EUR", "simulated"],
  ["/compat/frankfurter/v1/2026-04-10", "real"],
  ["/compat/frankfurter/v1/2026-04-13", "simulated"],
  ["/compat/frankfurter/v1/2026-04-02..2026-04-10", "real"],
  ["/compat/frankfurter/v1/2026-04-02..2026-04-13", "simulated"],
  ["/v1/currencies", "simulated"],
])("%s is sent as %s", async (path, mode) => {
  const response = await MIXED.ask(path);
  expect(response.headers.get("x-data-mode")).toBe(mode);
  const file = response.headers.get("content-disposition");
  if (file !== null) expect(file.includes("SIMULATED_crossrate")).toBe(mode === "simulated");
  if (!path.includes("oxr")) return;
  const { disclaimer } = await response.json();
  expect(disclaimer.startsWith("SIMULATED")).toBe(mode === "simulated");
});

/** A table is kept without notice and headers. */
test.each([
  ["/v1/latest?symbols=EUR&format=csv", "symbol,rate_simulated,source"],
  ["/v1/2026-04-10?symbols=EUR&format=csv", "symbol,rate,source"],
  ["/v1/2026-04-10?symbols=EUR,TWD&format=csv", "symbol,rate_simulated,source"],
  [
    `/v1/fluctuation?symbols=EUR&${BOTH}&format=csv`,
    "start_rate_simulated,start_date,end_rate_simulated,end_date,change_simulated,change_pct_simulated,low_simulated,",
  ],
  [`/v1/average?symbols=EUR&${REAL_DAYS}&format=csv`, "average,days,first,first_date,"],
  [`/v1/range?symbols=EUR,TWD&${REAL_DAYS}&format=csv`, "symbol,rate_simulated,source"],
  [`/v1/range?symbols=EUR,GBP&${REAL_DAYS}&format=csv`, "symbol,rate,source"],
  [
    `/v1/range?symbols=GBP,TWD,EUR&${REAL_DAYS}&layout=wide&format=csv`,
    "is_forward_filled,GBP,TWD_simulated,EUR\n",
  ],
])("the columns of %s name what is simulated", async (path, columns) => {
  const [head, first = ""] = (await (await MIXED.ask(path)).text()).split(/(?<=\n)/);
  expect(head).toContain(columns);
  expect(first.split(",").length).toBe((head as string).split(",").length);
});

test.each([
  ["symbols=EUR,TWD", '"symbol":"EUR","rate_simulated":'],
  ["symbols=EUR,GBP", '"symbol":"EUR","rate":'],
  ["symbols=GBP,TWD&layout=wide", /"rates":{"GBP":[\d.]+,"TWD_simulated":/],
])("the members of NDJSON of %s name what is simulated", async (query, member) => {
  const path = `/v1/range?${query}&${REAL_DAYS}&format=ndjson`;
  const [first = ""] = (await (await MIXED.ask(path)).text()).split("\n");
  expect(first).toMatch(member);
});

test("files of Parquet and Arrow have their names in their metadata", async () => {
  const path = `/v1/range?${REAL_DAYS}&format=parquet&symbols`;
  const marksOf = async (asked: string) => {
    const { key_value_metadata = [] } = parquetMetadata(await (await MIXED.ask(asked)).arrayBuffer());
    return key_value_metadata.flatMap(({ key, value }) => (key === "simulated" ? [value] : []));
  };
  expect(await marksOf(`${path}=EUR,TWD`)).toEqual(["rate"]);
  expect(await marksOf(`${path}=GBP,TWD,EUR&layout=wide`)).toEqual(["TWD"]);
  expect(await marksOf(`${path}=EUR,GBP`)).toEqual([]);
  for (const [symbols, marks] of [
    ["EUR,TWD", "rate"],
    ["EUR,GBP", undefined],
  ]) {
    const stream = await (await MIXED.ask(`${path.replace("parquet", "arrow")}=${symbols}`)).arrayBuffer();
    expect(tableFromIPC(new Uint8Array(stream)).schema.metadata.get("simulated")).toBe(marks);
  }
});

test("without a real history every rate is simulated", async () => {
  const { simulated, notice } = await demo(null).get("/v1/2026-04-10?symbols=EUR,TWD");
  expect(simulated).toEqual({ EUR: true, TWD: true });
  expect(notice).toStartWith("SIMULATED DATA");
  const refusal = await demo(null).refused("/v1/latest/XXX", "unsupported_base");
  expect(refusal.headers.get("x-data-mode")).toBe("simulated");
});
