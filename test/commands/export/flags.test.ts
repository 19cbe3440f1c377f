/** The options of `crossrate export`: each wrong one is named with what is allowed, and the format. */

import { describe, expect, test } from "bun:test";
import { namedFormat } from "#cli/range.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const exported = (args: string) =>
  runInProcess(["export", ...args.split(" ")], { DATA_DIR: temporaryDirectory() });

const WRONG: readonly (readonly [args: string, named: string])[] = [
  ["--start 2025-01-01 --end 2025-12-31", "name a base and the currencies to show"],
  ["--symbols EUR --end 2025-12-31", "name a first and a last day"],
  ["--symbols EUR,XXX --start 2025-01-01 --end 2025-12-31", "Unknown currency XXX"],
  ["--symbols EUR --start 2025-02-30 --end 2025-12-31", "--start 2025-02-30: a calendar day"],
  ["--symbols EUR --start 2025-01-01 --end", "option '--end <YYYY-MM-DD>' argument missing"],
  ["--symbols EUR --start --end 2025-01-01", "--start has no value"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --base=ZZZ", "Unknown currency ZZZ"],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --format json",
    "--format json: one of csv, parquet, ndjson, arrow, xlsx is needed",
  ],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --layout tall",
    "--layout tall: one of long, wide is needed",
  ],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --fill next", "--fill next: one of none, previous"],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --interval 2m",
    "--interval 2m: one of 1w, 1mo, 1q, 1y, 1m, 5m, 15m, 1h, 1d, tick is needed",
  ],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --aggregate sum", "--aggregate sum: one of last, mean"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --order up", "--order up: one of asc, desc"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --dp 11", "--dp 11: a whole number of decimals"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --as-of-basis now", "--as-of-basis now: one of"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --out", "option '-o, --out <FILE>' argument missing"],
  ["--symbols EUR --symbols GBP", "--symbols is given twice"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --limit 5", "unknown option '--limit'"],
  ["EUR --symbols EUR --start 2025-01-01 --end 2025-12-31", "words or as options, not both"],
  ["USD EUR 2025-12-31 2025-01-01", "is after"],
  ["USD EUR 2025-01-01 2025-12-31 2026-01-01", "name a first and a last day"],
];

describe("wrong options", () => {
  test.each([...WRONG])("%s: refused by name, with what is allowed", async (args, named) => {
    const { code, out, err } = await exported(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(named);
  });
});

test.each([
  [{}, "csv"],
  [{ out: "a.arrow" }, "arrow"],
  [{ out: "a.PARQUET" }, "parquet"],
  [{ out: "folder.arrow/a" }, "csv"],
  [{ out: "a.txt" }, "csv"],
  [{ out: "a.parquet", format: "NDJSON" }, "ndjson"],
])("%p: the format is that of the option, else of the extension, else csv", (options, format) => {
  expect(namedFormat(options) ?? "csv").toBe(format as "csv");
});

test("a code in mixed case is left to the refusal that says what to write", async () => {
  const { code, err } = await exported("--symbols EUR --start 2025-01-01 --end 2025-12-31 --base GBp");
  expect(code).toBe(2);
  expect(err).toContain("pence are not served; write GBP or gbp");
});
