/** `crossrate compact` as a person runs it: old versions gone, the same rows, beside a server and without one. */

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { addQuotes, environmentOf, FIRST_QUOTED } from "#test/commands/lakes.ts";
import { runInProcess, startServe } from "#test/commands/process.ts";
import { stored } from "#test/store/archive/sample.ts";
import { checkFiles, filesInLog, partsOnDisk } from "#test/store/archive/table-log.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const made = temporaryDirectory();
await addQuotes(made);

/** A data directory with five dates of quotes, the last of them today. */
function quotedDirectory(): string {
  const directory = temporaryDirectory();
  cpSync(made, directory, { recursive: true });
  return directory;
}

const compact = (directory: string, args: readonly string[] = [], settings: Record<string, string> = {}) =>
  runInProcess(["compact", ...args], { ...environmentOf(directory), ...settings });

const rowsOf = (directory: string) => stored(join(directory, "lake"));

async function tableState(directory: string) {
  const lake = join(directory, "lake");
  const dates = filesInLog(lake).map(({ date }) => date);
  return { dates, files: partsOnDisk(lake).length };
}

const DATES = ["2026-04-09", "2026-04-10", "2026-04-11", "2026-04-12", "2026-04-13"];

describe("compact", () => {
  test("removes old versions, loses no row, and has nothing to do afterwards", async () => {
    const directory = quotedDirectory();
    const rows = await rowsOf(directory);
    expect(await tableState(directory)).toEqual({ dates: DATES, files: 15 });
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/^10 old files of quotes removed: [\d.]+ kB\n$/);
    expect(await rowsOf(directory)).toEqual([...rows]);
    expect(await tableState(directory)).toEqual({ dates: DATES, files: 5 });
    checkFiles(join(directory, "lake"));

    const again = await compact(directory);
    expect(again).toMatchObject({ code: 0, out: "no old files of quotes to remove\n" });
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

  test("works while a server runs and owns the journal, and leaves retention to it", async () => {
    const directory = quotedDirectory();
    const rows = await rowsOf(directory);
    const server = await startServe({ ...environmentOf(directory), INTRADAY_DAYS: "2" });
    const question = `symbols=EUR&base=USD&start_date=${FIRST_QUOTED}&end_date=2026-04-13&interval=1h`;
    const bars = async () => (await (await fetch(`${server.url}/v1/range?${question}`)).json()).data;
    const archived = await bars();
    expect(archived.length).toBeGreaterThan(10);
    const run = await compact(directory, [], { INTRADAY_DAYS: "2" });
    expect(run.code).toBe(0);
    expect(run.out).toContain("10 old files of quotes removed");
    expect(run.out).toContain("INTRADAY_DAYS is seen to by the running server");
    expect(await rowsOf(directory)).toEqual([...rows]);
    expect(await bars()).toEqual(archived);
    expect(await server.end()).toBe(0);
  });

  test("brings into the table what a killed server left in the journal", async () => {
    const directory = temporaryDirectory();
    await addQuotes(directory, 20);
    const before = (await rowsOf(directory)).length;
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toContain("60 quotes brought from the journal into the table");
    expect(await rowsOf(directory)).toHaveLength(before + 60);
  });

  test("removes old dates only where INTRADAY_DAYS is set", async () => {
    const directory = quotedDirectory();
    await compact(directory);
    expect((await tableState(directory)).dates).toEqual(DATES);
    // Days count from the newest quotes: a clock that is a year ahead empties nothing.
    const run = await compact(directory, [], { INTRADAY_DAYS: "2", NOW: "2027-04-13T16:30:00Z" });
    expect(run.out).toContain("3 dates removed for their age, up to 2026-04-11");
    expect((await tableState(directory)).dates).toEqual(["2026-04-12", "2026-04-13"]);
    checkFiles(join(directory, "lake"));
  });

  test("has nothing to do on an empty lake, and refuses one of simulated rates without touching it", async () => {
    expect(await compact(temporaryDirectory())).toMatchObject({
      code: 0,
      out: "no old files of quotes to remove\n",
    });
    const directory = temporaryDirectory();
    await (await openLake({ directory: join(directory, "lake"), simulated: true })).close();
    const { code, err } = await compact(directory);
    expect(code).toBe(1);
    expect(err).toContain("simulated");
    expect(existsSync(join(directory, "lake/intraday"))).toBe(false);
  });
});
