/** `crossrate verify` and `crossrate repair` as an operator runs them: damage is named, answers are refused, figures come back. */

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import { openLake } from "#store/lake/lake.ts";
import { addQuotes, environmentOf, filledDirectory } from "#test/commands/lakes.ts";
import { runInProcess, startServe } from "#test/commands/process.ts";
import { flip } from "#test/store/delta/sample.ts";
import { add, observation } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Of the fifth year of rates: nothing here depends on how long a history is. */
const NOW = "2003-04-11T16:30:00Z";
/** First of the five dates with quotes. */
const FIRST_QUOTED = "2003-04-07";
const simulator = await startSimulator({ now: () => Date.parse(NOW) });
atEnd(simulator.stop);
const filled = await filledDirectory(NOW);
await addQuotes(filled, 0, NOW);

interface Place {
  readonly directory: string;
  /** Of a process that reaches no authority, and of one that does. */
  readonly environment: Record<string, string>;
  readonly connected: Record<string, string>;
}

function freshCopy(): Place {
  const directory = temporaryDirectory();
  cpSync(filled, directory, { recursive: true });
  const environment = { ...environmentOf(directory, NOW), LIVE_FEED: "off", OFFICIAL_TABLES: "off" };
  return { directory, environment, connected: { ...environment, UPSTREAM_BASE: simulator.base } };
}

/** What a server over these files answers, as a status and a text each. */
async function answersOf({ environment }: Place, paths: readonly string[]) {
  const server = await startServe(environment);
  const answers = paths.map(async (path) => {
    const response = await fetch(`${server.url}${path}`);
    return { path, status: response.status, text: await response.text() };
  });
  const all = await Promise.all(answers);
  await server.end();
  return all;
}

/** The newest data file of a partition, relative to the lake: `current/` has the very same. */
function fileOf({ directory }: Place, partition: string): string {
  const lake = join(directory, "lake");
  const [name] = readdirSync(join(lake, "current", partition));
  const content = readFileSync(join(lake, "current", partition, name as string));
  const found = readdirSync(join(lake, partition)).find((file) =>
    readFileSync(join(lake, partition, file)).equals(content),
  );
  return `${partition}/${found}`;
}

describe("crossrate verify", () => {
  test("an intact lake: every table with its version, files and rows; exit code 0", async () => {
    const place = freshCopy();
    const { code, out } = await runInProcess(["verify"], place.environment);
    expect(out).toMatch(/^daily +version \d+, 10 files, 42,201 rows, intact$/m);
    expect(out).toMatch(/^intraday +version \d+, 5 files, [\d,]+ rows, intact$/m);
    expect(code).toBe(0);
  });

  test("a flipped byte, a cut file and a missing one are named, with what was in them; exit code 1, nothing changed", async () => {
    const place = freshCopy();
    const lake = join(place.directory, "lake");
    const [flipped, cut, missing] = ["1999", "2000", "2001"].map((year) =>
      fileOf(place, `daily/source=ecb_daily/year=${year}`),
    ) as [string, string, string];
    flip(join(lake, flipped));
    writeFileSync(join(lake, cut), readFileSync(join(lake, cut)).subarray(0, 1000));
    rmSync(join(lake, missing));
    const { code, out, err } = await runInProcess(["verify"], place.environment);
    expect(out).toContain(`${flipped} does not have its content`);
    expect(out).toContain(`${cut} does not have its length`);
    expect(out).toContain(`${missing} is missing`);
    expect(err).toContain("3 faults; crossrate repair says how to go on");
    expect(code).toBe(1);
    expect(existsSync(join(lake, missing))).toBe(false);
    expect(readFileSync(join(lake, cut)).length).toBe(1000);
  });
});

describe("a damaged year", () => {
  const dependent = [
    "/v1/2001-06-01?base=EUR&symbols=USD",
    "/v1/2002-01-14?symbols=CHF",
    "/v1/convert/EUR/USD/1?date=2001-02-02",
    "/v1/average?base=EUR&symbols=USD&start_date=2000-12-01&end_date=2002-01-31",
    "/v1/range?symbols=CHF&start_date=2000-12-01&end_date=2001-01-04",
    "/v1/range?symbols=CHF&start_date=1999-01-04&end_date=2002-12-31&format=csv",
    "/v1/2001-06-01?symbols=CHF&as_of=2003-04-01T00:00:00Z",
    "/v1/range?symbols=CHF&start_date=2002-01-01&end_date=2002-12-31&updated_after=2000-01-01T00:00:00Z",
  ];
  const others = [
    "/v1/2000-12-29?symbols=CHF",
    "/v1/2002-01-15?symbols=CHF",
    "/v1/latest",
    "/v1/range?symbols=CHF&start_date=2000-12-01&end_date=2000-12-29",
  ];
  const expectRefused = (answers: Awaited<ReturnType<typeof answersOf>>) => {
    for (const { path, status, text } of answers)
      expect([path, status, JSON.parse(text).code]).toEqual([path, 503, "data_unavailable"]);
  };
  const expectAnswered = (answers: Awaited<ReturnType<typeof answersOf>>) => {
    for (const { path, status } of answers) expect([path, status]).toEqual([path, 200]);
  };

  test("what depends on it is 503, the rest is answered, and crossrate repair brings its figures back", async () => {
    const place = freshCopy();
    const damaged = fileOf(place, "daily/source=ecb_daily/year=2001");
    flip(join(place.directory, "lake", damaged));
    const before = readFileSync(join(place.directory, "lake", damaged));

    const refused = [...dependent, `/v1/lake/${damaged}`];
    const answers = await answersOf(place, ["/status", ...refused, ...others]);
    expect(JSON.parse(answers[0]?.text ?? "").status).toBe("degraded");
    expect(answers[0]?.text).toContain(`${damaged} does not have its content`);
    expectRefused(answers.slice(1, 1 + refused.length));
    expectAnswered(answers.slice(1 + refused.length));
    // Nothing was written over it, by the start or by the collection that failed.
    expect(readFileSync(join(place.directory, "lake", damaged))).toEqual(before);

    const planned = await runInProcess(["repair"], place.connected);
    expect(planned.out).toContain(`${damaged} does not have its content`);
    expect(planned.out).toContain("nothing was changed");
    expect(planned.code).toBe(1);
    expect(existsSync(join(place.directory, "lake", damaged))).toBe(true);

    const repaired = await runInProcess(["repair", "--yes"], place.connected);
    expect(repaired.out).toContain(
      "4,572 observations came back from the authorities; 42,201 are in the lake",
    );
    expect(repaired.code).toBe(0);
    const aside = readdirSync(join(place.directory, "lake/damaged"), { recursive: true }) as string[];
    const kept = aside.find((name) => name.endsWith(damaged.split("/").at(-1) as string)) as string;
    expect(readFileSync(join(place.directory, "lake/damaged", kept))).toEqual(before);
    expect((await runInProcess(["verify"], place.environment)).code).toBe(0);
  });

  test("what a repair took out of it stays 503 until its history has been collected again", async () => {
    const place = freshCopy();
    flip(join(place.directory, "lake", fileOf(place, "daily/source=ecb_daily/year=2001")));
    expect((await runInProcess(["repair", "--yes"], place.environment)).code).toBe(1);
    const note = "daily/source=ecb_daily/year=2001 was repaired";
    const refused = await answersOf(place, ["/status", ...dependent, ...others]);
    expect(refused[0]?.text).toContain(note);
    expectRefused(refused.slice(1, 1 + dependent.length));
    expectAnswered(refused.slice(1 + dependent.length));
    expect((await runInProcess(["collect", "ecb_daily", "history"], place.connected)).code).toBe(0);
    const whole = await answersOf(place, ["/status", ...dependent, ...others]);
    expect(whole[0]?.text).not.toContain(note);
    expectAnswered(whole);
  });

  test("what was known of a corrected figure is 503 where a repair has lost its earlier value", async () => {
    const place = freshCopy();
    const lake = await openLake({ directory: join(place.directory, "lake"), simulated: false });
    const corrected = observation("2001-06-01", "USD", "1.0153", {
      revision: 2,
      retrievedAt: Date.parse(NOW),
    });
    await add(lake, { accepted: [corrected] });
    await lake.close();
    const path = (day: string) => `/v1/${day}?base=EUR&symbols=USD`;
    const known = ["2001-06-01", "2001-06-03", "2001-05-31"].map(
      (day) => `${path(day)}&as_of=2002-04-11T00:00:00Z`,
    );
    const rates = async () =>
      (await answersOf(place, [...known, path("2001-06-01")])).map(
        ({ status, text }) => `${status} ${JSON.parse(text).rates?.USD ?? ""}`,
      );
    expect(await rates()).toEqual(["200 1.0053", "200 1.0053", "200 1.0016", "200 1.0153"]);
    flip(join(place.directory, "lake", fileOf(place, "revisions/source=ecb_daily/year=2001")));
    await runInProcess(["repair", "--yes"], place.environment);
    expect(await rates()).toEqual(["503 ", "503 ", "200 1.0016", "200 1.0153"]);
  });

  test("quotes of a damaged day: its bars are 503, those of other days are answered, repair goes back to the version before", async () => {
    const place = freshCopy();
    flip(join(place.directory, "lake", fileOf(place, `intraday/date=${FIRST_QUOTED}`)));
    const bars = [FIRST_QUOTED, "2003-04-09"].map(
      (day) => `/v1/range?symbols=EUR&start_date=${day}&end_date=${day}&interval=1h`,
    );
    expect((await answersOf(place, bars)).map(({ status }) => status)).toEqual([503, 200]);
    const repaired = await runInProcess(["repair", "--yes"], place.environment);
    expect(repaired.out).toMatch(/its version before .* is intact and takes its place, 240 of 360 rows/);
    expect((await runInProcess(["verify"], place.environment)).code).toBe(0);
  });
});

test("a log that lost its newest commit stops a server from starting, and repair takes the version before", async () => {
  const place = freshCopy();
  const log = join(place.directory, "lake/daily/_delta_log");
  const newest = readdirSync(log)
    .filter((name) => /^\d{20}\.json$/.test(name))
    .sort()
    .at(-1) as string;
  rmSync(join(log, newest));
  const refused = await runInProcess(["held"], place.environment);
  expect(refused.err).toContain(newest);
  expect(refused.err).toContain("crossrate repair says how to go on");
  expect(refused.code).toBe(1);
  const planned = await runInProcess(["repair"], place.environment);
  expect(planned.out).toMatch(new RegExp(`${newest} is missing[^]*nothing was changed`));
  expect({ err: planned.err, code: planned.code }).toEqual({ err: "", code: 1 });
  const repaired = await runInProcess(["repair", "--yes"], place.connected);
  expect({ out: repaired.out, code: repaired.code }).toMatchObject({ code: 0 });
  expect(repaired.out).toContain("42,201 are in the lake");
  expect((await runInProcess(["verify"], place.environment)).code).toBe(0);

  // The lost commits may have been of any year: until it is collected again, no figure may be an older value than was known.
  const offline = freshCopy();
  rmSync(join(offline.directory, "lake/daily/_delta_log", newest));
  expect((await runInProcess(["repair", "--yes"], offline.environment)).code).toBe(1);
  for (const { status } of await answersOf(offline, [
    "/v1/2002-01-15?symbols=CHF",
    "/v1/2001-01-15?symbols=CHF",
  ]))
    expect(status).toBe(503);
});

test.each(["intraday/_delta_log", "intraday", "daily"])(
  "a lake that has lost %s is not begun again beside what is left of it; repair moves that aside",
  async (lost) => {
    const place = freshCopy();
    const lake = join(place.directory, "lake");
    rmSync(join(lake, lost), { recursive: true });
    const [table = ""] = lost.split("/");
    const last = () => Array.from(new Bun.Glob(`**/${table}/**/*.parquet`).scanSync(lake));
    const [before, what] = [last().length, `${join(lake, table)}/_delta_log is missing`];
    for (const args of [["held"], ["repair"]]) {
      const { code, out, err } = await runInProcess(args, place.environment);
      expect({ said: out + err, code }).toEqual({ said: expect.stringContaining(what), code: 1 });
    }
    const { out } = await runInProcess(["repair", "--yes"], place.environment);
    expect(out).toContain(`${table} begins again without rows`);
    expect(last().filter((path) => path.startsWith("damaged/"))).toHaveLength(before);
    const verified = await runInProcess(["verify"], place.environment);
    expect({ out: verified.out, code: verified.code }).toMatchObject({ code: 0 });
  },
);
