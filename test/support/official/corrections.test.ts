/** Corrections and faults of the simulated authorities, as the product reads them. */

import { afterEach, expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import { fingerprintOf, nextVersion, rowKey } from "#domain/official/doubts.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { adapterOf, authorities } from "./reads.ts";
import { TABLES } from "./simulator.ts";

const NOW = "2026-04-14T22:00:00Z";
const { at, setTo, simulator, window, read, recent } = await authorities(NOW);
afterEach(() => {
  simulator.behave();
  at(NOW);
});

/** The one publication of which two readings say different things, and the rows that differ. */
function changeOf(before: ReadonlyMap<string, OfficialReading>, after: ReadonlyMap<string, OfficialReading>) {
  const changed = [...before.values()].filter((reading) => {
    const same = after.get(reading.publication);
    return same !== undefined && fingerprintOf(same) !== fingerprintOf(reading);
  });
  const [first] = changed;
  if (first === undefined || changed.length > 1) throw new Error(`${changed.length} publications changed`);
  const second = after.get(first.publication) as OfficialReading;
  const rates = new Map(first.rows.map((row) => [rowKey(row), row.rate]));
  const rows = second.rows.filter((row) => Number(rates.get(rowKey(row))) !== Number(row.rate));
  return { first, second, rows };
}

const REACH_DAYS = { daily: 20, weekly: 20, monthly: 60, quarterly: 150 } as const;

for (const table of TABLES) {
  const adapter = adapterOf(table.id);

  test(`${adapter.id}: a figure of the past is corrected on request as version 2, and no other publication changes`, async () => {
    let day = parseDay("2025-06-30") as Day;
    while (!table.isDay(day)) day--;
    const currency = table.lines[0]?.code as string;
    setTo(table.publishedAt(day) + 4 * 86_400_000);
    const before = await recent(adapter, REACH_DAYS[adapter.cadence]);
    simulator.misbehave("/", { kind: "correction", currency, date: formatDay(day), factor: 1.02 });
    const { first, second, rows } = changeOf(before, await recent(adapter, REACH_DAYS[adapter.cadence]));
    const old = first.rows.find((row) => rowKey(row) === rowKey(rows[0] as (typeof rows)[0]));
    expect(Number(rows[0]?.rate) / Number(old?.rate)).toBeCloseTo(1.02, 1);
    expect(second.validFrom).toBe(first.validFrom);
    expect(nextVersion({ version: 1, fingerprint: fingerprintOf(first) }, second)).toBe(2);
    const currencies = rows.map(({ base, quote }) => (base === adapter.currency ? quote : base));
    expect(new Set(currencies)).toEqual(new Set([currency]));
  });

  test(`${adapter.id}: a document that is cut off, empty or a web page is refused by every route`, async () => {
    const query = window(adapter, "recent", 45);
    for (const kind of ["truncated", "html", "empty"] as const) {
      simulator.misbehave("/", broken[kind]);
      for (const route of adapter.routes(query)) {
        const fault = await read(route, query).catch((error: unknown) => error);
        expect(fault instanceof BrokenDocument || fault instanceof UpstreamFault).toBe(true);
      }
    }
  });
}

test("eue_reference: a correction of the ECB is version 2, by every route that has the day", async () => {
  const adapter = adapterOf("eue_reference");
  const date = "2026-04-10";
  const query = window(adapter, "recent", 20);
  const readings = async () => {
    const perRoute = await Promise.all(adapter.routes(query).map((route) => read(route, query)));
    return perRoute.map((all) => all.find(({ publication }) => publication === date) as OfficialReading);
  };
  const before = await readings();
  simulator.misbehave("/", { kind: "correction", currency: "NOK", date });
  for (const [route, right] of (await readings()).entries()) {
    const first = before[route] as OfficialReading;
    expect(nextVersion({ version: 1, fingerprint: fingerprintOf(first) }, right)).toBe(2);
    const rates = new Map(first.rows.map(({ quote, rate }) => [quote, rate]));
    const changed = right.rows.filter(({ quote, rate }) => rates.get(quote) !== rate);
    expect(changed.map(({ quote }) => quote)).toEqual(["NOK"]);
  }
});

test("the newest figures ten times too large are so in every table, and only there", async () => {
  for (const id of ["pol_a", "can_daily", "tur_indicative"]) {
    const healthy = [...(await recent(adapterOf(id))).values()];
    simulator.misbehave("/", { kind: "tenfold" });
    const wrong = [...(await recent(adapterOf(id))).values()];
    simulator.behave();
    const factors = wrong.map(({ rows }, nth) =>
      Math.round(Number(rows[0]?.rate) / Number(healthy[nth]?.rows[0]?.rate)),
    );
    expect(factors).toEqual([...healthy.slice(1).map(() => 1), 10]);
  }
});

test("Banxico refuses too many requests with its own text, status 400 and a duration", async () => {
  simulator.misbehave("/www.banxico.org.mx/", { kind: "over-limit" });
  const query = window(adapterOf("mex_fix"), "latest", 0);
  const [route] = adapterOf("mex_fix").routes(query);
  const fault = await read(route as NonNullable<typeof route>, query).catch((error: unknown) => error);
  if (!(fault instanceof UpstreamFault)) throw new Error("it was read");
  expect([fault.kind, fault.retryAfterSeconds]).toEqual(["rate_limited", 60]);
});

test("Banxico refuses a token that is none with its own text and status 400", async () => {
  const address = "https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/oportuno";
  const refused = await fetch(address.replace("https:/", simulator.base));
  expect([refused.status, (await refused.json()).error.mensaje]).toEqual([400, "Token inválido"]);
  const [adapter] = officialAdapters({ banxicoToken: "not-a-token" });
  if (adapter === undefined) throw new Error("no adapter");
  const query = window(adapter, "latest", 0);
  const [route] = adapter.routes(query);
  const fault = await read(route as NonNullable<typeof route>, query).catch((error: unknown) => error);
  expect(fault instanceof UpstreamFault && fault.kind).toBe("refused_credentials");
});
