/** Nothing is visible before the hour at which the real authority shows it. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { FILES, linesOf, OBSERVATIONS, running, SDMX } from "./running.ts";

const { text, at } = await running("2026-04-13T15:00:00Z");

async function newestEcb(moment: string): Promise<string[]> {
  at(moment);
  const dateOf = (xml: string) => /time=.([\d-]{10})./.exec(xml)?.[1] as string;
  const sdmx = await text(`${SDMX}?format=csvdata&startPeriod=2025-12-01`);
  return [
    dateOf(await text(`${FILES}/eurofxref-daily.xml`)),
    dateOf(await text(`${FILES}/eurofxref-hist-90d.xml`)),
    (linesOf(sdmx).at(-1) as string).split(",")[6] as string,
  ];
}

const ECB = [
  ["one second before 16:00 in winter", "2026-01-15T14:59:59Z", "2026-01-14"],
  ["16:00 in winter", "2026-01-15T15:00:00Z", "2026-01-15"],
  ["one second before 16:00 in summer", "2026-07-15T13:59:59Z", "2026-07-14"],
  ["16:00 in summer", "2026-07-15T14:00:00Z", "2026-07-15"],
  ["Saturday", "2026-07-18T18:00:00Z", "2026-07-17"],
  ["Easter Monday in the evening", "2026-04-06T18:00:00Z", "2026-04-02"],
  ["Christmas Day", "2025-12-25T18:00:00Z", "2025-12-24"],
  ["New Year's Day", "2026-01-01T18:00:00Z", "2025-12-31"],
] as const;

test.each(ECB)(
  "ECB, %s, %s: the newest figures are those of %s, in every document",
  async (_, moment, newest) => expect(await newestEcb(moment)).toEqual([newest, newest, newest]),
);

async function newestFred(moment: string): Promise<string> {
  at(moment);
  const body = JSON.parse(await text(`${OBSERVATIONS}&series_id=DEXUSEU`));
  return body.observations.at(-1).date;
}

const FRED = [
  ["Monday, one second before 16:15 in summer", "2026-07-20T20:14:59Z", "2026-07-10"],
  ["Monday, 16:15 in summer", "2026-07-20T20:15:00Z", "2026-07-17"],
  ["Monday, one second before 16:15 in winter", "2026-02-09T21:14:59Z", "2026-01-30"],
  ["Monday, 16:15 in winter", "2026-02-09T21:15:00Z", "2026-02-06"],
  ["Friday", "2026-02-13T23:00:00Z", "2026-02-06"],
  ["Sunday", "2026-02-15T23:00:00Z", "2026-02-06"],
  ["the evening of a Monday that is a holiday", "2026-02-16T23:00:00Z", "2026-02-06"],
  ["the Tuesday after it, one second before 16:15", "2026-02-17T21:14:59Z", "2026-02-06"],
  ["the Tuesday after it, 16:15", "2026-02-17T21:15:00Z", "2026-02-13"],
] as const;

test.each(FRED)("FRED, %s, %s: data through Friday %s", async (_, moment, newest) =>
  expect(await newestFred(moment)).toBe(newest),
);

// The moment at which the real recordings were made.
const { text: recordedText } = await running("2026-03-19T12:00:00Z");

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
      const ours = await recordedText(`${OBSERVATIONS}&series_id=${id}&observation_start=2026-03-01`);
      expect(shape(ours)).toBe(shape(real));
      expect([id, decimals(ours)]).toEqual([id, decimals(real)]);
    }
  },
);
