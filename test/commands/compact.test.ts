/** `crossrate compact` as a person runs it: smaller files with the same rows, beside a server and without one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openLake } from "#store/lake/lake.ts";
import { stored } from "#test/store/archive/sample.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { addQuotes, environmentOf, FIRST_QUOTED } from "./lakes.ts";
import { type Process, runCommand, sayCommand, startServe } from "./process.ts";

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

const compact = (directory: string, words: readonly string[] = [], settings: Record<string, string> = {}) =>
  runCommand(["compact", ...words], { ...environmentOf(directory), ...settings });

const rowsOf = (directory: string) => stored(join(directory, "lake"));

function bytesByDate(directory: string): Record<string, number> {
  const text = readFileSync(join(directory, "lake/intraday/manifest.json"), "utf8");
  const { files } = JSON.parse(text) as { files: { path: string; bytes: number }[] };
  return Object.fromEntries(
    files.map(({ path, bytes }) => {
      expect(Bun.file(join(directory, "lake", path)).size).toBe(bytes);
      return [path.slice("intraday/date=".length, -"/quotes.parquet".length), bytes];
    }),
  );
}

const SUMMARY = /^(\d+) of (\d+) closed dates rewritten: ([\d,]+) rows, (\d+\.\d kB) → (\d+\.\d kB)$/m;

describe("compact", () => {
  test("makes every closed date smaller, keeps every row, leaves today alone, and has nothing to do afterwards", async () => {
    const directory = quotedDirectory();
    const [rows, before] = [await rowsOf(directory), bytesByDate(directory)];
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(SUMMARY.exec(run.out)?.slice(1, 4)).toEqual(["4", "4", "1,440"]);
    expect(await rowsOf(directory)).toEqual([...rows]);
    const after = bytesByDate(directory);
    for (const [date, bytes] of Object.entries(after)) {
      if (date === "2026-04-13") expect(bytes).toBe(before[date] as number);
      else expect(bytes).toBeLessThan(before[date] as number);
    }
    const sum = (of: Record<string, number>) =>
      Object.entries(of).reduce((total, [date, bytes]) => total + (date === "2026-04-13" ? 0 : bytes), 0);
    expect(run.out).toContain(`${(sum(before) / 1000).toFixed(1)} kB → ${(sum(after) / 1000).toFixed(1)} kB`);

    const again = await compact(directory);
    expect(again).toMatchObject({ code: 0, out: "4 closed dates, nothing to rewrite\n" });
    expect(bytesByDate(directory)).toEqual(after);
  });

  test("shows how far it is, in plain lines off a terminal; every pass ends at 100 % once", async () => {
    const { err } = await compact(quotedDirectory());
    const lines = err.trim().split("\n");
    expect(lines[0]).toMatch(/^compacting: \d+ %$/);
    expect(lines.filter((line) => line === "compacting: 100 %")).toHaveLength(1);
    for (const line of lines) expect(line).toMatch(/^(compacting|giving room back(, second pass)?): \d+ %$/);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test("keeps to the dates that it is given, both inclusive", async () => {
    const directory = quotedDirectory();
    const before = bytesByDate(directory);
    const run = await compact(directory, ["--from", "2026-04-10", "--to=2026-04-11"]);
    expect(SUMMARY.exec(run.out)?.slice(1, 3)).toEqual(["2", "2"]);
    const after = bytesByDate(directory);
    const changed = Object.keys(after).filter((date) => after[date] !== before[date]);
    expect(changed).toEqual(["2026-04-10", "2026-04-11"]);
    expect((await compact(directory, ["--to", "2026-04-01"])).out).toBe(
      "there is no closed date to compact\n",
    );
  });

  test("works while a server runs and owns the journal, and leaves retention to it", async () => {
    const directory = quotedDirectory();
    const rows = await rowsOf(directory);
    const server = await startServe({ ...environmentOf(directory), INTRADAY_DAYS: "2" });
    running.push(server);
    const question = `symbols=EUR&base=USD&start_date=${FIRST_QUOTED}&end_date=2026-04-13&interval=1h`;
    const bars = async () => (await (await fetch(`${server.url}/v1/range?${question}`)).json()).data;
    const shown = await bars();
    expect(shown.length).toBeGreaterThan(10);
    const run = await compact(directory, [], { INTRADAY_DAYS: "2" });
    expect(run.code).toBe(0);
    expect(run.out).toMatch(SUMMARY);
    expect(run.out).toContain("INTRADAY_DAYS is seen to by the running server");
    expect(await rowsOf(directory)).toEqual([...rows]);
    expect(await bars()).toEqual(shown);
    expect(await server.end()).toBe(0);
  }, 30_000);

  test("brings into the files what a killed server left in the journal", async () => {
    const directory = temporaryDirectory();
    await addQuotes(directory, 20);
    const before = (await rowsOf(directory)).length;
    const run = await compact(directory);
    expect(run.code).toBe(0);
    expect(run.out).toContain("60 quotes brought from the journal into the files");
    expect(await rowsOf(directory)).toHaveLength(before + 60);
  }, 20_000);

  test("removes old dates only where INTRADAY_DAYS is set", async () => {
    const directory = quotedDirectory();
    await compact(directory);
    expect(Object.keys(bytesByDate(directory))).toHaveLength(5);
    const run = await compact(directory, [], { INTRADAY_DAYS: "2" });
    expect(run.out).toContain("3 dates removed for their age, up to 2026-04-11");
    expect(Object.keys(bytesByDate(directory))).toEqual(["2026-04-12", "2026-04-13"]);
  });

  test("has nothing to do on an empty lake, and refuses one of simulated rates without touching it", async () => {
    expect(await compact(temporaryDirectory())).toMatchObject({
      code: 0,
      out: "there is no closed date to compact\n",
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
    [["--to"], "--to has no value"],
    [["--from", "2026-04-12", "--to", "2026-04-11"], "--from is after --to"],
    [["--all"], "there is no --all; allowed are --from, --to"],
  ])("refuses %j by name with code 2", async (words, named) => {
    const { code, err } = await sayCommand(["compact", ...words], environmentOf(temporaryDirectory()));
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(err).toContain("usage: crossrate compact");
  });
});
