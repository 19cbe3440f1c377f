/** Every way in which an upstream can misbehave is visible to a client, and gone when it behaves again. */

import { afterEach, expect, test } from "bun:test";
import type { Misbehaviour } from "#demo/request.ts";
import { broken } from "./broken-transport.ts";
import { FILES, GRAPH, linesOf, OBSERVATIONS, running, SDMX } from "./running.ts";

const NOW = "2026-04-14T15:00:00Z";
const { get, text, unzipped, simulator, at } = await running(NOW);
afterEach(() => {
  simulator.behave();
  at(NOW);
});

const DAILY = `${FILES}/eurofxref-daily.xml`;
const ECB = "/www.ecb.europa.eu/";
const healthy = await text(DAILY);
const misbehave = (behaviour: Misbehaviour, prefix = ECB) => simulator.misbehave(prefix, behaviour);

const rates = (xml: string) =>
  new Map([...xml.matchAll(/currency='([A-Z]{3})' rate='([^']+)'/g)].map(([, code, rate]) => [code, rate]));

test("nan: the newest figures are no numbers, the others stay", async () => {
  misbehave({ kind: "nan" });
  expect([...new Set(rates(await text(DAILY)).values())]).toEqual(["NaN"]);
  const csv = linesOf(await unzipped(`${FILES}/eurofxref-hist.zip`, "eurofxref-hist.csv"));
  expect([csv[1]?.includes("NaN"), csv.slice(2).some((line) => line.includes("NaN"))]).toEqual([true, false]);
});

test("wrong-date: the newest figures are dated a year ahead", async () => {
  misbehave({ kind: "wrong-date" });
  expect(await text(DAILY)).toBe(healthy.replace("2026-04-14", "2027-04-14"));
});

test("tenfold: all newest figures, and only those; decimal-slip: one of them", async () => {
  const factors = async () => {
    const wrong = rates(await text(DAILY));
    return [...rates(healthy)].map(([code, rate]) => Math.round(Number(wrong.get(code)) / Number(rate)));
  };
  misbehave({ kind: "tenfold" });
  expect(new Set(await factors())).toEqual(new Set([10]));
  misbehave({ kind: "decimal-slip", currency: "SEK" });
  expect((await factors()).toSorted((a, b) => a - b)).toEqual([...new Array<number>(28).fill(1), 10]);
});

test("figure faults reach FRED and the statistical interface too", async () => {
  const newest = async () => {
    const body = JSON.parse(await text(`${OBSERVATIONS}&series_id=DEXTAUS&observation_start=2026-03-01`));
    return (body.observations as { value: string }[]).map(({ value }) => Number(value)).reverse();
  };
  const before = await newest();
  misbehave({ kind: "tenfold" }, "/api.stlouisfed.org/");
  const after = await newest();
  expect((after[0] as number) / (before[0] as number)).toBeCloseTo(10, 2);
  expect(after[1]).toBe(before[1] as number);
  misbehave({ kind: "wrong-date" }, "/data-api.ecb.europa.eu/");
  const rows = linesOf(
    await text(`${SDMX}/D.USD.EUR.SP00.A?format=csvdata&detail=dataonly&startPeriod=2026-04-14`),
  );
  expect(rows[1]).toContain(",2027-04-14,");
});

test("correction: one figure of one past day, everything else byte for byte the same", async () => {
  const history = () => unzipped(`${FILES}/eurofxref-hist.zip`, "eurofxref-hist.csv");
  const before = linesOf(await history());
  misbehave({ kind: "correction", currency: "PLN", date: "2026-03-02", factor: 1.02 });
  const after = linesOf(await history());
  const changed = after.filter((line, index) => line !== before[index]);
  expect(changed).toHaveLength(1);
  const old = before.find((line) => line.startsWith("2026-03-02"))?.split(",") as string[];
  const cells = (changed[0] as string).split(",");
  const column = (before[0] as string).split(",").indexOf("PLN");
  expect(cells.filter((cell, index) => cell !== old[index])).toEqual([cells[column] as string]);
  expect(Number(cells[column]) / Number(old[column])).toBeCloseTo(1.02, 4);
});

test("wrong figures are a change to a conditional request, and so is their end", async () => {
  const etag = (await get(DAILY)).headers.get("etag") as string;
  misbehave({ kind: "tenfold" });
  const wrong = await get(DAILY, { "if-none-match": etag });
  expect(wrong.status).toBe(200);
  const wrongTag = wrong.headers.get("etag") as string;
  expect((await get(DAILY, { "if-none-match": wrongTag })).status).toBe(304);
  simulator.behave();
  expect((await get(DAILY, { "if-none-match": wrongTag })).status).toBe(200);
});

test("unchanged: days later still the document of that moment, and 304 to a client that has it", async () => {
  const etag = (await get(DAILY)).headers.get("etag") as string;
  misbehave({ kind: "unchanged" });
  at("2026-04-20T15:00:00Z");
  expect(await text(DAILY)).toBe(healthy);
  expect((await get(DAILY, { "if-none-match": etag })).status).toBe(304);
  simulator.behave();
  expect(await text(DAILY)).toContain("2026-04-20");
});

test("the longest prefix counts, other hosts are untouched, and behave resets one prefix or all", async () => {
  misbehave(broken.status(500));
  misbehave(broken.status(429), "www.ecb.europa.eu/stats/eurofxref/eurofxref-daily");
  const statuses = async () =>
    Promise.all(
      [DAILY, `${FILES}/eurofxref-hist.zip`, `${GRAPH}?id=DEXUSEU`].map(
        async (url) => (await get(url)).status,
      ),
    );
  expect(await statuses()).toEqual([429, 500, 200]);
  simulator.behave("/www.ecb.europa.eu/stats/eurofxref/eurofxref-daily");
  expect(await statuses()).toEqual([500, 500, 200]);
  simulator.behave();
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(await text(DAILY)).toBe(healthy);
});
