/** The requests to a damaged server: every part of the data, over all years, by every route to it. */

import { formatDay, parseDay } from "#domain/time/day.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { QUOTED } from "./damage-lake.ts";

export interface SentRequest {
  readonly path: string;
  readonly body?: string;
}

/** The first ones; cursors and files are known from an intact server's answers to them. */
export function plainRequests(): readonly SentRequest[] {
  const random = seededRandom(7);
  const [first, last] = [parseDay("2023-01-02") as number, parseDay("2026-01-06") as number];
  const days = Array.from({ length: 75 }, () =>
    formatDay(first + Math.floor(random() * (last - first))),
  ).sort();
  const window = (from: string, to: string) => `start_date=${from}&end_date=${to}`;
  const years = ["2023", "2024", "2025"].map((year) => window(`${year}-01-01`, `${year}-12-31`));
  const all = window("2023-01-01", "2026-01-06");
  const [before, after] = ["2026-01-05T15:04:30Z", "2026-01-05T15:18:30Z"];
  const paths = [
    ...["EUR", "USD", "JPY", "INR"].map((base) => `/v1/latest?base=${base}`),
    ...days.map((day, nth) => `/v1/${day}?base=${["EUR", "USD", "GBP"][nth % 3]}`),
    ...days.slice(0, 12).map((day) => `/v1/convert/EUR/INR/12.5?date=${day}`),
    "/v1/convert/GBP/JPY/100",
    "/v1/rate/eur-usd",
    "/v1/rate/cad-inr",
    ...days.slice(0, 10).map((day) => `/v1/${day}?base=EUR&as_of=${before}&as_of_basis=retrieved`),
    ...years.flatMap((year) => [
      `/v1/range?base=EUR&symbols=USD,JPY&${year}&limit=30`,
      `/v1/range?base=USD&symbols=*&${year}&limit=20&fill=previous&order=desc`,
      `/v1/range?base=EUR&symbols=*&${year}&interval=1mo`,
      `/v1/range?base=EUR&symbols=USD,NOK&${year}&limit=40&as_of=${after}&as_of_basis=retrieved`,
      `/v1/range?base=EUR&symbols=*&${year}&updated_after=${before}`,
      `/v1/range?base=CAD&symbols=INR,THB&${year}&format=csv`,
      `/v1/range?base=EUR&symbols=*&${year}&format=ndjson&updated_after=${before}`,
    ]),
    `/v1/range?base=EUR&symbols=*&${all}&format=csv`,
    `/v1/range?base=USD&symbols=*&${all}&format=parquet&layout=wide`,
    `/v1/range?base=EUR&symbols=USD&${all}&format=arrow&as_of=${after}`,
    `/v1/range?base=EUR&symbols=USD&${all}&interval=1w&aggregate=mean&format=csv`,
    ...QUOTED.flatMap((day) => [
      ...["1m", "15m", "1h", "1d"].map(
        (width) => `/v1/range?base=USD&symbols=EUR,JPY&${window(day, day)}&interval=${width}`,
      ),
      `/v1/range?base=GBP&symbols=JPY&${window(day, day)}&interval=1h`,
      `/v1/range?base=EUR&symbols=USD&${window(day, day)}&interval=1h&format=csv`,
      `/v1/range?base=USD&symbols=*&${window(day, day)}&interval=tick&format=csv`,
    ]),
    `/v1/range?base=USD&symbols=EUR&${window(QUOTED[0], QUOTED[2])}&interval=1d`,
    "/v1/currencies",
    "/v1/lake/manifest.json",
    "/v1/lake/intraday/manifest.json",
    "/v1/lake/official/manifest.json",
    "/v1/official",
    "/v1/official/changes",
    "/v1/official/mex/dof/publications",
    "/v1/official/mex/dof/publications/latest",
    "/v1/official/mex/dof/publications/2026-01-01",
    "/v1/official/mex/dof/publications/2026-01-01?version=1",
    "/v1/official/pol/a/publications/2025-12-30",
  ];
  const batch = JSON.stringify({
    from: "EUR",
    pairs: ["USD", "JPY", "INR", "THB"].map((code) => [code, 10]),
  });
  return [...paths.map((path) => ({ path })), { path: "/v1/convert", body: batch }];
}

/** Second pages, and the files that the manifests name: by their own names and by those below current/. */
export function furtherRequests(answers: ReadonlyMap<string, string>): readonly SentRequest[] {
  const found: SentRequest[] = [];
  for (const [path, body] of answers) {
    const cursor = /"next_cursor":\s*"([^"]+)"/.exec(body)?.[1];
    if (cursor !== undefined) found.push({ path: `${path}&cursor=${encodeURIComponent(cursor)}` });
    if (!path.endsWith("manifest.json")) continue;
    for (const file of JSON.parse(body).files as { path: string; current: string }[]) {
      // That of today is rebuilt from the journal by every start.
      if (file.path.includes(`date=${QUOTED[2]}`)) continue;
      found.push({ path: `/v1/lake/${file.path}` }, { path: `/v1/lake/${file.current}` });
    }
  }
  return found;
}
