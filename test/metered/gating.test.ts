/** How far back each plan sees, to the day, on every route to past rates; and the body that names the remedy. */

import { describe, expect, test } from "bun:test";
import { join as pathOf } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { quote } from "#test/store/archive/sample.ts";
import { bearer, from, join, json, limitsIn } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica } from "./replica.ts";

/** On 14 April 2026: the 30 days that end with it, and the year since the same date. */
const FIRST_DAYS = {
  anonymous: "2026-03-16",
  free: "2026-03-16",
  basic: "2025-04-14",
  plus: "1999-01-04",
  pro: "1999-01-04",
} as const;
type Who = keyof typeof FIRST_DAYS;
/** The plan whose every way is walked; the others see each day by the same ways, from another first one on. */
const who = "basic";
const first = FIRST_DAYS[who];
const HISTORY_DAYS = { anonymous: 30, free: 30, basic: 366 } as const;
const UPGRADES = {
  anonymous: ["basic", "plus", "pro"],
  free: ["basic", "plus", "pro"],
  basic: ["plus", "pro"],
} as const;

const clock = fixedClock();
const dataDir = await dataDirectory("history");
await addQuotes(pathOf(dataDir, "lake"));
const replica = await openReplica({ dataDir, clock });
const keyOf = async (tier: Exclude<Who, "anonymous">) => {
  const member = await join(replica.url);
  await replica.setTier(member.organizationId, tier);
  return bearer(member.key);
};
const headers: Record<Who, Record<string, string>> = {
  anonymous: from("203.0.113.5"),
  free: await keyOf("free"),
  basic: await keyOf("basic"),
  plus: await keyOf("plus"),
  pro: await keyOf("pro"),
};

/** On the first allowed day of each plan, and on the one before. */
async function addQuotes(directory: string): Promise<void> {
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  for (const first of [FIRST_DAYS.free, FIRST_DAYS.basic])
    for (const day of [first, dayBefore(first)])
      await archive.append([quote("USD/EUR", "0.87", Date.parse(`${day}T12:00:00Z`))]);
  await archive.flush();
  await archive.close();
}

async function ask(who: Who, path: string): Promise<Response> {
  const init = { headers: headers[who] };
  let answer = await fetch(`${replica.url}${path}`, init);
  for (let nth = 0; answer.status === 429 && nth < 2; nth++) {
    // For the hourly window of callers without a key a pause of an hour may be needed.
    clock.at += 1000 * Number(answer.headers.get("Retry-After"));
    if (new Date(clock.at).getUTCDate() !== 14) clock.at -= 12 * 3_600_000;
    answer = await fetch(`${replica.url}${path}`, init);
  }
  return answer;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

const window = (day: string, more = "") =>
  `/v1/range?symbols=USD,GBP&start_date=${day}&end_date=2026-04-14${more}`;
/** Ways to see a day, and the width that they name. */
const WAYS: readonly (readonly [name: string, path: (day: string) => string, interval: string])[] = [
  ["historical", (day) => `/v1/${day}`, "1d"],
  ["historical as csv", (day) => `/v1/${day}?format=csv`, "1d"],
  ["historical on a base", (day) => `/v1/${day}/EUR?symbols=USD`, "1d"],
  ["convert with date", (day) => `/v1/convert/EUR/USD?date=${day}`, "1d"],
  ["range", (day) => window(day), "1d"],
  ["change", (day) => window(day).replace("range", "fluctuation"), "1d"],
  ["mean", (day) => window(day).replace("range", "average"), "1d"],
  ["range, filled", (day) => window(day, "&fill=previous&order=desc"), "1d"],
  ["range of weeks", (day) => window(day, "&interval=1w"), "1w"],
  ["range of months", (day) => window(day, "&interval=1mo&aggregate=mean"), "1mo"],
  ["range as csv", (day) => window(day, "&format=csv"), "1d"],
  ["range as parquet", (day) => window(day, "&format=parquet"), "1d"],
  ["range as ndjson", (day) => window(day, "&format=ndjson"), "1d"],
  ["range as arrow, wide", (day) => window(day, "&format=arrow&layout=wide"), "1d"],
  ["range estimate", (day) => window(day, "&estimate=1"), "1d"],
  ["changes since", (day) => window(day, "&updated_after=2026-04-01T00:00:00Z"), "1d"],
  ["bars", (day) => window(day, "&interval=1h"), "1h"],
  ["bars as csv", (day) => window(day, "&interval=1h&format=csv"), "1h"],
  ["quotes", (day) => window(day, "&interval=tick&format=parquet"), "tick"],
  ["historical as of today", (day) => `/v1/${day}?as_of=2026-04-14T10:00:00Z`, "1d"],
  ["range as of today", (day) => window(day, "&as_of=2026-04-14T10:00:00Z"), "1d"],
];
const FOREIGN_WAYS: readonly (readonly [name: string, path: (day: string) => string])[] = [
  ["frankfurter v1 day", (day) => `/compat/frankfurter/v1/${day}`],
  ["frankfurter v1 period", (day) => `/compat/frankfurter/v1/${day}..2026-04-10?symbols=USD`],
  ["frankfurter v1 open period", (day) => `/compat/frankfurter/v1/${day}..?symbols=USD`],
  ["frankfurter v2 date", (day) => `/compat/frankfurter/v2/rates?date=${day}`],
  ["frankfurter v2 period", (day) => `/compat/frankfurter/v2/rates?from=${day}&quotes=USD`],
  ["frankfurter v2 csv", (day) => `/compat/frankfurter/v2/rates.csv?from=${day}&to=2026-04-10&quotes=USD`],
  ["oxr historical", (day) => `/compat/oxr/historical/${day}.json`],
  ["oxr historical below api", (day) => `/compat/oxr/api/historical/${day}.json`],
  ["oxr series", (day) => `/compat/oxr/time-series.json?start=${day}&end=${day}&symbols=EUR`],
  ["oxr bars", (day) => `/compat/oxr/ohlc.json?start_time=${day}T12:00:00Z&period=30m&symbols=EUR`],
  ["escaped path", (day) => `/compat/frankfurter/v1/${escaped(day)}`],
  ["escaped query", (day) => `/compat/frankfurter/v2/rates?date=${escaped(day)}`],
];

/** Days that no plan has, because there is no data. */
const DAYS_BEFORE = [
  "/v1/1998-12-31",
  "/v1/0001-01-01/EUR",
  "/v1/1998-12-31?as_of=2026-04-14T10:00:00Z",
  "/v1/convert/EUR/USD?date=1999-01-03",
  "/v1/range?symbols=USD&start_date=1990-01-01&end_date=1999-01-03",
  "/v1/range?symbols=USD&start_date=1990-01-01&end_date=1999-01-03&format=csv",
  "/v1/range?symbols=USD&start_date=1990-01-01&end_date=1999-01-03&interval=1mo",
  "/compat/frankfurter/v1/1998-12-31",
];
/** They have days that some plan allows. */
const WINDOWS_BEFORE = [
  "/v1/range?symbols=USD&start_date=1990-01-01&end_date=2026-04-14",
  "/v1/range?symbols=USD&start_date=1998-12-31&end_date=1999-01-04&format=csv",
  "/v1/range?symbols=USD&start_date=1998-12-31&end_date=2026-04-14&interval=1w",
  "/v1/range?symbols=USD&start_date=1998-12-31&end_date=2026-04-14&estimate=1",
  "/compat/frankfurter/v1/1998-12-31..?symbols=USD",
  "/compat/frankfurter/v1/1998-12-31..2026-04-10?symbols=USD",
  "/compat/frankfurter/v2/rates?from=1998-12-31&quotes=USD",
  "/compat/frankfurter/v2/rates?from=1998-12-31&to=2026-04-10&quotes=USD",
];

function escaped(day: string): string {
  return Array.from(day, (one) => `%${one.charCodeAt(0).toString(16)}`).join("");
}

describe(who, () => {
  test.each(WAYS)(
    "%s: the first allowed day is served, the one before is refused with the plan that allows it",
    async (_, path, interval) => {
      const seen = await ask(who, path(first));
      // Little was quoted in these days, or nothing: the plan has let the question pass.
      if (interval === "1h" || interval === "tick") expect([200, 400, 404]).toContain(seen.status);
      else expect(`${path(first)} ${seen.status}`).toBe(`${path(first)} 200`);
      await seen.arrayBuffer();
      for (const day of [dayBefore(first), "1999-01-04"]) {
        const refused = await ask(who, path(day));
        expect(await json(refused, 403)).toEqual({
          result: "error",
          code: "plan_gated",
          message: expect.stringContaining(`from ${first} on, and the request begins on ${day}`),
          tier: who,
          interval,
          history_days: HISTORY_DAYS[who],
          earliest_allowed: first,
          upgrade_plans: UPGRADES[who].filter((plan) => day >= FIRST_DAYS[plan]),
          upgrade_offers: UPGRADES[who]
            .filter((plan) => day >= FIRST_DAYS[plan])
            .map((plan) => ({ plan, loses: [] })),
          upgrade_url: expect.stringMatching(/^https?:.*\/pricing$/),
        });
        expect(limitsIn(refused)).not.toBeNull();
        expect(refused.headers.get("cache-control")).toBe("no-store");
      }
    },
  );

  test.each(DAYS_BEFORE)("%s before coverage is no matter of plans", async (path) => {
    const answer = await ask(who, path);
    expect((await json(answer, 404)).code ?? "foreign").toMatch(/^(no_data_for_date|foreign)$/);
  });

  test.each(WINDOWS_BEFORE)("%s begins with coverage: the plan is checked from there", async (path) => {
    const refused = await json(await ask(who, path), 403);
    expect(refused.message).toContain("1999-01-04");
    if (!path.startsWith("/compat")) expect(refused.upgrade_plans).toEqual(["plus", "pro"]);
  });

  test.each(FOREIGN_WAYS)("%s: the same days", async (_, path) => {
    const seen = await ask(who, path(first));
    await seen.arrayBuffer();
    expect(`${path(first)} ${seen.status}`).toBe(`${path(first)} 200`);
    const refused = await ask(who, path(dayBefore(first)));
    expect(await refused.text()).toContain(first);
    expect(refused.status).toBe(403);
  });

  test.each([
    ["", /year=(\d{4})/, "-01-01"],
    ["intraday/", /date=([\d-]{10})/, ""],
  ])(
    "of the lake's %sfiles those that reach no further back, under both names",
    async (folder, pattern, rest) => {
      const { files } = await json(await ask(who, `/v1/lake/${folder}manifest.json`));
      expect(files.length).toBeGreaterThan(3);
      for (const { path, current } of [...files.slice(0, 2), ...files.slice(-2)]) {
        const isAllowed = `${pattern.exec(path)?.[1] ?? "1999"}${rest}` >= first;
        for (const name of [path, current]) {
          const answer = await ask(who, `/v1/lake/${name}`);
          expect(`${name} ${answer.status}`).toBe(`${name} ${isAllowed ? 200 : 403}`);
          if (isAllowed) await answer.arrayBuffer();
          else expect(await answer.json()).toMatchObject({ code: "plan_gated", earliest_allowed: first });
        }
      }
    },
  );

  test("a proof of a day is refused as the day is", async () => {
    const refused = await ask(who, `/v1/lake/proof/EUR/USD?date=${dayBefore(first)}`);
    expect((await json(refused, 403)).code).toBe("plan_gated");
  });

  test("a ready body is not served to a caller whose plan does not allow it", async () => {
    const path = `/v1/${dayBefore(first)}?symbols=USD`;
    for (let nth = 0; nth < 2; nth++) {
      const seen = await ask("pro", path);
      expect([seen.status, (await json(seen)).date]).toEqual([200, dayBefore(first)]);
      const known = { "if-none-match": seen.headers.get("etag") ?? "" };
      const refused = await fetch(`${replica.url}${path}`, { headers: { ...headers[who], ...known } });
      await refused.arrayBuffer();
      expect([403, 429]).toContain(refused.status);
      if (refused.status === 429) clock.at += 60_000;
    }
  });
});

test("a plan without a limit has every file of the lake", async () => {
  const { files } = await json(await ask("plus", "/v1/lake/manifest.json"));
  for (const name of [files[0].path, files[0].current]) {
    const oldest = await ask("plus", `/v1/lake/${name}`);
    await oldest.arrayBuffer();
    expect(oldest.status).toBe(200);
  }
});

test.each([
  ["anonymous", FIRST_DAYS.anonymous],
  ["free", FIRST_DAYS.free],
  ["plus", FIRST_DAYS.plus],
  ["pro", FIRST_DAYS.pro],
] as const)("%s reaches back to %s and no further", async (who, first) => {
  const seen = await ask(who, `/v1/${first}`);
  expect([seen.status, (await seen.json()).date]).toEqual([200, first]);
  const refused = await ask(who, `/v1/${dayBefore(first)}`);
  if (who === "plus" || who === "pro") expect((await json(refused, 404)).code).toBe("no_data_for_date");
  else
    expect(await json(refused, 403)).toMatchObject({
      ...{ tier: who, history_days: HISTORY_DAYS[who], earliest_allowed: first },
      upgrade_plans: UPGRADES[who],
    });
});

test("the first allowed day moves at midnight UTC", async () => {
  const day = FIRST_DAYS.free;
  clock.at = Date.parse("2026-04-14T23:59:59.999Z");
  expect((await ask("free", `/v1/${day}`)).status).toBe(200);
  clock.at += 1;
  const refused = await fetch(`${replica.url}/v1/${day}`, { headers: headers.free });
  expect((await json(refused, 403)).earliest_allowed).toBe("2026-03-17");
});
