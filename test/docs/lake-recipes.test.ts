/** Every recipe of docs/lake.md runs, and shows rows: on a demo that was just made, and on one with corrections. */

import { describe, expect, test } from "bun:test";
import { runQuietly } from "#test/clients/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { ROOT } from "./document.ts";
import { CORRECTED_DAY, type LakeDemo, startDemoWithPast, startNewDemo } from "./lake-demo.ts";
import { answerOf, mayBeEmpty, on, type Rows, rowsOf, titled } from "./lake-recipes.ts";
import { PYTHON_DRIVER, type PythonRun } from "./python-driver.ts";

const demos = {
  new: await startNewDemo(),
  "with a past": await startDemoWithPast(),
};
type Kind = "new" | "with a past";
const KINDS: readonly Kind[] = ["new", "with a past"];

/** Recipes in SQL on the demo that a reader has, and on the other one where that may have no rows; programs read the same tables. */
const cases = titled("sql").flatMap(([title], index) =>
  KINDS.filter((kind) => kind === "new" || mayBeEmpty(title)).map((kind) => [kind, title, index] as const),
);

/**
 * DuckDB reads over HTTP with an extension that has to be downloaded once: where it is not installed, the recipe runs on
 * the same paths of the disk, and the test says so.
 */
async function reachable(sql: string, { url, directory }: LakeDemo): Promise<string> {
  if (!sql.includes("http://")) return sql;
  const installed = await rowsOf("LOAD httpfs;\nSELECT 1").then(
    () => true,
    () => false,
  );
  if (installed) return sql;
  process.stderr.write("httpfs is not installed: DuckDB's recipe over HTTP runs on the disk instead\n");
  return sql.replaceAll(`${url}/v1/lake`, directory);
}

describe("DuckDB", () => {
  test.each(cases)("on a demo that is %s: %s", async (kind, title, index) => {
    const [, recipe = ""] = titled("sql")[index] ?? [];
    const run = async (on_: Kind) => await answerOf(await reachable(on(demos[on_], recipe), demos[on_]));
    expect(on(demos[kind], recipe)).not.toBe(recipe);
    const { rows, columns } = await run(kind);
    if (kind === "new" && mayBeEmpty(title)) {
      expect(rows).toEqual([]);
      expect(columns).toEqual((await run("with a past")).columns);
    } else expect(rows.length).toBeGreaterThan(0);
  });

  test.each([
    ["what this lake held", "getvariable('instant')", "(SELECT max(retrieved_at) FROM daily)"],
    ["what could be known", "as_of(", "TIMESTAMPTZ '2026-01-06 00:00:00Z'"],
  ])("%s before the correction is the old value, and each figure once", async (_, mark, then) => {
    const [, recipe = ""] = titled("sql").find(([, content]) => content.includes(mark)) ?? [];
    expect(recipe).toContain(then);
    const knownAt = (instant: string) =>
      rowsOf(on(demos["with a past"], recipe.replaceAll(then, `TIMESTAMPTZ '${instant}'`)));
    const [before, after] = [await knownAt("2026-01-06 00:00:00Z"), await knownAt("2026-01-07 00:00:00Z")];
    const usd = (rows: Rows) => rows.filter(({ date, quote }) => date === CORRECTED_DAY && quote === "USD");
    expect(usd(before)).toMatchObject([{ revision: 1 }]);
    expect(usd(after)).toMatchObject([{ value: 1.0393, revision: 2 }]);
    // One figure was taken back in between.
    expect(before).toHaveLength(after.length + 1);
  });
});

const python = optionalPython(
  ["duckdb", "polars", "pandas", "pyarrow", "deltalake"],
  "the Python recipes of docs/lake.md",
);
describe.skipIf(python === null)("Python", () => {
  test("every recipe shows rows", async () => {
    const scripts = titled("python").map(([, recipe]) => on(demos.new, recipe));
    const runs: readonly PythonRun[] = JSON.parse(
      await outputOf([python as string, "-c", PYTHON_DRIVER], JSON.stringify(scripts)),
    );
    for (const [nth, { out, err }] of runs.entries()) {
      const title = titled("python")[nth]?.[0];
      expect([title, err]).toEqual([title, ""]);
      expect([title, out]).toEqual([title, expect.stringMatching(/\d/)]);
      expect([title, out]).not.toEqual([
        title,
        expect.stringMatching(/Empty DataFrame|shape: \(0,|\b0 files/),
      ]);
    }
  }, 120_000);
});

test.each(titled("js"))("JavaScript: %s", async (_, recipe) => {
  expect(await outputOf([process.execPath, "-e", on(demos.new, recipe)])).toMatch(/\d\.\d/);
});

/** Runs a program beside this process, whose server it may ask; it must end well and without complaint. */
const outputOf = (command: readonly string[], input?: string) =>
  runQuietly(command, { cwd: ROOT, ...(input === undefined ? {} : { input }) });
