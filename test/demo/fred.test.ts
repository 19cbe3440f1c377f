/** The simulated FRED: answers of the real shape, a row for every weekday, noon in New York of the same world. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isUsFederalDay } from "#domain/time/calendar.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { GRAPH, KEY, linesOf, OBSERVATIONS, running } from "./running.ts";

// The moment at which the real recordings were made.
const { text, get, simulator } = await running("2026-03-19T12:00:00Z");

interface Observations {
  readonly count: number;
  readonly observations: readonly { readonly date: string; readonly value: string }[];
}
const observations = async (query: string): Promise<Observations> =>
  (await get(`${OBSERVATIONS}&${query}`)).json() as Promise<Observations>;

test("an answer has the real members in the real order, values as strings without trailing zeros", async () => {
  const body = await text(`${OBSERVATIONS}&series_id=DEXTAUS&observation_start=2026-03-01`);
  expect(body).toStartWith(
    '{"realtime_start":"2026-03-19","realtime_end":"2026-03-19","observation_start":"2026-03-01",' +
      '"observation_end":"9999-12-31","units":"lin","output_type":1,"file_type":"json",' +
      '"order_by":"observation_date","sort_order":"asc","count":10,"offset":0,"limit":100000,"observations":[' +
      '{"realtime_start":"2026-03-19","realtime_end":"2026-03-19","date":"2026-03-02","value":"3',
  );
  for (const { value } of (JSON.parse(body) as Observations).observations) {
    expect(value).toMatch(/^\d+(\.\d?[1-9])?$/);
  }
});

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

test("every weekday since 1999-01-04 has a row, and holidays have a dot", async () => {
  const { observations: rows } = await observations("series_id=DEXUSEU");
  expect(rows[0]?.date).toBe("1999-01-04");
  expect(rows).toHaveLength(7095);
  const wrong = rows.filter(({ date, value }) => (value === ".") === isUsFederalDay(parseDay(date) as Day));
  expect(wrong).toEqual([]);
});

test("refusals are HTTP 400 with error_code and error_message", async () => {
  const path = "https://api.stlouisfed.org/fred/series/observations";
  const refusals = {
    "series_id=DEXUSEU&file_type=json&api_key=SHORT": "is not a 32 character alpha-numeric lower-case string",
    [`series_id=DEXNONE&file_type=json&api_key=${KEY}`]: "The series does not exist.",
  };
  for (const [query, sentence] of Object.entries(refusals)) {
    const answer = await get(`${path}?${query}`);
    const body = (await answer.json()) as { error_code: number; error_message: string };
    expect(answer.status).toBe(400);
    expect(Object.keys(body)).toEqual(["error_code", "error_message"]);
    expect(body.error_message).toStartWith("Bad Request.  ");
    expect(body.error_message).toContain(sentence);
  }
});

test("the chart download puts series side by side; a holiday is an empty cell; figures are those of the interface", async () => {
  const csv = linesOf(await text(`${GRAPH}?id=DEXTAUS,DEXUSEU&cosd=2026-01-15&coed=2026-01-22`));
  expect(csv[0]).toBe("observation_date,DEXTAUS,DEXUSEU");
  expect(csv).toHaveLength(7);
  // Martin Luther King Day.
  expect(csv[3]).toBe("2026-01-19,,");
  const { observations: rows } = await observations(
    "series_id=DEXTAUS&observation_start=2026-01-15&observation_end=2026-01-22",
  );
  expect(csv.slice(1).map((line) => line.split(",")[1])).toEqual(
    rows.map(({ value }) => (value === "." ? "" : value)),
  );
  expect((await get(`${GRAPH}?id=DEXTAUS,DEXNONE`)).status).toBe(404);
});

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
