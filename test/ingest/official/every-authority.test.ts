/** The rule about wrong documents at the real adapters of the simulated authorities. */

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { OfficialReading } from "#domain/official/publication.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { SIMULATED_TABLES, startFullSimulator } from "#test/support/official/simulator.ts";
import { openBench } from "./authority.ts";

setDefaultTimeout(60_000);

const NOW = Date.parse("2026-04-14T22:00:00Z");
const simulator = await startFullSimulator({ now: () => NOW });
afterAll(() => simulator.stop());

const ADAPTERS = officialAdapters({ banxicoToken: "0123456789abcdef".repeat(4) }).filter(({ id }) =>
  SIMULATED_TABLES.includes(id),
);
/** With fewer publications in the last weeks than a document may correct. */
const reachOf = ({ cadence }: OfficialAdapter) =>
  cadence === "daily" || cadence === "weekly" ? "recent" : "history";

function altered(reading: OfficialReading, factor: number): OfficialReading {
  if (factor === 1) return reading;
  const rows = reading.rows.map((row) => ({ ...row, rate: (Number(row.rate) * factor).toPrecision(7) }));
  return { ...reading, rows };
}

/** An adapter that multiplies what some of its routes state of some publications, after `alter`. */
function tampered(adapter: OfficialAdapter) {
  let factorOf = (_publication: string, _route: string) => 1;
  const table: OfficialAdapter = {
    ...adapter,
    routes: (window) =>
      adapter.routes(window).map((route) => ({
        ...route,
        parse: (document, of): OfficialParsed => {
          const parsed = route.parse(document, of);
          if (parsed.outcome === "empty") return parsed;
          const publications = parsed.publications.map((one) =>
            altered(one, factorOf(one.publication, route.name)),
          );
          return { ...parsed, publications };
        },
      })),
  };
  return {
    table,
    alter: (by: typeof factorOf) => {
      factorOf = by;
    },
  };
}

async function opened(adapter: OfficialAdapter) {
  const { table, alter } = tampered(adapter);
  const bench = await openBench({}, table, simulator.base);
  bench.now = NOW;
  await bench.process().collect(adapter.id, reachOf(adapter));
  const whole = { from: null, to: null, after: null, limit: 1000 };
  const publications = await bench.ledger.publications.list({ table: adapter.id, ...whole });
  return { bench, alter, names: publications.map(({ publication }) => publication) };
}

for (const adapter of ADAPTERS) {
  test(`${adapter.id}: one correction is published if every route has it, and held if another route contradicts it`, async () => {
    const { bench, alter, names } = await opened(adapter);
    const [newest = "", before = ""] = names;
    alter((publication) => (publication === before ? 1.011 : 1));
    const correction = { held: [], rules: [], events: [`evt_${adapter.id}_${before}_v2 official.corrected`] };
    expect(await bench.again(reachOf(adapter))).toEqual(correction);
    const { validFrom: day } = (await bench.ledger.publications.find(adapter.id, newest, null)) ?? {
      validFrom: 0,
    };
    const window = { from: day, to: day };
    const routes = (["recent", "latest"] as const).flatMap((reach) => adapter.routes({ reach, ...window }));
    const others = new Set(routes.map(({ name }) => name));
    const [first] = adapter.routes({ reach: reachOf(adapter), from: day - 30, to: day });
    alter((publication, route) => {
      if (publication === before) return 1.011;
      return publication === newest && route === first?.name ? 1.013 : 1;
    });
    const outcome = await bench.again(reachOf(adapter));
    expect(outcome.rules).toEqual(others.size > 1 ? ["contradicted"] : []);
    expect(outcome.events).toHaveLength(others.size > 1 ? 0 : 1);
  });
}
