/** as_of on the answers of a day and of a range: what was known then, through the whole application. */

import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { dayAt, formatDay, formatInstant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOfLives, dollar, type RevisionRow, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const NOW = "2026-04-15T12:00:00Z";

/** Friday's figure was corrected on Monday at 10:00; the history before it was filled in on Friday. */
const ROWS = [
  dollar("2026-04-08", "1.1600", 1, "2026-04-10T15:00:00Z"),
  dollar("2026-04-09", "1.1655", 1, "2026-04-10T15:00:00Z"),
  dollar("2026-04-10", "1.1617", 1, "2026-04-10T14:20:00Z", { at: "2026-04-13T10:00:00Z", why: "revised" }),
  dollar("2026-04-10", "1.1671", 2, "2026-04-13T10:00:00Z"),
  dollar("2026-04-13", "1.1684", 1, "2026-04-13T14:20:00Z"),
];

function appOf(rows: readonly RevisionRow[], now: string) {
  const dataset = datasetOfLives("7-abc", rows);
  return openTestApp({ now: Date.parse(now), world: dataset });
}

const app = appOf(ROWS, NOW);

describe("a day as of an instant", () => {
  test.each([
    ["2026-04-10T13:59:59Z", 1.1655, true],
    ["2026-04-10T14:00:00Z", 1.1617, false],
    ["2026-04-13T09:59:59.999Z", 1.1617, false],
    ["2026-04-13T10:00:00Z", 1.1671, false],
    ["2026-04-15T12:00:00Z", 1.1671, false],
  ])("at %s Friday's rate was %d", async (asOf, rate, filled) => {
    const body = await app.get(`/v1/2026-04-10/EUR?symbols=USD&as_of=${asOf}`);
    expect(body).toMatchObject({
      date: "2026-04-10",
      rates: { USD: rate },
      is_forward_filled: filled,
      as_of: asOf,
      as_of_basis: "published",
    });
  });
  test("on the basis of retrieval nothing is served that this server did not hold", async () => {
    const path = "/v1/2026-04-10/EUR?symbols=USD&as_of_basis=retrieved&as_of=";
    await app.refused(`${path}2026-04-10T14:19:59Z`, "no_data_for_date");
    expect(await app.get(`${path}2026-04-10T14:20:00Z`)).toMatchObject({
      rates: { USD: 1.1617 },
      as_of_basis: "retrieved",
      as_of_reconstructed: false,
    });
  });
  test("states when it was rebuilt from what was retrieved only later", async () => {
    const reconstructed = async (asOf: string) =>
      (await app.get(`/v1/2026-04-09/EUR?symbols=USD&as_of=${asOf}`)).as_of_reconstructed;
    expect(await reconstructed("2026-04-10T14:59:59Z")).toBe(true);
    expect(await reconstructed("2026-04-10T15:00:00Z")).toBe(false);
  });
  test("has no member about it without as_of", async () => {
    const body = await app.get("/v1/2026-04-10/EUR?symbols=USD");
    expect(Object.keys(body).filter((name) => name.startsWith("as_of"))).toEqual([]);
  });
  test("knows nothing of days after it, and nothing before anything was known, and says since when", async () => {
    await app.refused("/v1/2026-04-11?as_of=2026-04-10T23:59:59Z", "no_data_for_date");
    expect(await app.reason("/v1/2026-04-09?as_of=1998-01-01T00:00:00Z", "no_data_for_date")).toContain(
      "2026-04-09 is after 1998-01-01, the day of as_of; nothing was known before 2026-04-08T14:00:00Z",
    );
    const before = await app.refused("/v1/2026-04-08?as_of=2026-04-08T13:59:59Z", "no_data_for_date");
    expect((await before.json()).message).toContain(
      "as far as was known at 2026-04-08T13:59:59Z; nothing was known before 2026-04-08T14:00:00Z",
    );
  });
});

describe("a range as of an instant", () => {
  const window = "/v1/range?base=EUR&symbols=USD&start_date=2026-04-01&end_date=2026-04-30";
  test("says so, and that it was rebuilt only where a row of the page was", async () => {
    expect(await app.get(`${window}&as_of=2026-04-10T14:30:00Z`)).toMatchObject({
      as_of: "2026-04-10T14:30:00Z",
      as_of_basis: "published",
      as_of_reconstructed: true,
    });
    const friday = "/v1/range?base=EUR&symbols=USD&start_date=2026-04-10&end_date=2026-04-10";
    expect((await app.get(`${friday}&as_of=2026-04-10T14:30:00Z`)).as_of_reconstructed).toBe(false);
    const weekly = "&interval=1w&aggregate=mean&as_of=2026-04-10T14:30:00Z";
    expect((await app.get(`${window}${weekly}`)).as_of_reconstructed).toBe(true);
  });
  test("continues unchanged when a correction is collected between two pages", async () => {
    const collected = "2026-04-15T11:00:00Z";
    const before = datasetOfLives("1-a", ROWS);
    const after = datasetOfLives("2-b", [
      ...ROWS.filter((row) => row.date !== day("2026-04-09")),
      dollar("2026-04-09", "1.1655", 1, "2026-04-10T15:00:00Z", { at: collected, why: "revised" }),
      { ...dollar("2026-04-09", "1.1556", 2, collected), publishedAt: Date.parse("2026-04-10T08:00:00Z") },
    ]);
    const world = openTestApp({ now: Date.parse(NOW), world: before });
    const path = `${window}&limit=1&as_of=2026-04-13T09:00:00Z`;
    const { next_cursor: cursor } = await world.get(path);
    world.show(after);
    expect((await world.get(`${path}&cursor=${cursor}`)).data[0].rates).toEqual({ USD: 1.1655 });
    // In a new request, what the authority had published by then is known now.
    expect((await world.get(`${window}&as_of=2026-04-13T09:00:00Z`)).data[1].rates).toEqual({ USD: 1.1556 });
    expect(
      (await world.get(`${window}&as_of=2026-04-13T09:00:00Z&as_of_basis=retrieved`)).data[1].rates,
    ).toEqual({ USD: 1.1655 });
  });
});

const DAY = "/v1/2026-04-10?";
const RANGE = "/v1/range?symbols=USD&base=EUR&start_date=2026-04-01&end_date=2026-04-30&";

test.each<[string, RegExp]>([
  ["as_of=2026-04-10", /2026-04-10T00:00:00Z where that day begins/],
  ["as_of=2026-04-10T12:00:00", /UTC instant/],
  ["as_of=2026-04-10T12:00:00%2B25:00", /UTC instant/],
  ["as_of=1776000000", /UTC instant/],
  ["as_of=2026-04-15T12:00:00.001Z", /after now/],
  ["as_of=2026-04-10T12:00:00Z&as_of_basis=guessed", /published, retrieved/],
  ["as_of_basis=retrieved", /as_of_basis needs as_of/],
  ["as_of=2026-04-10T12:00:00Z&as_of=2026-04-11T12:00:00Z", /UTC instant/],
])("400 with a reason: %s", async (parameters, reason) => {
  const code: ErrorCode = "invalid_request";
  for (const path of [DAY, RANGE]) {
    expect(await app.reason(path + parameters, code)).toMatch(reason);
  }
});

describe("over random lives of figures", () => {
  test.each([21])("now is the plain answer, on either basis (%d)", async (seed) => {
    const firstDay = day("2026-02-01");
    const rows = randomRevisions({ random: seededRandom(seed), firstDay, days: 30, latestRetrievalDays: 10 });
    const newest = Math.max(...rows.map((row) => Math.max(row.retrievedAt, row.supersededAt ?? 0)));
    const now = formatInstant(newest + 5000)
      .slice(0, 19)
      .concat("Z");
    const world = appOf(rows, now);
    const today = dayAt(newest);
    const paths = [
      `/v1/range?symbols=*&base=EUR&start_date=2026-01-01&end_date=${formatDay(today)}`,
      `/v1/range?symbols=*&fill=previous&start_date=2026-01-01&end_date=${formatDay(today)}&order=desc&limit=20`,
      `/v1/range?symbols=*&interval=1w&aggregate=mean&start_date=2026-01-01&end_date=${formatDay(today)}`,
      ...Array.from(
        { length: 20 },
        (_, index) => `/v1/${formatDay(firstDay + index)}?symbols=EUR,GBP,JPY,TWD`,
      ),
    ];
    for (const path of paths) {
      const plain = await world.ask(path);
      if (plain.status !== 200) {
        await world.refused(`${path}&as_of=${now}`, "no_data_for_date");
        continue;
      }
      for (const basis of ["published", "retrieved"]) {
        const then = await world.ask(
          `${path}${path.includes("?") ? "&" : "?"}as_of=${now}&as_of_basis=${basis}`,
        );
        const { as_of, as_of_basis, as_of_reconstructed, next_cursor: _, ...rest } = await then.json();
        const { next_cursor: __, ...expected } = await plain.clone().json();
        expect(rest).toEqual(expected);
        if (then.status === 200)
          expect([as_of, as_of_basis, as_of_reconstructed]).toEqual([now, basis, false]);
      }
    }
  });
  test("a day and a range agree, whatever the instant", async () => {
    const random = seededRandom(31);
    const firstDay = day("2026-02-01");
    const rows = randomRevisions({ random, firstDay, days: 30, latestRetrievalDays: 10 });
    const world = appOf(rows, "2026-04-15T12:00:00Z");
    let compared = 0;
    for (let round = 0; round < 30; round++) {
      const date = formatDay(firstDay + Math.floor(random() * 30));
      const asOf = formatInstant(Math.floor((firstDay + random() * 40) * MILLISECONDS_PER_DAY));
      const about = `symbols=EUR,GBP,JPY,TWD&as_of=${asOf}&as_of_basis=${random() < 0.5 ? "published" : "retrieved"}`;
      const one = await world.ask(`/v1/${date}?${about}`);
      // A window of years takes the other way through the past than a single day does.
      const many = await world.ask(
        `/v1/range?fill=previous&limit=1&order=desc&start_date=1999-01-04&end_date=${date}&${about}`,
      );
      const [day, range] = [await one.json(), await many.json()] as {
        rates: object;
        data: { date: string; rates: object }[];
      }[];
      const last = range?.data?.[0];
      if (one.status === 404) expect(last?.date).not.toBe(date);
      else {
        expect(last).toMatchObject({ date, rates: day?.rates });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});
