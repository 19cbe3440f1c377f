/** docs/lake.md is true: every recipe in it runs on the lake and the address of a running demo, and its column tables are the files' columns. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency.ts";
import { type Day, parseDay } from "#domain/day.ts";
import { scheduledPublication } from "#domain/known-schedule.ts";
import { optionalPython } from "#test/require-tool.ts";
import { codeBlocks, ROOT, readDocument, tableAfter } from "./document.ts";
import { CORRECTED_DAY, type LakeDemo, startLakeDemo } from "./lake-demo.ts";

/** The path, the address and the key that the recipes name; here they stand for those of a demo of the test. */
const SHOWN = "data/live/lake";
const SHOWN_URL = "http://localhost:3000";
const SHOWN_KEY = "fxk_…";
const VIEWS = readFileSync(`${ROOT}/docs/views.sql`, "utf8");
const page = await readDocument("docs/lake.md");
const blocks = codeBlocks(page);

let demo: LakeDemo;
beforeAll(async () => {
  demo = await startLakeDemo();
}, 60_000);
afterAll(() => demo.stop());

type Rows = readonly Record<string, unknown>[];

/** Runs statements in a DuckDB of their own, as its command line would; resolves with the rows of the last. */
async function rowsOf(sql: string): Promise<Rows> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const end = sql.trimEnd().replace(/;$/, "").lastIndexOf(";\n") + 1;
  try {
    await connection.run("SET TimeZone = 'UTC'");
    if (end > 0) await connection.run(sql.slice(0, end).replace(".read docs/views.sql", () => VIEWS));
    const last = sql.slice(end).replace(".read docs/views.sql", "");
    if (last !== sql.slice(end)) await connection.run(VIEWS);
    return (await connection.runAndReadAll(last)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Recipes of a language with the line before each, as written. */
const titled = (language: string) =>
  blocks
    .filter((block) => block.language === language)
    .map(({ content }) => {
      const before = page.slice(0, page.indexOf(content)).trimEnd().split("\n").slice(0, -1);
      return [before.findLast((line) => line.trim() !== "") ?? "", content] as const;
    });

/** The recipe on this demo. */
const here = (recipe: string) =>
  recipe.replaceAll(SHOWN, demo.directory).replaceAll(SHOWN_URL, demo.url).replaceAll(SHOWN_KEY, demo.key);

/**
 * DuckDB reads over HTTP with an extension that has to be downloaded once: where it is not installed, the recipe runs on
 * the same paths of the disk, and the test says so.
 */
async function reachable(sql: string): Promise<string> {
  if (!sql.includes("http://")) return sql;
  const installed = await rowsOf("LOAD httpfs;\nSELECT 1").then(
    () => true,
    () => false,
  );
  if (installed) return sql;
  process.stderr.write("httpfs is not installed: DuckDB's recipe over HTTP runs on the disk instead\n");
  return sql.replaceAll(`${demo.url}/v1/lake`, demo.directory);
}

describe("DuckDB", () => {
  test.each(titled("sql"))("%s", async (_, recipe) => {
    expect(here(recipe)).not.toBe(recipe);
    expect((await rowsOf(await reachable(here(recipe)))).length).toBeGreaterThan(0);
  });

  test.each(["What this lake knew", "What could be known"])(
    "%s before the correction is the old value, and each figure once",
    async (title) => {
      const [, recipe = ""] = titled("sql").find(([before]) => before.includes(title.slice(5))) ?? [];
      const before = await rowsOf(here(recipe));
      const after = await rowsOf(here(recipe.replaceAll("2026-01-06 00:00:00Z", "2026-01-07 00:00:00Z")));
      const usd = (rows: Rows) => rows.filter(({ date, quote }) => date === CORRECTED_DAY && quote === "USD");
      expect(usd(before)).toMatchObject([{ revision: 1 }]);
      expect(usd(after)).toMatchObject([{ value: 1.0393, revision: 2 }]);
      // One figure was taken back in between.
      expect(before).toHaveLength(after.length + 1);
    },
  );
});

/** Every script in a namespace of its own; one interpreter, which loads the libraries once. */
const DRIVER = `
import contextlib, io, json, sys, traceback
runs = []
for script in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(compile(script, "recipe", "exec"), {"__name__": "__main__"})
        except Exception:
            traceback.print_exc()
    runs.append({"stdout": out.getvalue(), "stderr": err.getvalue()})
json.dump(runs, sys.stdout)
`;

interface Run {
  readonly stdout: string;
  readonly stderr: string;
}

const python = optionalPython(
  ["duckdb", "polars", "pandas", "pyarrow"],
  "the Python recipes of docs/lake.md",
);
describe.skipIf(python === null)("Python", () => {
  const recipes = titled("python");
  let runs: readonly Run[] = [];
  beforeAll(async () => {
    runs = JSON.parse(
      await outputOf(
        [python as string, "-c", DRIVER],
        JSON.stringify(recipes.map(([, recipe]) => here(recipe))),
      ),
    );
  }, 120_000);
  test.each(recipes.map(([title], index) => [title, index] as const))("%s", (_, index) => {
    const { stdout, stderr } = runs[index] as Run;
    expect(stderr).toBe("");
    expect(stdout).toMatch(/\d\.\d/);
  });
});

describe("JavaScript", () => {
  test.each(titled("js"))(
    "%s",
    async (_, recipe) => {
      expect(await outputOf([process.execPath, "-e", here(recipe)])).toMatch(/\d\.\d/);
    },
    60_000,
  );
});

/** Runs a program beside this process, whose server it may ask; it must end well and without complaint. */
async function outputOf(command: string[], input = ""): Promise<string> {
  const run = Bun.spawn(command, {
    cwd: ROOT,
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ]);
  expect({ exit: await run.exited, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout;
}

test.each([1999, 2025])(
  "without a key the file of %d is refused, with the plans that reach it",
  async (year) => {
    const response = await fetch(`${demo.url}/v1/lake/daily/source=ecb_daily/year=${year}/rates.parquet`);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "plan_gated", upgrade_plans: ["plus", "pro"] });
  },
);

describe("views.sql", () => {
  const views = (sql: string) => rowsOf(`SET VARIABLE lake = '${demo.directory}';\n${VIEWS}\n${sql}`);

  test("is what the server hands out", async () => {
    const response = await fetch(`${demo.url}/v1/lake/views.sql`);
    expect(response.headers.get("content-type")).toBe("application/sql");
    expect(await response.text()).toBe(VIEWS);
  });

  test("daily, daily_all_revisions, latest and intraday are the rows of the files", async () => {
    const [counts] = await views(`
      SELECT
        (SELECT count(*) FROM daily) AS daily,
        (SELECT count(*) FROM daily_all_revisions) AS revisions,
        (SELECT list(DISTINCT why ORDER BY why) FROM daily_all_revisions WHERE why IS NOT NULL) AS reasons,
        (SELECT count(*) FROM intraday) AS quotes,
        (SELECT count(*) FROM latest) - (SELECT count(DISTINCT (source, base, quote)) FROM daily) AS surplus,
        (SELECT count(*) FROM daily JOIN latest USING (source, base, quote) WHERE daily.date > latest.date) AS newer`);
    const manifest = JSON.parse(readFileSync(`${demo.directory}/manifest.json`, "utf8"));
    const intraday = JSON.parse(readFileSync(`${demo.directory}/${manifest.manifests.intraday}`, "utf8"));
    const rowsIn = (files: readonly { path: string; rows: number }[], folder: string) =>
      files.filter(({ path }) => path.startsWith(folder)).reduce((sum, { rows }) => sum + rows, 0);
    const daily = rowsIn(manifest.files, "daily/");
    expect(counts).toEqual({
      daily: String(daily),
      revisions: String(daily + rowsIn(manifest.files, "superseded/")),
      reasons: ["revised", "withdrawn"],
      quotes: String(rowsIn(intraday.files, "intraday/")),
      surplus: "0",
      newer: "0",
    } as never);
  });

  test.each(["EUR", "USD", "TWD", "GBP"])(
    "crosses('%s') are the rates of /v1/{date}, and which of them are filled",
    async (base) => {
      const days = ["1999-01-04", "2003-05-02", "2012-11-12", "2019-10-14", CORRECTED_DAY, "2026-01-02"];
      const rows = await views(
        `SELECT date, symbol, rate, is_forward_filled, derived FROM crosses('${base}') WHERE date IN (${days.map((day) => `'${day}'`).join(", ")})`,
      );
      for (const date of days) {
        const answer = (await demo.get(`/v1/${date}?base=${base}`)) as Answer;
        const ofDay = rows.filter((row) => row["date"] === date);
        expect(ofDay.map(({ symbol }) => symbol).sort()).toEqual(Object.keys(answer.rates).sort() as never);
        for (const { symbol, rate } of ofDay) near(rate, answer.rates[String(symbol)]);
        const derived = ofDay.filter((row) => row["derived"]).map(({ symbol }) => symbol);
        expect(derived.sort()).toEqual([...answer.derived_symbols].sort() as never);
        const unfilled = ofDay.filter((row) => !row["is_forward_filled"]).map(({ symbol }) => symbol);
        // 404 where nothing was published on the very day.
        const range = await fetch(
          `${demo.url}/v1/range?base=${base}&symbols=*&start_date=${date}&end_date=${date}`,
          { headers: { Authorization: `Bearer ${demo.key}` } },
        );
        const { data = [] } = (await range.json()) as Partial<Page>;
        expect(unfilled.sort()).toEqual(Object.keys(data[0]?.rates ?? {}).sort() as never);
      }
    },
  );

  test.each(["published", "retrieved"])(
    "as_of() on the basis %s is what the answers as of that instant rest on",
    async (basis) => {
      for (const instant of ["2025-01-02T15:00:00Z", "2026-01-05T15:30:00Z", "2026-01-06T15:30:00Z"]) {
        const rows = await views(
          `SELECT date, quote, value FROM as_of(TIMESTAMPTZ '${instant}', basis := '${basis}') WHERE source = 'ecb_daily' AND date BETWEEN DATE '2024-12-20' AND DATE '2025-01-03'`,
        );
        const answered = await fetch(
          `${demo.url}/v1/range?base=EUR&symbols=*&start_date=2024-12-20&end_date=2025-01-03&as_of=${instant}&as_of_basis=${basis}`,
          { headers: { Authorization: `Bearer ${demo.key}` } },
        );
        const { data = [] } = (await answered.json()) as Partial<Page>;
        const expected = data.flatMap(({ date, rates }) =>
          // TWD is of H.10.
          Object.entries(rates).flatMap(([code, rate]) =>
            code === "TWD" ? [] : [`${date} ${code} ${rate}`],
          ),
        );
        const found = rows.map(({ date, quote, value }) => `${date} ${quote} ${value}`);
        expect(found.sort()).toEqual(expected.sort());
        if (instant > "2026" || basis === "published") expect(found.length).toBeGreaterThan(100);
      }
    },
  );

  test("scheduled_publication() is the product's, on every day from 1999 to 2030", async () => {
    const rows = await views(`
      SELECT source, day::DATE AS day, epoch_ms(scheduled_publication(source, day::DATE)) AS at
      FROM generate_series(DATE '1999-01-04', DATE '2030-12-31', INTERVAL 1 day) AS days(day),
        (VALUES ('ecb_daily'), ('fred_daily')) AS sources(source)`);
    const wrong = rows.filter(({ source, day, at }) => {
      const date = parseDay(String(day)) as Day;
      return scheduledPublication(source as "ecb_daily", date) !== Number(at);
    });
    expect(rows.length).toBeGreaterThan(23_000);
    expect(wrong.map(({ source, day }) => `${source} ${day}`)).toEqual([]);
  });

  test.each([
    ["EUR", "USD", "1h"],
    ["USD", "EUR", "15m"],
    ["USD", "GBP", "1d"],
    ["GBP", "JPY", "5m"],
    ["JPY", "EUR", "1h"],
  ] as const)("bars('%s', '%s') are those of /v1/range?interval=%s", async (base, symbol, interval) => {
    // Whole intervals: a day has one.
    const since = interval === "1d" ? "00:00" : "06:00";
    const width = { "5m": "5 minute", "15m": "15 minute", "1h": "1 hour", "1d": "1 day" }[interval];
    const rows = await views(
      `SELECT strftime(start AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS start, open, high, low, close, mean, ticks
       FROM bars('${base}', '${symbol}', INTERVAL ${width}, since := TIMESTAMPTZ '2026-03-02 ${since}:00Z')`,
    );
    const answer = (await demo.get(
      `/v1/range?base=${base}&symbols=${symbol}&start_date=2026-03-02&end_date=2026-03-03&interval=${interval}`,
    )) as Page;
    const expected = answer.data.filter(({ start = "" }) => start >= `2026-03-02T${since}`);
    expect(rows.map(({ start }) => start)).toEqual(expected.map(({ start }) => start) as never);
    expect(rows.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      const bar = expected[index]?.bars?.[symbol] as Record<string, number>;
      expect(Number(row["ticks"])).toBe(bar["ticks"] as number);
      for (const name of ["open", "high", "low", "close", "mean"]) near(row[name], bar[name]);
    });
  });

  test("every currency is in the latest figures or is what they are quoted in", async () => {
    const rows = await views("SELECT DISTINCT unnest([base, quote]) AS code FROM latest");
    expect(rows.map(({ code }) => code).sort()).toEqual([...CURRENCY_CODES].sort() as never);
  });
});

interface Answer {
  readonly rates: Record<string, number>;
  readonly derived_symbols: readonly string[];
}
interface Page {
  readonly data: readonly {
    readonly date: string;
    readonly start?: string;
    readonly rates: Record<string, number>;
    readonly bars?: Record<string, Record<string, number>>;
  }[];
}

/** Equal to a relative 1e-12: the same digits. */
function near(found: unknown, expected: number | undefined): void {
  expect(Math.abs(Number(found) / (expected ?? Number.NaN) - 1)).toBeLessThan(1e-12);
}

describe("columns", () => {
  const tables = page.split("| column | type | meaning |").slice(1);
  const listed = (at: number) =>
    tableAfter(`| column | type | meaning |${tables[at]}`, "column").map(([name = "", type = ""]) => [
      name,
      type,
    ]);

  const file = (path: string) => `read_parquet('${demo.directory}/${path}', hive_partitioning = false)`;

  async function found(path: string): Promise<(readonly [string, string])[]> {
    const rows = await rowsOf(`DESCRIBE SELECT * FROM ${file(path)}`);
    return rows.map((row) => [
      String(row["column_name"]),
      String(row["column_type"]).replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"),
    ]);
  }

  const DAILY = "daily/source=ecb_daily/year=2025/rates.parquet";
  const QUOTES = "intraday/date=2026-03-02/quotes.parquet";

  test("daily files have exactly the documented columns, types and order", async () => {
    expect(await found(DAILY)).toEqual(listed(0) as never);
  });

  test("superseded files have three more", async () => {
    const columns = await found("superseded/source=ecb_daily/year=2024/revisions.parquet");
    expect(columns).toEqual([...listed(0), ...listed(1)] as never);
  });

  test("files of quotes have exactly the documented columns, types and order", async () => {
    expect(await found(QUOTES)).toEqual(listed(2) as never);
  });

  test("every column of the held file is named", async () => {
    for (const [name] of await found("held/held.parquet")) expect(page).toContain(`\`${name}\``);
  });

  test.each([
    [DAILY, "date, base, quote"],
    [QUOTES, "base, quote, observed_at, retrieved_at, feed"],
  ])("rows of %s lie in the documented order", async (path, key) => {
    const [row] = await rowsOf(
      `SELECT list((${key})) = list_sort(list((${key}))) AS ordered FROM (SELECT * FROM ${file(path)})`,
    );
    expect(row).toEqual({ ordered: true });
  });
});
