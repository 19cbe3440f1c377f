/** The simulated statistical interface: the real columns, the real parameters, versions with their load times. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { FILES, linesOf, running, SDMX } from "#test/demo/running.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";

const { text, get, unzipped, simulator, at } = await running("2026-04-13T15:00:00Z");
const YEAR = "startPeriod=2024-01-01&endPeriod=2024-12-31";
const answerOf = (key: string, query: string) => text(`${SDMX}/D.${key}.EUR.SP00.A?format=csvdata&${query}`);

test("detail=dataonly has eight columns, oldest first, trailing zeros stripped", async () => {
  const [header, ...rows] = linesOf(await answerOf("USD", `detail=dataonly&${YEAR}`));
  expect(header).toBe("KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE");
  expect(rows).toHaveLength(256);
  expect(rows[0]).toMatch(/^EXR\.D\.USD\.EUR\.SP00\.A,D,USD,EUR,SP00,A,2024-01-02,\d\.\d*[1-9]$/);
  expect(rows).toEqual(rows.toSorted());
});

const VERSIONS = "ecb/sdmx-include-history.csv";
testOn(VERSIONS)("the header is that of the real document", async () => {
  const [real] = linesOf(readFileSync(sharedDocument(VERSIONS) as string, "utf8"));
  const [ours] = linesOf(await answerOf("USD", `detail=dataonly&includeHistory=true&${YEAR}`));
  expect(ours).toBe(real as string);
});

test("the key chooses one currency, several, or all of them in alphabetical order", async () => {
  const codes = async (key: string) =>
    linesOf(await answerOf(key, "detail=dataonly&startPeriod=2026-04-13"))
      .slice(1)
      .map((row) => row.split(",")[2]);
  expect(await codes("USD")).toEqual(["USD"]);
  expect(await codes("USD+JPY")).toEqual(["JPY", "USD"]);
  const all = await codes("");
  expect(all).toHaveLength(29);
  expect(all).toEqual(all.toSorted());
});

test("its figures are those of the history file", async () => {
  const csv = linesOf(await unzipped(`${FILES}/eurofxref-hist.zip`, "eurofxref-hist.csv"));
  const krona = (csv[0] as string).split(",").indexOf("SEK");
  const expected = csv.slice(1).map((row) => `${row.split(",")[0]},${row.split(",")[krona]}`);
  const rows = linesOf(await answerOf("SEK", "detail=dataonly")).slice(1);
  expect(rows.map((row) => row.split(",").slice(6).join(",")).toReversed()).toEqual(expected);
});

test("every version carries the Frankfurt time of its load, shortly before 16:00 on the day", async () => {
  const rows = linesOf(await answerOf("USD", `detail=dataonly&includeHistory=true&${YEAR}`)).slice(1);
  expect(rows[0]).toMatch(/,2024-01-02,[\d.]+,Replace,2024-01-02T15:57:01\.000\+01:00,$/);
  expect(rows.find((row) => row.includes(",2024-07-01,"))).toEndWith("2024-07-01T15:57:01.000+02:00,");
});

test("a correction appears as a second version loaded when it was made", async () => {
  at("2026-04-14T09:00:00Z");
  simulator.misbehave("/data-api.ecb.europa.eu/", {
    kind: "correction",
    currency: "PLN",
    date: "2026-03-02",
  });
  const rows = linesOf(
    await answerOf("PLN", "detail=dataonly&includeHistory=true&startPeriod=2026-03-02&endPeriod=2026-03-02"),
  ).slice(1);
  simulator.behave();
  at("2026-04-13T15:00:00Z");
  expect(rows.map((row) => row.split(",")[9])).toEqual([
    "2026-03-02T15:57:01.000+01:00",
    "2026-04-14T11:00:00.000+02:00",
  ]);
  const [before, after] = rows.map((row) => Number(row.split(",")[7]));
  expect((after as number) / (before as number)).toBeCloseTo(1.01, 4);
});

test("an unknown series and an empty period are 404 with a line of text; a malformed query is 400", async () => {
  for (const address of [
    "D.XXX.EUR.SP00.A?format=csvdata",
    "M.USD.EUR.SP00.A?format=csvdata",
    "D.USD.EUR.SP00.A?format=csvdata&startPeriod=2026-04-11&endPeriod=2026-04-12",
  ]) {
    const answer = await get(`${SDMX}/${address}`);
    expect([answer.status, await answer.text()]).toEqual([404, "No results found"]);
  }
  expect((await get(`${SDMX}/D.USD.EUR.SP00.A?format=csvdata&startPeriod=yesterday`)).status).toBe(400);
});
