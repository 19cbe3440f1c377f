/** The options of `crossrate export`: each wrong one is named with what is allowed, and the format. */

import { describe, expect, test } from "bun:test";
import { namedFormat } from "#cli/range.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const YEAR = "2025-01-01 2025-12-31";

describe("wrong options", () => {
  test.each([
    [YEAR, "name a base and the currencies to show"],
    ["USD EUR 2025-12-31", "name a first and a last day"],
    [`USD EUR,XXX ${YEAR}`, "Unknown currency XXX"],
    [`USD EUR 2025-02-30 2025-12-31`, "name a first and a last day"],
    [`USD EUR ${YEAR} --out --dp`, "--out has no value"],
    [`USD EUR ${YEAR} --dp 2 --dp 3`, "--dp is given twice"],
    [`ZZZ EUR ${YEAR}`, "Unknown currency ZZZ"],
    [`GBp EUR ${YEAR}`, "pence are not served; write GBP or gbp"],
    ["USD EUR 2025-12-31 2025-01-01", "is after"],
    ["USD EUR 2025-01-01 2025-12-31 2026-01-01", "name a first and a last day"],
  ])("%s: refused by name, with what is allowed", isRefused);

  test.each([
    ["--format json", "--format json: one of csv, parquet, ndjson, arrow, xlsx is needed"],
    ["--layout tall", "--layout tall: one of long, wide is needed"],
    ["--fill next", "--fill next: one of none, previous"],
    ["--interval 2m", "--interval 2m: one of 1w, 1mo, 1q, 1y, 1m, 5m, 15m, 1h, 1d, tick is needed"],
    ["--aggregate sum", "--aggregate sum: one of last, mean"],
    ["--order up", "--order up: one of asc, desc"],
    ["--dp 11", "--dp 11: a whole number of decimals"],
    ["--as-of yesterday", "--as-of yesterday: a UTC instant"],
    ["--as-of-basis now", "--as-of-basis now: one of"],
    ["--out", "option '-o, --out <FILE>' argument missing"],
    ["--limit 5", "unknown option '--limit'"],
  ])("%s: refused by name, with what is allowed", (args, named) =>
    isRefused(`USD EUR ${YEAR} ${args}`, named),
  );
});

async function isRefused(args: string, named: string): Promise<void> {
  const { code, out, err } = await runInProcess(["export", ...args.split(" ")], {
    DATA_DIR: temporaryDirectory(),
  });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(named);
  expect(err).toContain("usage: crossrate export [options]");
}

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
