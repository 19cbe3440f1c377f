/** Every route of every source against the built-in simulator: all of them read, and routes to the same figures agree. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { parseDecimal } from "#domain/number/decimal.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Route } from "#ports/upstream.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { type Simulator, startFullSimulator } from "#test/support/official/simulator.ts";
import { figuresOf } from "./documents.ts";
import { client, NOW } from "./upstream-server.ts";

const to = dayAt(NOW);
const windows: readonly Window[] = [
  // Four years are enough to go through several of the yearly documents.
  { reach: "history", from: to - 4 * 365, to },
  { reach: "recent", from: to - 90, to },
  { reach: "latest", from: to - 14, to },
];

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startFullSimulator({ now: () => NOW });
});
afterAll(() => simulator.stop());

async function readAll(route: Route, window: Window): Promise<Figure[]> {
  const { upstream } = client(simulator.base);
  const figures: Figure[] = [];
  for (const request of route.requests) {
    const document = await upstream.get(request);
    if (document === "unchanged") throw new Error("unchanged");
    const reading: Reading = route.parse(document, window);
    figures.push(...figuresOf(reading).figures);
  }
  return figures;
}

/** What is in force after all versions, by date and pair: the value without its trailing zeros, its decimals, its instant. */
function valuesFrom(figures: readonly Figure[], from: number): Map<string, string> {
  const last = new Map<string, string>();
  for (const { date, base, quote, printed, decimals, observedAt } of figures) {
    const value = parseDecimal(printed.includes(".") ? printed.replace(/\.?0+$/, "") : printed);
    if (date >= from)
      last.set(`${date} ${base}/${quote}`, `${value?.units}e-${value?.scale} ${decimals} ${observedAt}`);
  }
  return last;
}

for (const fredApiKey of [null, "0123456789abcdef0123456789abcdef"]) {
  const adapters = dailyAdapters({ fredApiKey });
  for (const adapter of fredApiKey === null ? adapters : adapters.slice(1)) {
    describe(`${adapter.id}${fredApiKey === null ? "" : " with a key"}`, () => {
      for (const window of windows) {
        test(`${window.reach}: every route reads, and the same figures come out`, async () => {
          const routes = adapter.routes(window);
          const readings = await Promise.all(routes.map((route) => readAll(route, window)));
          const first = readings[0] ?? [];
          expect(first.length).toBeGreaterThan(0);
          // The daily XML holds one day, so routes are compared on the days that all of them state.
          const from = Math.max(...readings.map((figures) => figures[0]?.date ?? Number.NaN));
          const expected = valuesFrom(first, from);
          for (const figures of readings) expect(valuesFrom(figures, from)).toEqual(expected);
          expect(new Set(first.flatMap(({ base, quote }) => [base, quote])).size).toBe(
            adapter.currencies.length + 1,
          );
        });
      }
    });
  }
}
