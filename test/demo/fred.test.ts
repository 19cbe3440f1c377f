/** The simulated FRED: answers of the real shape, a row for every weekday, noon in New York of the same world. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Day, parseDay } from "#domain/time/day.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { OBSERVATIONS, running } from "./running.ts";

// The moment at which the real recordings were made.
const { text, get, simulator } = await running("2026-03-19T12:00:00Z");

interface Observations {
  readonly count: number;
  readonly observations: readonly { readonly date: string; readonly value: string }[];
}
const observations = async (query: string): Promise<Observations> =>
  (await get(`${OBSERVATIONS}&${query}`)).json() as Promise<Observations>;

testOn("fred/DEXTAUS.api.json")(
  "every real recording has the same dates and, digit for digit, the same shape",
  async () => {
    const one = sharedDocument("fred/DEXTAUS.api.json") as string;
    const recordings = readdirSync(dirname(one)).filter((name) => name.endsWith(".api.json"));
    // The Sri Lankan rupee is outside the catalog.
    const names = recordings.filter((name) => !name.startsWith("DEXSLUS"));
    expect(names).toHaveLength(21);
    // Some recordings came out of a cache and name an older real-time day.
    const shape = (body: string) =>
      body.replace(/"value":"[\d.]+"/g, '"value":"#"').replace(/("realtime_\w+"):"[\d-]+"/g, '$1:"#"');
    const decimals = (body: string) =>
      Math.max(...[...body.matchAll(/"value":"\d+\.(\d+)"/g)].map(([, digits]) => (digits as string).length));
    for (const name of names) {
      const id = name.slice(0, name.indexOf("."));
      const real = readFileSync(`${dirname(one)}/${name}`, "utf8").trim();
      const ours = await text(`${OBSERVATIONS}&series_id=${id}&observation_start=2026-03-01`);
      expect(shape(ours)).toBe(shape(real));
      expect([id, decimals(ours)]).toEqual([id, decimals(real)]);
    }
  },
);

test("noon in New York is the Frankfurt fixing of the day some hours on: near it, and almost never it", async () => {
  const { observations: rows } = await observations("series_id=DEXUSEU&observation_start=2015-01-01");
  const apart = rows
    .filter(({ value }) => value !== ".")
    .map(({ date, value }) =>
      Math.abs(Number(value) / simulator.world.perEuro("USD", parseDay(date) as Day) - 1),
    )
    .toSorted((a, b) => a - b);
  const median = (apart[apart.length >> 1] as number) * 1e4;
  expect(median).toBeGreaterThan(10);
  expect(median).toBeLessThan(30);
  expect(apart.at(-1)).toBeLessThan(0.03);
});
