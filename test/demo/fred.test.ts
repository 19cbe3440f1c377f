/** The simulated FRED: answers of the real shape, a row for every weekday. */

import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { OBSERVATIONS, running } from "./running.ts";

// The moment at which the real recordings were made.
const { text } = await running("2026-03-19T12:00:00Z");

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
