/** `crossrate export` as a person runs it: the bytes of the HTTP export, whole files or none, and quiet ends. */

import { describe, expect, test } from "bun:test";
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { namedFormat } from "#cli/range.ts";
import { runQuietly } from "#test/clients/process.ts";
import {
  addQuotes,
  environmentOf,
  FIRST_QUOTED,
  NOW,
  recentDirectory,
  simulatedDirectory,
} from "#test/commands/lakes.ts";
import { runInProcess, startServe, until } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const ROOT = join(import.meta.dir, "..", "..", "..");
const EVERYTHING = ["USD", "*", "1999-01-04", "2026-11-20", "--fill", "previous"];
const A_MONTH = ["USD", "EUR,CHF", "2026-03-01", "2026-03-31"];

/** The demo's, on the whole history: an export of it lasts long enough to be ended. */
const long = environmentOf(await simulatedDirectory(NOW));
const directory = await recentDirectory();
await addQuotes(directory);
const environment = environmentOf(directory);
const server = await startServe(environment);

/** On a machine whose server answers for one name only: the command has no name. */
const exportNow = (args: readonly string[]) =>
  runInProcess(["export", ...args], { ...environment, ALLOWED_HOSTS: "rates.example.org" });

function startExport(args: readonly string[]) {
  return Bun.spawn([process.execPath, "src/main.ts", "export", "--demo", ...args], {
    cwd: ROOT,
    env: { ...process.env, LOG_LEVEL: "silent", ...long },
    stdout: "pipe",
    stderr: "pipe",
  });
}

const QUOTED = `${FIRST_QUOTED} 2026-04-13`;
const QUOTED_DAYS = `start_date=${FIRST_QUOTED}&end_date=2026-04-13`;
const SAME: readonly (readonly [args: string, query: string])[] = [
  ["USD * 1999-01-04 2026-11-20", "symbols=*&start_date=1999-01-04&end_date=2026-11-20&format=csv"],
  [
    "EUR/CHF 2026-02-01 2026-03-31",
    "base=EUR&symbols=CHF&start_date=2026-02-01&end_date=2026-03-31&format=csv",
  ],
  [
    "GBP EUR,CHF 2026-02-01 2026-03-31 --format=Parquet",
    "symbols=EUR,CHF&start_date=2026-02-01&end_date=2026-03-31&base=GBP&format=parquet",
  ],
  [
    "USD * 1999-01-04 2026-11-20 --format parquet --layout wide",
    "symbols=*&start_date=1999-01-04&end_date=2026-11-20&format=parquet&layout=wide",
  ],
  [
    "USD EUR,JPY 2026-02-01 2026-11-20 --format ndjson --fill previous --order desc --dp 3",
    "symbols=EUR,JPY&start_date=2026-02-01&end_date=2026-11-20&format=ndjson&fill=previous&order=desc&dp=3",
  ],
  [
    "USD * 2026-02-01 2026-03-31 --format arrow --interval 1mo --aggregate mean",
    "symbols=*&start_date=2026-02-01&end_date=2026-03-31&format=arrow&interval=1mo&aggregate=mean",
  ],
  [
    "USD EUR 2026-02-01 2026-02-28 --as-of 2026-02-15T18:00:00Z --as-of-basis published",
    "symbols=EUR&start_date=2026-02-01&end_date=2026-02-28&as_of=2026-02-15T18:00:00Z&as_of_basis=published&format=csv",
  ],
  [
    "USD EUR,TWD 2026-02-01 2026-04-13 --updated-after 2026-04-01T00:00:00Z",
    "symbols=EUR,TWD&start_date=2026-02-01&end_date=2026-04-13&updated_after=2026-04-01T00:00:00Z&format=csv",
  ],
  [`GBP EUR,JPY ${QUOTED} --interval 5m`, `symbols=EUR,JPY&${QUOTED_DAYS}&interval=5m&base=GBP&format=csv`],
  [
    `USD * ${QUOTED} --interval tick --format parquet`,
    `symbols=*&${QUOTED_DAYS}&interval=tick&format=parquet`,
  ],
];

describe("the same question", () => {
  test.each([...SAME])("%s gets the bytes of the HTTP export while a server runs", async (args, query) => {
    const answer = await fetch(`${server.url}/v1/range?${query}`);
    expect(answer.status).toBe(200);
    const expected = Buffer.from(await answer.arrayBuffer());
    const out = join(temporaryDirectory(), "rates");
    const run = await exportNow([...args.split(" "), "--out", out]);
    expect(run).toMatchObject({ code: 0 });
    expect(Buffer.compare(readFileSync(out), expected)).toBe(0);
  });
  test("gets the same bytes on standard output, and nothing else there", async () => {
    const [args, query] = SAME[0] as (typeof SAME)[number];
    const answer = await fetch(`${server.url}/v1/range?${query}`);
    const { code, out } = await exportNow(args.split(" "));
    expect({ code, isSame: out === (await answer.text()) }).toEqual({ code: 0, isSame: true });
  });
});

describe("a file", () => {
  test("has the form of its extension, is announced with its size, and takes the place of the old one", async () => {
    const folder = temporaryDirectory();
    const out = join(folder, "rates.parquet");
    writeFileSync(out, "old");
    const run = await exportNow([...A_MONTH, "--out", out]);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/rates\.parquet: parquet, \d+\.\d kB\n$/);
    expect(readFileSync(out).subarray(0, 4).toString()).toBe("PAR1");
    expect(readdirSync(folder)).toEqual(["rates.parquet"]);
  });
  test("behind a link is replaced there, and the link stays", async () => {
    const folder = temporaryDirectory();
    const [file, link] = [join(folder, "file.csv"), join(folder, "link.csv")];
    writeFileSync(file, "old");
    symlinkSync(file, link);
    expect((await exportNow([...A_MONTH, "--out", link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toStartWith("date,base,symbol");
  });
  test("stays as it was when there is nothing to export, and the reason is one clear line", async () => {
    const folder = temporaryDirectory();
    const out = join(folder, "rates.csv");
    writeFileSync(out, "old");
    const args = ["USD", "ISK", "2012-06-02", "2012-06-03", "--out", out];
    const { code, err } = await runInProcess(["export", "--demo", ...args], long);
    expect(code).toBe(1);
    expect(err).toStartWith("crossrate export: no requested rate was published");
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(readFileSync(out, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["rates.csv"]);
  });
  test("is not made where it cannot be, and a device is never replaced", async () => {
    const nowhere = await exportNow([...A_MONTH, "--out", join(temporaryDirectory(), "no", "rates.csv")]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toContain("cannot be written: ENOENT");
    const device = await exportNow([...A_MONTH, "--out", "/dev/null"]);
    expect(device.code).toBe(2);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });
  test("is the old one after kill -9 in the middle", async () => {
    const folder = temporaryDirectory();
    const out = join(folder, "rates.ndjson");
    writeFileSync(out, "old");
    const child = startExport([...EVERYTHING, "--out", out]);
    await inFlight(folder);
    child.kill("SIGKILL");
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    expect(readFileSync(out, "utf8")).toBe("old");
  });
  test("leaves nothing behind after Ctrl-C, neither beside it nor in the data directory", async () => {
    const folder = temporaryDirectory();
    const child = startExport([...EVERYTHING, "--out", join(folder, "rates.ndjson")]);
    await inFlight(folder);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
    const left = readdirSync(join(long["DATA_DIR"] as string, "exports")).filter((name) =>
      name.startsWith(`${child.pid}-`),
    );
    expect(left).toEqual([]);
    expect(await new Response(child.stderr).text()).not.toContain("crossrate export:");
  });
});

async function inFlight(folder: string): Promise<void> {
  const sizes = async () =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".tmp"))
      .map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  await until(sizes, ([size = 0]) => size > 0);
}

test("standard output by way of head: the first lines and no complaint", async () => {
  const args = EVERYTHING.map((column) => `'${column}'`).join(" ");
  const command = `${process.execPath} src/main.ts export ${args} | head -n 2; echo \${PIPESTATUS[0]}`;
  const env = { LOG_LEVEL: "silent", ...environment };
  const lines = (await runQuietly(["bash", "-c", command], { cwd: ROOT, env })).trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[2]).toBe("0");
});

test("quotes that a killed server left in its journal are in the export", async () => {
  const other = temporaryDirectory();
  for (const table of ["daily", "revisions", "held", "statements"])
    cpSync(join(directory, "lake", table), join(other, "lake", table), { recursive: true });
  await addQuotes(other, 20);
  const args = ["USD", "*", ...QUOTED.split(" "), "--interval", "tick"];
  const { code, out } = await runInProcess(["export", ...args], environmentOf(other));
  expect(code).toBe(0);
  expect(out.trim().split("\n")).toHaveLength(1 + 5 * 3 * 40 * 3 + 20 * 3);
});

test.each([
  [[], "backfill"],
  [["--demo"], "demo"],
])("a lake without rates is reported as such, with a remedy %p", async (flags, remedy) => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "lake"));
  const { code, err } = await runInProcess(["export", ...A_MONTH, ...flags], environmentOf(directory));
  expect(code).toBe(1);
  expect(err).toContain(`no rate has been collected yet; run crossrate ${remedy} first`);
});

test.each([
  ["--as-of-basis retrieved", "as_of_basis needs as_of"],
  ["--updated-after 2030-01-01T00:00:00Z", "updated_after 2030-01-01"],
  ["--aggregate mean", "aggregate needs interval=1w, 1mo, 1q, 1y"],
  ["--interval 1m --dp 2", "dp applies to daily rates only: leave it out with interval=1m"],
])("%s contradicts the other flags: code 2, with the reason", async (args, named) => {
  const { code, err, out } = await exportNow([...A_MONTH, ...args.split(" ")]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(named);
});

/** The fourth year of rates: nothing here depends on how long a history is. */
const EARLY = "2002-01-11T16:30:00Z";
const A_WEEK = ["USD", "EUR", "2002-01-05", "2002-01-10"];

test("the demo's rates are exported with a mark, and only with --demo", async () => {
  const environment = environmentOf(await simulatedDirectory(EARLY), EARLY);
  const marked = await runInProcess(["export", "--demo", ...A_WEEK], environment);
  expect(marked.code).toBe(0);
  expect(marked.out.split("\n")).toHaveLength(6);
  expect(marked.out).toMatch(/^date,base,symbol,rate.*\n2002-01-07,USD,EUR,\d\.\d+,ecb_daily,/);
  expect(marked.err).toContain("SIMULATED rates");

  const file = join(temporaryDirectory(), "demo.csv");
  const written = await runInProcess(["export", "--demo", ...A_WEEK, "--out", file], environment);
  expect(written.out).toMatch(/demo\.csv: csv, \d+ bytes, SIMULATED rates\n$/);
  expect(await Bun.file(file).text()).toBe(marked.out);

  expect(await runInProcess(["export", ...A_WEEK], environment)).toMatchObject({ code: 1, out: "" });
});

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
