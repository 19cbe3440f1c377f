/** updated_after: a client that updates a copy with it ends with the result of a full read. */

import { describe, expect, test } from "bun:test";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOfLives, dollar, type RevisionRow, randomRevisions } from "#test/domain/acceptance/lives.ts";
import { day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { walkPages } from "./range-pages.ts";

interface Row {
  readonly date: string;
  readonly source: string | null;
  readonly rates: Readonly<Record<string, number>>;
  readonly updated_at: Readonly<Record<string, string>>;
  readonly revisions: Readonly<Record<string, number>>;
  readonly withdrawn: readonly string[];
}

const TOKEN = /^v1-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{8}$/;

function visibleAt(rows: readonly RevisionRow[], instant: Instant): RevisionRow[] {
  return rows
    .filter((row) => row.retrievedAt <= instant)
    .map((row) =>
      row.supersededAt !== null && row.supersededAt > instant
        ? { ...row, supersededAt: null, why: null }
        : row,
    );
}

describe("one correction and one withdrawal", () => {
  const ended = "2026-04-13T10:00:00Z";
  const revised = [
    dollar("2026-04-10", "1.1617", 1, "2026-04-10T14:20:00Z", { at: ended, why: "revised" }),
    dollar("2026-04-10", "1.1671", 2, ended),
    dollar("2026-04-09", "1.1655", 1, "2026-04-09T14:20:00Z", { at: ended, why: "withdrawn" }),
    dollar("2026-04-08", "1.1640", 1, "2026-04-08T14:20:00Z"),
  ];
  const app = openTestApp({ world: datasetOfLives("1-a", revised) });
  const path = "/v1/range?base=EUR&symbols=USD&start_date=2026-04-01&end_date=2026-04-30";
  const between = dollar("2026-04-10", "1.1617", 1, "2026-04-12T10:00:00Z", {
    at: ended,
    why: "withdrawn",
  });
  test("lists both, with revision and time, and nothing else", async () => {
    const body = await app.get(`${path}&updated_after=2026-04-11T00:00:00Z`);
    expect(body.data).toEqual([
      {
        date: "2026-04-09",
        source: null,
        is_forward_filled: false,
        rates: {},
        updated_at: {},
        revisions: {},
        withdrawn: ["USD"],
      },
      {
        date: "2026-04-10",
        source: "ecb_daily",
        is_forward_filled: false,
        rates: { USD: 1.1671 },
        updated_at: { USD: "2026-04-13T10:00:00Z" },
        revisions: { USD: 2 },
        withdrawn: [],
      },
    ]);
    expect(body).toMatchObject({
      updated_after: "2026-04-11T00:00:00Z",
      sync_from: expect.stringMatching(TOKEN),
      has_more: false,
    });
  });
  test("an answer without news is empty, not an error, and never sends the client back", async () => {
    const body = await app.get(`${path}&updated_after=2026-04-13T12:00:00Z`);
    expect(body).toMatchObject({
      data: [],
      source: null,
      sources: {},
      data_updated_at: null,
      updated_after: "2026-04-13T12:00:00Z",
      sync_from: expect.stringMatching(TOKEN),
      next_cursor: null,
    });
    // A symbol without a change is not missing.
    expect(body).not.toHaveProperty("missing_symbols");
  });
  test("a token is passed back as it is; nothing is new until something is committed", async () => {
    const { sync_from: token } = await app.get(`${path}&updated_after=1970-01-01T00:00:00Z`);
    const again = await app.get(`${path}&updated_after=${token}`);
    expect(again).toMatchObject({ data: [], updated_after: token, sync_from: token });
    const file = await app.ask(`${path}&format=csv&updated_after=${token}`);
    expect(file.headers.get("X-Sync-From")).toBe(token);
    expect((await file.text()).trim().split("\n")).toHaveLength(1);
  });
  test("a filled value is sent again after a figure of its day came and was withdrawn", async () => {
    const known = dollar("2026-04-09", "1.1655", 1, "2026-04-09T14:20:00Z");
    const lives = [known, { ...known, quote: "JPY" as const, printed: "184.5" }, between];
    const other = openTestApp({ world: datasetOfLives("1-b", lives) });
    const after = "fill=previous&updated_after=2026-04-11T00:00:00Z";
    const { data } = await other.get(`${path}&${after}`);
    const ofYen = await other.get(`${path.replace("EUR", "JPY")}&${after}`);
    expect(ofYen.derived_symbols).toEqual(["USD"]);
    // A copy may have the withdrawn figure: the value of the day before replaces it.
    const filled = { date: "2026-04-10", is_forward_filled: true, rates: { USD: 1.1655 } };
    expect(data).toContainEqual(expect.objectContaining(filled));
    expect(data).not.toContainEqual(expect.objectContaining({ date: "2026-04-09" }));
  });
  test("a value that rested on a figure of the euro's dollar, which came and was withdrawn, is withdrawn too", async () => {
    const known = { ...dollar("2026-04-10", "2", 1, "2026-04-10T14:20:00Z"), date: between.date };
    const yen: RevisionRow = { ...known, quote: "JPY", printed: "184.5" };
    const taiwan: RevisionRow = {
      ...known,
      source: "fred_daily",
      base: "USD",
      quote: "TWD",
      printed: "31.5",
    };
    const other = openTestApp({ world: datasetOfLives("1-c", [between, yen, taiwan]) });
    const cross = path.replace("base=EUR&symbols=USD", "base=JPY&symbols=TWD");
    const { data } = await other.get(`${cross}&updated_after=2026-04-11T00:00:00Z`);
    expect(data).toEqual([expect.objectContaining({ date: "2026-04-10", withdrawn: ["TWD"] })]);
  });
  test("a made-up token is refused, and so is one of which a character was changed", async () => {
    const { sync_from: token } = await app.get(`${path}&updated_after=1970-01-01T00:00:00Z`);
    const altered = [...token].map((one, at) =>
      one === "-" ? "" : token.slice(0, at) + (one === "0" ? "1" : "0") + token.slice(at + 1),
    );
    for (const made of [
      "v1-abc-def-01234567",
      "v1",
      "v2-1-1-00000000",
      token.toUpperCase(),
      ...altered.filter(Boolean),
    ])
      await app.refused(`${path}&updated_after=${made}`, "invalid_request");
    await app.refused(`${path}&as_of=2026-04-10T00:00:00Z&updated_after=${token}`, "invalid_request");
  });
  test("the first read has every value in force", async () => {
    const body = await app.get(`${path}&updated_after=1970-01-01T00:00:00Z`);
    const rates = body.data.map((row: Row) => [row.date, row.rates["USD"], row.withdrawn]);
    // What was withdrawn before the first read may be named; deleting what one does not hold is harmless.
    expect(rates).toEqual([
      ["2026-04-08", 1.164, []],
      ["2026-04-09", undefined, ["USD"]],
      ["2026-04-10", 1.1671, []],
    ]);
  });
  test("pages by a cursor of this very question, forwards and backwards", async () => {
    const query = `${path}&updated_after=2026-04-11T00:00:00Z&limit=1`;
    const first = await app.get(query);
    expect(first.has_more).toBe(true);
    const second = await app.get(`${query}&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map((row: Row) => row.date)).toEqual(["2026-04-09", "2026-04-10"]);
    expect(second.sync_from).toBe(first.sync_from);
    const back = await app.get(`${query}&order=desc`);
    const rest = await app.get(`${query}&order=desc&cursor=${back.next_cursor}`);
    expect([...back.data, ...rest.data].map((row: Row) => row.date)).toEqual(["2026-04-10", "2026-04-09"]);
    for (const other of [path, `${path}&updated_after=2026-04-11T00:00:01Z`]) {
      await app.refused(`${other}&limit=1&cursor=${first.next_cursor}`, "invalid_request");
    }
  });
});

describe.each(["none", "previous"])("with fill=%s", (fill) => {
  test.each([41])("copies updated by increments equal a full read (%d)", async (seed) => {
    const random = seededRandom(seed);
    const firstDay = day("2026-03-01");
    const lives = randomRevisions({ random, firstDay, days: 20, latestRetrievalDays: 4 });
    const instants = lives.flatMap((row) => [row.retrievedAt, row.supersededAt ?? row.retrievedAt]);
    let now = (firstDay + 6) * MILLISECONDS_PER_DAY;
    const app = openTestApp({ world: datasetOfLives("0", visibleAt(lives, now)), now });
    const proceed = () => {
      now += random() * 2 * MILLISECONDS_PER_DAY;
      // Now and then to the very millisecond of a change, or to the one before it.
      const change = Math.min(...instants.filter((instant) => instant > now));
      if (random() < 0.3 && Number.isFinite(change)) now = change - Math.floor(random() * 2);
      app.at(now);
      app.show(datasetOfLives(String(now), visibleAt(lives, now)));
    };
    const copies = ["USD", "EUR", "TWD"].map((base) => ({
      path: `/v1/range?base=${base}&symbols=*&fill=${fill}&start_date=2026-02-20&end_date=2026-12-31`,
      values: new Map<string, number>(),
      since: "1970-01-01T00:00:00Z",
    }));
    for (; now < (firstDay + 30) * MILLISECONDS_PER_DAY; proceed()) {
      for (const copy of copies.filter(() => random() < 0.6)) {
        let isOfOneState = true;
        const query = `${copy.path}&updated_after=${copy.since}&limit=7&order=${random() < 0.5 ? "asc" : "desc"}`;
        for (let cursor: string | null = ""; cursor !== null; ) {
          const page: { data: Row[]; next_cursor: string | null; sync_from: string } = await app.get(
            cursor === "" ? query : `${query}&cursor=${cursor}`,
          );
          for (const row of page.data) {
            for (const [code, rate] of Object.entries(row.rates))
              copy.values.set(`${row.date} ${code}`, rate);
            for (const code of row.withdrawn) copy.values.delete(`${row.date} ${code}`);
            expect(Object.keys(row.updated_at)).toEqual(Object.keys(row.rates));
            expect(Object.keys(row.revisions)).toEqual(Object.keys(row.rates));
          }
          cursor = page.next_cursor;
          if (cursor === null) copy.since = page.sync_from;
          else if (random() < 0.05) {
            // A commit between two pages: the next update brings it.
            isOfOneState = false;
            proceed();
          }
        }
        if (!isOfOneState) continue;
        const values = (await walkPages(app.visit, copy.path)).flatMap(({ date, rates }) =>
          Object.entries(rates).map(([code, rate]) => [`${date} ${code}`, Number(rate)]),
        );
        expect([...copy.values].sort()).toEqual(values.sort() as never);
      }
    }
  });
});
