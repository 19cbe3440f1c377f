/** Statements of routes: committed with the figures, preserved by every opening and dropped by a repair. */

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Retrieval, Statement } from "#domain/acceptance/statements.ts";
import { openLake } from "#store/lake/lake.ts";
import { repairDaily } from "#store/lake/maintain.ts";
import { fill, withEngine } from "#store/parquet/engine.ts";
import { flip } from "#test/store/delta/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { add, day, firstChange, loggedFiles, observation, openedLake, query } from "./sample.ts";

const row = (more: Partial<Statement> = {}): Statement => ({
  source: "ecb_daily",
  route: "sdmx",
  base: "EUR",
  quote: "USD",
  first: day("2024-12-30"),
  last: day("2025-01-02"),
  says: "current",
  printed: null,
  since: null,
  ...more,
});
const STATEMENTS: readonly Statement[] = [
  row({
    route: "files/daily XML",
    first: day("2025-01-02"),
    says: "value",
    printed: "1.0320",
    since: 1_735_830_000_000,
  }),
  row(),
  row({ last: day("2024-12-30"), says: "nothing" }),
];
const RETRIEVALS: readonly Retrieval[] = [
  {
    source: "ecb_daily",
    route: "files/90-day XML",
    from: day("2024-10-01"),
    at: 1_735_830_000_000,
    newest: day("2025-01-02"),
    modifiedAt: 1_735_829_000_000,
  },
];

async function written(): Promise<string> {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() => ({ ...firstChange(), statements: STATEMENTS, retrievals: RETRIEVALS }));
  await lake.close();
  return directory;
}

const files = (directory: string) => loggedFiles(directory, "statements");

test("they are read back as they were written, from the files and from the cache, and stay where a change has none", async () => {
  const directory = await written();
  for (const round of ["from the files", "from the cache"]) {
    const lake = await openedLake(directory);
    const { statements, retrievals } = await lake.read();
    expect([round, statements, retrievals]).toEqual([round, STATEMENTS, RETRIEVALS]);
    await lake.close();
  }
  const lake = await openedLake(directory);
  await add(lake, { accepted: [observation("2025-01-03", "USD", "1.0299")] });
  expect((await lake.read()).statements).toEqual(STATEMENTS);
  expect((await lake.read()).retrievals).toEqual(RETRIEVALS);
  await lake.close();
  const rows = await query(`SELECT * FROM read_parquet('${files(directory)[0]}')`);
  expect(rows[0]).toMatchObject({
    route: "files/daily XML",
    first: "2025-01-02",
    says: "value",
    printed: "1.0320",
  });
  expect(rows[1]).toMatchObject({ says: "current", printed: null });
});

test("a change of them alone is no new version of the dataset, and the record has it", async () => {
  const directory = await written();
  const lake = await openedLake(directory);
  await lake.read();
  const version = await lake.version();
  const statements = [row({ last: day("2025-01-03") })];
  expect(await add(lake, { statements })).toBe(version);
  expect((await lake.read()).statements).toEqual(statements);
  // A cache of the state before is not believed.
  await lake.close();
  const next = await openedLake(directory);
  expect((await next.read()).statements).toEqual(statements);
  expect(await next.version()).toBe(version);
});

test("damage to them is named and refuses what would write them; figures are served; a repair drops them all", async () => {
  const directory = await written();
  const path = files(directory)[0] as string;
  flip(path, 200);
  const lake = await openedLake(directory);
  const { damaged, statements, observations } = await lake.read();
  expect(damaged).toMatchObject([{ table: "statements", source: null, year: null }]);
  expect([statements, observations.count]).toEqual([[], 6]);
  const refused = add(lake, { statements: [row()] });
  await expect(refused).rejects.toThrow(/so nothing is written beside it/);
  await lake.close();
  const { steps, collectAgain } = await repairDaily(directory, Date.now(), true);
  expect(steps.join()).toContain("statements/");
  expect(collectAgain).toEqual(["ecb_daily", "fred_daily"]);
  const mended = await openedLake(directory);
  const record = await mended.read();
  expect([record.statements, record.damaged, record.observations.count]).toEqual([[], [], 6]);
  // What is collected again counts from the schedule: this server had it before.
  expect(record.retrievals).toMatchObject([{ at: 0 }]);
  expect(readdirSync(join(directory, "damaged")).length).toBeGreaterThan(0);
});

test("a repair of figures drops the routes' statements: an older statement would look like a change", async () => {
  const directory = await written();
  flip(loggedFiles(directory, "daily")[0] as string, 300);
  await repairDaily(directory, Date.now(), true);
  const lake = await openedLake(directory);
  expect((await lake.read()).statements).toEqual([]);
});

// The lake's DuckDB is confined: its own directory, no network, no settings changed afterwards, no text that ends a literal.
const directory = temporaryDirectory();

test.each([
  ["a file elsewhere", "SELECT * FROM read_text('/etc/hostname')"],
  ["a file above it", `SELECT * FROM read_text('${directory}/../secret')`],
  ["the network", "SELECT * FROM read_csv('https://example.org/x.csv')"],
  ["an extension", "INSTALL httpfs"],
  ["opening up again", "SET enable_external_access = true"],
  ["another memory limit", "SET memory_limit = '64GB'"],
])("%s is refused", async (_, sql) => {
  expect(withEngine(directory, (connection) => connection.run(sql))).rejects.toThrow();
});

test("a directory whose name holds quotes works like any other", async () => {
  const lake = await openLake({ directory: join(directory, "it's {here} "), simulated: false });
  await lake.commit(() => firstChange());
  expect((await lake.read()).observations.count).toBe(6);
  await lake.close();
});

test("a value that was forgotten is an error", () => {
  expect(() => fill("{missing}", {})).toThrow("no value for {missing}");
});
