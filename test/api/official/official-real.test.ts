/** Every table of the catalogue over HTTP, and a report of the Treasury from its parser to an answer. */

import { expect, test } from "bun:test";
import type { OfficialTable } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { officialAdapters } from "#sources/catalogue.ts";
import { openTestApp } from "#test/api/harness.ts";
import { collected, collectedForEach, NOW } from "#test/official/collected.ts";
import { day } from "#test/sources/documents.ts";
import { arrivedAt, publicationsOf, routeOf } from "#test/sources/official/tables.ts";

const world = collectedForEach();
const ADAPTERS = officialAdapters({ banxicoToken: "0".repeat(64) });
const TABLES: readonly OfficialTable[] = ADAPTERS;
const open = () => openTestApp({ now: NOW, official: world.deps(collected(...TABLES)) });

test("the catalogue is listed as documented: no two tables of a country share a type", async () => {
  const { tables } = await open().get("/v1/official");
  expect(tables.map(({ id }: { id: string }) => id)).toEqual(TABLES.map(({ id }) => id));
  const names = TABLES.flatMap(({ country, types }) => types.map((type) => `${country} ${type}`));
  expect(new Set(names).size).toBe(names.length);
});

test.each(TABLES.map(({ id, country, types }) => [id, country, types] as const))(
  "%s is found below its country by each of its types, in any case",
  async (id, country, types) => {
    const table = TABLES.find((one) => one.id === id) as OfficialTable;
    await world.publish(table, "2026-04-13");
    for (const type of types) {
      for (const path of [`${country}/${type}`, `${country.toLowerCase()}/${type.toUpperCase()}`]) {
        const body = await open().get(`/v1/official/${path}/publications/latest`);
        expect([body.country, body.type, body.publication]).toEqual([country, type, "2026-04-13"]);
      }
    }
  },
);

test("a Treasury report is valid from the day that it prints: the quarter's last day finds it, the day before the one before", async () => {
  const adapter = ADAPTERS.find((one) => one.id === "usa_treasury") as OfficialAdapter;
  const line = (recorded: string, rate: string) => ({
    record_date: recorded,
    country_currency_desc: "Mexico-Peso",
    exchange_rate: rate,
    effective_date: recorded,
  });
  const data = [line("2025-12-31", "18.0"), line("2026-03-31", "17.5")];
  const text = JSON.stringify({ data, meta: { "total-count": 2, "total-pages": 1 } });
  const window = { reach: "history", from: day("2025-12-31"), to: day("2026-04-13") } as const;
  const parsed = routeOf(adapter, window).parse(arrivedAt("2026-04-13", text), window);
  for (const { publication, validFrom, validTo, rows } of publicationsOf(parsed)) {
    const days = { validFrom: formatDay(validFrom), validTo: validTo === null ? null : formatDay(validTo) };
    await world.publish(adapter, publication, { ...days, rows });
  }
  for (const type of ["reporting", "treasury"]) {
    const at = `/v1/official/USA/${type}/publications/latest?valid_on=`;
    const found = await open().get(`${at}2026-03-31`);
    expect([found.publication, found.valid_from]).toEqual(["2026-03-31", "2026-03-31"]);
    expect((await open().get(`${at}2026-03-30`)).publication).toBe("2025-12-31");
    expect((await open().get(`${at}2026-04-13`)).publication).toBe("2026-03-31");
  }
});
