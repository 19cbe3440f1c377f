/** `crossrate compact` as a person runs it: old versions gone, the same rows, beside a server and without one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { addQuotes, environmentOf, FIRST_QUOTED } from "#test/commands/lakes.ts";
import { type Process, runInProcess, startServe } from "#test/commands/process.ts";
import { stored } from "#test/store/archive/sample.ts";
import { checkFiles, filesInLog, partOf, partsOnDisk } from "#test/store/archive/table-log.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const running: Process[] = [];
afterAll(async () => {
  for (const one of running) await one.end("SIGKILL");
});

const made = temporaryDirectory();
beforeAll(() => addQuotes(made), 20_000);

/** A data directory with five dates of quotes, the last of them today. */
function quotedDirectory(): string {
  const directory = temporaryDirectory();
  cpSync(made, directory, { recursive: true });
  return directory;
}

const compact = (directory: string, args: readonly string[] = [], settings: Record<string, string> = {}) =>
  runInProcess(["compact", ...args], { ...environmentOf(directory), ...settings });

const rowsOf = (directory: string) => stored(join(directory, "lake"));

/** Dates that the table has, and data files on the disk, of whatever version. */
async function tableState(directory: string) {
  const lake = join(directory, "lake");
  const dates = (await filesInLog(lake)).map(({ date }) => date);
  return { dates, files: partsOnDisk(lake).length };
}

function indexesOf(directory: string): readonly string[] {
  return readdirSync(join(directory, "lake/intraday"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".ticks.cache"))
    .map((name) => name.slice("date=".length, "date=2026-04-10".length))
    .sort();
}

const CLOSED = ["2026-04-09", "2026-04-10", "2026-04-11", "2026-04-12"];
const DATES = [...CLOSED, "2026-04-13"];

describe("compact", () => {
  test("indexes every closed date, removes old versions, loses no row, and has nothing to do afterwards", async () => {
    const directory = quotedDirectory();
    const rows = await rowsOf(directory);
    expect(await tableState(directory)).toEqual({ dates: DATES, files: 15 });
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(
      /^4 closed dates of quotes, 4 of them indexed now\n10 old files of quotes removed: [\d.]+ kB\n$/,
    );
    expect(await rowsOf(directory)).toEqual([...rows]);
    expect(await tableState(directory)).toEqual({ dates: DATES, files: 5 });
    expect(indexesOf(directory)).toEqual(CLOSED);
    await checkFiles(join(directory, "lake"));

    const again = await compact(directory);
    expect(again).toMatchObject({ code: 0, out: "4 closed dates of quotes, 0 of them indexed now\n" });
    expect(await tableState(directory)).toEqual({ dates: DATES, files: 5 });
  });

  test("makes checkpoints of every table, and shortens nothing that is within the retention", async () => {
    const directory = quotedDirectory();
    await compact(directory);
    for (const table of ["daily", "revisions", "held", "intraday"]) {
      const log = readdirSync(join(directory, "lake", table, "_delta_log"));
      expect(log).toContain("00000000000000000000.json");
      if (table === "intraday") expect(log).toContain("_last_checkpoint");
    }
  });

  test("shows how far it is, in plain lines off a terminal, up to 100 % once", async () => {
    const { err } = await compact(quotedDirectory());
    const lines = err.trim().split("\n");
    expect(lines[0]).toMatch(/^indexing: \d+ %$/);
    expect(lines.filter((line) => line === "indexing: 100 %")).toHaveLength(1);
    for (const line of lines) expect(line).toMatch(/^indexing: \d+ %$/);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("compacts only the dates that it is given, both inclusive", async () => {
    const directory = quotedDirectory();
    const run = await compact(directory, ["--from", "2026-04-10", "--to=2026-04-11"]);
    expect(run.out).toContain("2 closed dates of quotes, 2 of them indexed now");
    expect(indexesOf(directory)).toEqual(["2026-04-10", "2026-04-11"]);
    expect((await compact(directory, ["--to", "2026-04-01"])).out).toBe(
      "there is no closed date of quotes\n",
    );
  });

  test("works while a server runs and owns the journal, and leaves retention to it", async () => {
    const directory = quotedDirectory();
    const rows = await rowsOf(directory);
    const server = await startServe({ ...environmentOf(directory), INTRADAY_DAYS: "2" });
    running.push(server);
    const question = `symbols=EUR&base=USD&start_date=${FIRST_QUOTED}&end_date=2026-04-13&interval=1h`;
    const bars = async () => (await (await fetch(`${server.url}/v1/range?${question}`)).json()).data;
    const archived = await bars();
    expect(archived.length).toBeGreaterThan(10);
    const run = await compact(directory, [], { INTRADAY_DAYS: "2" });
    expect(run.code).toBe(0);
    expect(run.out).toContain(
      "4 closed dates of quotes, 4 of them indexed now\n10 old files of quotes removed",
    );
    expect(run.out).toContain("INTRADAY_DAYS is seen to by the running server");
    expect(await rowsOf(directory)).toEqual([...rows]);
    expect(await bars()).toEqual(archived);
    expect(await server.end()).toBe(0);
  }, 30_000);

  test("brings into the table what a killed server left in the journal", async () => {
    const directory = temporaryDirectory();
    await addQuotes(directory, 20);
    const before = (await rowsOf(directory)).length;
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toContain("60 quotes brought from the journal into the table");
    expect(await rowsOf(directory)).toHaveLength(before + 60);
  }, 20_000);

  test("removes old dates only where INTRADAY_DAYS is set", async () => {
    const directory = quotedDirectory();
    await compact(directory);
    expect((await tableState(directory)).dates).toEqual(DATES);
    const run = await compact(directory, [], { INTRADAY_DAYS: "2" });
    expect(run.out).toContain("3 dates removed for their age, up to 2026-04-11");
    expect((await tableState(directory)).dates).toEqual(["2026-04-12", "2026-04-13"]);
    await checkFiles(join(directory, "lake"));
  });

  test("passes over a damaged date, names it, and sees to the others", async () => {
    const directory = quotedDirectory();
    const path = await partOf(join(directory, "lake"), "2026-04-10");
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(path, bytes);
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toContain("4 closed dates of quotes, 3 of them indexed now");
    const name = path.slice(join(directory, "lake/").length);
    expect(run.out).toContain(`${name} does not have its content (the log says 360 rows): passed over`);
    expect(indexesOf(directory)).toEqual(CLOSED.filter((date) => date !== "2026-04-10"));
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test("has nothing to do on an empty lake, and refuses one of simulated rates without touching it", async () => {
    expect(await compact(temporaryDirectory())).toMatchObject({
      code: 0,
      out: "there is no closed date of quotes\n",
    });
    const directory = temporaryDirectory();
    await (await openLake({ directory: join(directory, "lake"), simulated: true })).close();
    const { code, err } = await compact(directory);
    expect(code).toBe(1);
    expect(err).toContain("simulated");
    expect(existsSync(join(directory, "lake/intraday"))).toBe(false);
  });

  test.each([
    [["--from", "soon"], "--from soon: a calendar day, YYYY-MM-DD, is needed"],
    [["--to"], "option '--to <YYYY-MM-DD>' argument missing"],
    [["--from", "2026-04-12", "--to", "2026-04-11"], "--from is after --to"],
    [["--all"], "unknown option '--all'"],
  ])("refuses %j by name with code 2", async (args, named) => {
    const { code, err } = await runInProcess(["compact", ...args], environmentOf(temporaryDirectory()));
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(err).toContain("usage: crossrate compact");
  });
});
