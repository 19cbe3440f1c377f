/** The simulated statistical interface: the real columns, the real parameters, versions with their load times. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { linesOf, running, SDMX } from "#test/demo/running.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";

const { text, simulator, at } = await running("2026-04-13T15:00:00Z");
const YEAR = "startPeriod=2024-01-01&endPeriod=2024-12-31";
const answerOf = (key: string, query: string) => text(`${SDMX}/D.${key}.EUR.SP00.A?format=csvdata&${query}`);

const VERSIONS = "ecb/sdmx-include-history.csv";
testOn(VERSIONS)("the header is that of the real document", async () => {
  const [real] = linesOf(readFileSync(sharedDocument(VERSIONS) as string, "utf8"));
  const [ours] = linesOf(await answerOf("USD", `detail=dataonly&includeHistory=true&${YEAR}`));
  expect(ours).toBe(real as string);
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
