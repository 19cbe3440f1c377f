/** Means and changes as of an instant: from random lives of figures, what the pages and days as of that instant give. */

import { expect, test } from "bun:test";
import { formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { walkPages } from "#test/api/range/range-pages.ts";
import { datasetOfLives, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { day } from "#test/domain/history/columns.ts";
import { meanText } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const firstDay = day("2026-03-01");
const rows = randomRevisions({ random: seededRandom(8), firstDay, days: 25, latestRetrievalDays: 4 });
const lives = datasetOfLives("lives", rows);
const app = openTestApp({ world: lives, now: (firstDay + 40) * MILLISECONDS_PER_DAY });

const { visit } = app;

/** Every combination; at some instants little is collected. */
const QUESTIONS = [11, 17, 24, 30].flatMap((days) =>
  ["published", "retrieved"].map((basis) => ({
    instant: `${formatDay(firstDay + days)}T13:05:23Z`,
    basis,
    window: `start_date=${formatDay(firstDay + 4)}&end_date=${formatDay(firstDay + Math.min(days, 24))}`,
  })),
);
const CODES = ["EUR", "GBP", "JPY", "TWD"];

test.each(QUESTIONS)("means and changes as of $instant by $basis", async ({ instant, basis, window }) => {
  const limit = `as_of=${instant}&as_of_basis=${basis}`;
  const query = `base=USD&symbols=${CODES.join(",")}&${window}&${limit}`;
  for (const [method, fill] of [
    ["published", "none"],
    ["calendar", "previous"],
  ] as const) {
    const rows = await walkPages(visit, `/v1/range?${query}&fill=${fill}`);
    const means = await app.get(`/v1/average?${query}&method=${method}`);
    expect([means.as_of, means.as_of_basis]).toEqual([instant, basis]);
    const expected = CODES.flatMap((code) => {
      const texts = rows.flatMap(({ rates }) => rates[code] ?? []);
      return texts.length === 0 ? [] : [[code, texts.length, Number(meanText(texts))]];
    });
    expect(
      CODES.filter((code) => means.rates[code]).map((code) => [
        ...[code, means.rates[code].days, means.rates[code].average],
      ]),
    ).toEqual(expected);
    const { as_of_reconstructed } = await app.get(`/v1/range?${query}&fill=${fill}`);
    expect(means.as_of_reconstructed).toBe(as_of_reconstructed);
  }
  const changes = await app.get(`/v1/fluctuation?${query}`);
  const [, start, end] = /start_date=([\d-]+)&end_date=([\d-]+)/.exec(window) ?? [];
  const on = async (date: string | undefined) =>
    (await app.get(`/v1/${date}?base=USD&symbols=${CODES.join(",")}&${limit}`)).rates;
  const [first, last] = [await on(start), await on(end)];
  for (const [code, { start_rate, end_rate }] of Object.entries<Record<string, number>>(changes.rates))
    expect([code, start_rate, end_rate]).toEqual([code, first[code], last[code]]);
  expect(Object.keys(changes.rates)).toEqual(CODES.filter((code) => first[code] && last[code]));
  expect(changes.as_of).toBe(instant);
  const csv = await app.ask(`/v1/fluctuation?${query}&format=csv`);
  expect(csv.headers.get("X-As-Of")).toBe(`${instant}; basis=${basis}`);
});

test.each(["average", "fluctuation"])(
  "/v1/%s knows no day after as_of, and no as_of after now",
  async (path) => {
    const query = `/v1/${path}?base=USD&symbols=EUR&start_date=2026-03-10&end_date=2026-03-20`;
    expect(await app.reason(`${query}&as_of=2026-03-15T12:00:00Z`, "no_data_for_date")).toContain(
      "the day of as_of",
    );
    await app.refused(`${query}&as_of=2027-01-01T00:00:00Z`, "invalid_request");
    await app.refused(`${query}&as_of_basis=retrieved`, "invalid_request");
  },
);

test("a named period ends on the day of as_of", async () => {
  const means = await app.get("/v1/average?base=USD&symbols=EUR&period=2026-03&as_of=2026-03-15T18:00:00Z");
  expect([means.end_date, means.is_complete]).toEqual(["2026-03-15", false]);
});

test("a past value that a repair has lost refuses each day it may show on, until it was replaced", async () => {
  const second = rows.find(
    ({ revision, date, retrievedAt }) => revision === 2 && retrievedAt > (date + 3) * MILLISECONDS_PER_DAY,
  ) as (typeof rows)[number];
  const isLost = ({ source, quote, date, revision }: typeof second) =>
    source === second.source && quote === second.quote && date === second.date && revision === 1;
  const world = datasetOfLives(
    "lost",
    rows.filter((row) => !isLost(row)),
  );
  const repaired = openTestApp({ world, now: (firstDay + 40) * MILLISECONDS_PER_DAY });
  const asOf = (days: number, at: number) =>
    `/v1/${formatDay(second.date + days)}?as_of_basis=retrieved&as_of=${new Date(at).toISOString()}`;
  for (const days of [0, 2])
    expect(await repaired.reason(asOf(days, second.retrievedAt - 1_000), "data_unavailable")).toContain(
      "lost with a damaged file",
    );
  for (const [days, at] of [
    [-1, second.retrievedAt - 1_000],
    [0, second.retrievedAt],
  ] as const)
    expect((await repaired.ask(asOf(days, at))).status).not.toBe(503);
});
