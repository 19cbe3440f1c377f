/** The flags of `crossrate export`: each wrong one is named with what is allowed, and refusals name flags. */

import { describe, expect, test } from "bun:test";
import { UsageFault } from "#cli/command.ts";
import { asFlagMessage, readExportFlags } from "#commands/export/flags.ts";
import { Failure } from "#domain/faults/errors.ts";
import { readSeries } from "#rates/range/parameters.ts";

const WRONG: readonly (readonly [args: string, named: string])[] = [
  ["--start 2025-01-01 --end 2025-12-31", "--symbols is missing: * for all, or some of AUD,"],
  ["--symbols EUR --end 2025-12-31", "--start is missing: a calendar day, YYYY-MM-DD, is needed"],
  ["--symbols EUR,XXX --start 2025-01-01 --end 2025-12-31", "--symbols EUR,XXX: * for all"],
  ["--symbols EUR --start 2025-02-30 --end 2025-12-31", "--start 2025-02-30: a calendar day"],
  ["--symbols EUR --start 2025-01-01 --end", "--end has no value: a calendar day"],
  ["--symbols EUR --start --end 2025-01-01", "--start has no value"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --base=ZZZ", "--base ZZZ: one of AUD,"],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --format json",
    "--format json: one of csv, parquet, ndjson, arrow is needed",
  ],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --layout tall",
    "--layout tall: one of long, wide is needed",
  ],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --fill next", "--fill next: one of none, previous"],
  [
    "--symbols EUR --start 2025-01-01 --end 2025-12-31 --interval 2m",
    "--interval 2m: one of 1w, 1mo, 1m, 5m, 15m, 1h, 1d, tick is needed",
  ],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --aggregate sum", "--aggregate sum: one of last, mean"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --order up", "--order up: one of asc, desc"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --dp 11", "--dp 11: a whole number of decimals"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --as-of-basis now", "--as-of-basis now: one of"],
  ["--symbols EUR --start 2025-01-01 --end 2025-12-31 --out", "--out has no value: the name of a file"],
  ["--symbols EUR --symbols GBP", "--symbols is given twice"],
  ["--symbols EUR --limit 5", "there is no --limit; allowed are --symbols, --start, --end"],
  ["EUR", "there is no EUR; allowed are"],
];

describe("wrong flags", () => {
  test.each([...WRONG])("%s: refused by name, with what is allowed", (args, named) => {
    let fault: unknown;
    try {
      readExportFlags(args.split(" "));
    } catch (thrown) {
      fault = thrown;
    }
    expect(fault).toBeInstanceOf(UsageFault);
    expect((fault as UsageFault).message).toContain(named);
  });
  test("other refusals keep their message and are no fault of the flags", () => {
    const refused = asFlagMessage(new Failure("service_unavailable", { reason: "busy" }));
    expect(refused).not.toBeInstanceOf(UsageFault);
    expect((refused as Error).message).toBe("busy");
  });
});

test("the format is that of the flag, else of the extension, else csv", () => {
  const question = ["--symbols", "EUR,CHF", "--start", "2025-01-01", "--end", "2025-12-31"];
  const format = (...args: string[]) => readExportFlags([...question, ...args]).format;
  expect(format()).toBe("csv");
  expect(format("--out", "a.arrow")).toBe("arrow");
  expect(format("--out", "a.PARQUET")).toBe("parquet");
  expect(format("--out", "folder.arrow/a")).toBe("csv");
  expect(format("--out", "a.txt")).toBe("csv");
  expect(format("--out", "a.parquet", "--format", "ndjson")).toBe("ndjson");
});

test("the query has the names of the HTTP parameters, and nothing that was not given", () => {
  const { query, out } = readExportFlags([
    ...[
      "--symbols",
      "*",
      "--start=2025-01-01",
      "--end",
      "2025-12-31",
      "--updated-after",
      "2025-01-01T00:00:00Z",
    ],
  ]);
  expect(out).toBeNull();
  const given = ["symbols", "start_date", "end_date", "updated_after"].map((name) => query(name));
  expect(given).toEqual(["*", "2025-01-01", "2025-12-31", "2025-01-01T00:00:00Z"]);
  for (const name of ["base", "layout", "cursor", "limit", "format"]) expect(query(name)).toBeUndefined();
});

test("a code in mixed case is left to the refusal that says what to write", () => {
  const question = ["--symbols", "EUR", "--start", "2025-01-01", "--end", "2025-12-31", "--base", "GBp"];
  let fault: unknown;
  try {
    readSeries(readExportFlags(question).query);
  } catch (thrown) {
    fault = asFlagMessage(thrown);
  }
  expect(fault).toBeInstanceOf(UsageFault);
  expect((fault as UsageFault).message).toContain("pence are not served; write GBP or gbp");
});
