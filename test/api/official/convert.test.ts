/** Conversion by official tables over HTTP: rules of the day, kinds, as_of, citations; random ones: random.test.ts. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { rowOf } from "#test/official/version.ts";

const world = collectedForEach();
const open = () => openTestApp({ now: NOW, official: world.deps() });
const FIX_PATH = "/v1/official/mex/fix/convert";

describe("an amount", () => {
  test("is in the query or in the path, and 1 without either", async () => {
    await world.publish(FIX, "2026-04-13", { rate: "17.34" });
    const app = open();
    for (const [rest, converted] of [
      ["", 17.34],
      ["?amount=2.5", 43.35],
      ["/-2.5", -43.35],
    ] as const)
      expect((await app.get(`${FIX_PATH}/USD/MXN${rest}`)).converted).toBe(converted);
  });

  test("of a currency outside the catalog has no minor units to round to", async () => {
    await world.publish(FIX, "2026-04-13", { rows: [rowOf("KWD", "MXN", "56.1234")] });
    const body = await open().get(`${FIX_PATH}/MXN/KWD/100`);
    expect([body.rounded, body.converted]).toEqual([null, 1.78178798861081]);
  });
});

test("the day of a publication is the authority's, where its document states it", async () => {
  const rows = [rowOf("GBP", "USD", "1.2937")];
  const publishedAt = Date.parse("2026-03-19T09:00:00Z");
  await world.publish(CUSTOMS, "2026-04", {
    validFrom: "2026-04-01",
    validTo: "2026-04-30",
    publishedAt,
    rows,
  });
  const app = open();
  const on = (query: string) => `/v1/official/GBR/customs/convert/USD/GBP/1000?${query}`;
  expect(await app.get(on("on=2026-03-19&rule=published_on"))).toMatchObject({
    ...{ publication: "2026-04", rate: 0.7729767334, rounded: 772.98, valid_to: "2026-04-30" },
  });
  await app.refused(on("on=2026-04-01&rule=published_on"), "not_found");
  await app.refused(on("on=2026-03-31"), "not_found");
});

test("as_of finds the version of that time, also where a correction moved its first day to a later one", async () => {
  await world.publish(FIX, "2026-04-09", { rate: "17.1" });
  await world.publish(FIX, "2026-04-10");
  const moved = { version: 2, validFrom: "2026-04-12", retrievedAt: Date.parse("2026-04-12T12:00:00Z") };
  await world.publish(FIX, "2026-04-10", { ...moved, rate: "17.5" });
  await world.publish(FIX, "2026-04-10", { ...moved, version: 3, rate: "17.6", retrievedAt: NOW });
  const app = open();
  const rate = async (on: string) => (await app.get(`${FIX_PATH}/USD/MXN?on=${on}`)).rate;
  expect(await rate("2026-04-11&as_of=2026-04-11T12:00:00Z")).toBe(17.34);
  expect(await rate("2026-04-12&as_of=2026-04-12T12:00:00Z")).toBe(17.5);
  expect([await rate("2026-04-11"), await rate("2026-04-12")]).toEqual([17.1, 17.6]);
});

test("without a day as_of converts by the day that was today then", async () => {
  await world.publish(FIX, "2026-04-10", { retrievedAt: Date.parse("2026-04-09T18:00:00Z") });
  const path = `${FIX_PATH}/USD/MXN?as_of=`;
  expect(await open().get(`${path}2026-04-10T12:00:00Z`)).toMatchObject({ on: "2026-04-10" });
  // 23:00 of the 9th in Mexico City, when the publication was known, and not yet valid.
  await open().refused(`${path}2026-04-10T05:00:00Z`, "not_found");
});

describe("refused is", () => {
  test("a choice between buying and selling rates that the caller has to make", async () => {
    const rows = [rowOf("USD", "MXN", "17.10", 1, "buy"), rowOf("USD", "MXN", "17.60", 1, "sell")];
    await world.publish(DOF, "2026-04-13", { rows });
    const app = open();
    const path = "/v1/official/MEX/dof/convert/USD/MXN";
    expect(await app.reason(path, "invalid_request")).toBe(
      "publication 2026-04-13 has rates of the kinds buy, sell: choose one with kind",
    );
    const { rate, citation } = await app.get(`${path}?kind=sell`);
    expect(rate).toBe(17.6);
    expect(citation).toContain(", 1 USD = 17.60 MXN (sell), ");
    await app.refused(`${path}?kind=mid`, "not_found");
    // Where there is no choice, none has to be made; the middle is the one that conversions mean.
    await world.publish(DOF, "2026-04-13", { version: 2, rows: rows.slice(1) });
    expect((await app.get(path)).rate).toBe(17.6);
    const all = [...rows, rowOf("USD", "MXN", "17.35")];
    await world.publish(DOF, "2026-04-13", { version: 3, rows: all });
    expect((await app.get(path)).rate).toBe(17.35);
  });

  test("a day of which the publication is missing here: the last one before it is in force for a step of the table, and no longer", async () => {
    await world.publish(FIX, "2026-03-12");
    await world.publish(FIX, "2026-03-30");
    const app = open();
    const reason = async (rest: string) => await app.reason(`${FIX_PATH}/USD/MXN?${rest}`, "not_found");
    for (const day of ["2026-03-26", "2026-03-30", "2026-04-13"])
      await app.get(`${FIX_PATH}/USD/MXN?on=${day}`);
    const nearest = (day: string) => `known to be valid on ${day}; the one before it is 2026-03-12`;
    expect(await reason("on=2026-03-27")).toEndWith(nearest("2026-03-27"));
    const asOf = "2026-04-13T00:00:00Z";
    expect(await reason(`on=2026-03-27&as_of=${asOf}`)).toEndWith(`was at ${asOf} ${nearest("2026-03-27")}`);
    await app.refused("/v1/official/MEX/fix/in-force?on=2026-03-29", "not_found");
    world.at("2026-04-14T20:30:00Z");
    expect(await reason("")).toEndWith("valid on 2026-04-14; the one before it is 2026-03-30");
    // Before the first, and beyond the last day of the calendar.
    expect(await reason("on=2025-12-31")).toEndWith(
      "; the first one here is 2026-03-12, valid from 2026-03-12",
    );
    for (const rest of ["", "&as_of=2026-04-14T00:00:00Z", "&rule=published_on"])
      expect(await reason(`on=9999-12-31${rest}`)).toEndWith("; the one before it is 2026-03-30");
  });
});
