/** What the tests of the simulated authorities share: their tables requested and read as the product does it. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { Route } from "#ports/upstream.ts";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { running } from "#test/demo/running.ts";
import { client } from "#test/sources/upstream-server.ts";

export const TOKEN = "0123456789abcdef".repeat(4);
export const ADAPTERS = officialAdapters({ banxicoToken: TOKEN });

export function adapterOf(id: string): OfficialAdapter {
  const adapter = ADAPTERS.find((one) => one.id === id);
  if (adapter === undefined) throw new Error(`no adapter ${id}`);
  return adapter;
}

export interface Authorities extends Awaited<ReturnType<typeof running>> {
  now(): number;
  setTo(instant: number): void;
  /** A window that ends today, where the table is published. */
  window(adapter: OfficialAdapter, reach: Window["reach"], days: number): Window;
  /** Every publication that a route has for a window. Absent documents of days without one count as nothing. */
  read(route: Route<OfficialParsed>, window: Window): Promise<OfficialReading[]>;
  /** The same by the table's first route, by name. */
  recent(adapter: OfficialAdapter, days?: number): Promise<Map<string, OfficialReading>>;
}

export async function authorities(moment: string): Promise<Authorities> {
  let now = Date.parse(moment);
  const world = await running(moment);
  const clock = { now: () => now };
  const setTo = (instant: number) => {
    now = instant;
    world.at(new Date(instant).toISOString());
  };
  const window: Authorities["window"] = ({ zone }, reach, days) => {
    const to = dayInZone(zone, now);
    return { reach, from: to - days, to };
  };
  const read: Authorities["read"] = async (route, query) => {
    const { upstream } = client(world.simulator.base, { clock });
    const readings: OfficialReading[] = [];
    for (const request of route.requests) {
      try {
        const document = await upstream.get(request);
        if (document === "unchanged") throw new Error("unchanged");
        const parsed = route.parse(document, query);
        if (parsed.outcome === "publications") readings.push(...parsed.publications);
      } catch (error) {
        const isAbsent = error instanceof UpstreamFault && error.kind === "not_found";
        if (!(isAbsent && route.mayBeAbsent)) throw error;
      }
    }
    return readings;
  };
  return {
    ...world,
    at: (text) => setTo(Date.parse(text)),
    now: () => now,
    setTo,
    window,
    read,
    async recent(adapter, days = 45) {
      const query = window(adapter, "recent", days);
      const [first] = adapter.routes(query);
      if (first === undefined) throw new Error(`${adapter.id} has no route`);
      const readings = await read(first, query);
      return new Map(readings.map((reading) => [reading.publication, reading]));
    },
  };
}
