/** The comparison that a conversion must pass before an old file goes: a row that is missing, changed or made up is noticed. */

import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Add } from "#store/delta/actions.ts";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { compareFigures, compareHeld } from "#store/lake/conversion/compare.ts";
import { oldFiles } from "#store/lake/conversion/old-files.ts";
import { openLake } from "#store/lake/lake.ts";
import { openDailyTables } from "#store/lake/state.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Death, oldLake } from "./old-lakes.ts";

type Adds = Readonly<Record<"daily" | "revisions" | "held", readonly Add[]>>;

/** An old lake, the same one converted, and the outcome of comparing the former with changed files of the latter. */
async function compared(death: Death | null) {
  const root = temporaryDirectory();
  const [old, converted] = [join(root, "old"), join(root, "new")];
  for (const directory of [old, converted]) cpSync(oldLake(death), directory, { recursive: true });
  await (await openLake({ directory: converted, simulated: false })).close();
  const tables = openDailyTables(converted, "real");
  const addsOf = (name: keyof Adds) => filesOf(tables[name].latest() as Snapshot);
  const adds: Adds = { daily: addsOf("daily"), revisions: addsOf("revisions"), held: addsOf("held") };
  const compare = (change: (adds: Adds) => Partial<Adds>) =>
    withEngine(root, async (connection) => {
      const changed = { ...adds, ...change(adds) };
      const files = oldFiles(old);
      const held = files.filter(({ table }) => table === "held");
      await compareFigures(connection, tables, changed, old, files);
      await compareHeld(connection, tables, changed.held, old, held);
    }).then(
      () => null,
      (fault: unknown) => String(fault),
    );
  /** The same file with one row changed, as an action that names it. */
  const altered = async (name: keyof Adds, replaced: string): Promise<readonly Add[]> => {
    const [first, ...rest] = adds[name] as [Add, ...Add[]];
    const path = first.path.replace(/part-.*/, "altered.parquet");
    const [from, to] = [tables[name].pathOf(first), join(tables[name].directory, path)];
    mkdirSync(join(to, ".."), { recursive: true });
    await withEngine(root, (connection) =>
      connection.run(
        `COPY (SELECT * REPLACE (${replaced}) FROM (SELECT *, row_number() OVER () AS nth FROM read_parquet('${from}', hive_partitioning = false)))
         TO '${to}' (FORMAT parquet)`,
      ),
    );
    return [{ ...first, path }, ...rest];
  };
  return { adds, compare, altered };
}

const last = (adds: readonly Add[]) => adds.slice(0, -1);
const doubled = (adds: readonly Add[]) => [...adds, adds[0] as Add];

describe.each([
  ["of a lake in order", null],
  ["of a lake with rows in both tables", "between superseded and current files"],
] as const)("%s", async (_, death) => {
  const { adds, compare, altered } = await compared(death);

  test("what a conversion makes is the same", async () => {
    expect(await compare(() => ({}))).toBeNull();
  });

  test.each(["daily", "revisions", "held"] as const)(
    "a file of %s that is missing, or there twice",
    async (name) => {
      expect(await compare((of) => ({ [name]: last(of[name]) }))).toMatch(
        /would lose or change [1-9]\d* rows and make up 0/,
      );
      expect(await compare((of) => ({ [name]: doubled(of[name]) }))).toMatch(
        /would lose or change 0 rows and make up [1-9]/,
      );
    },
  );

  test.each([
    ["daily", "CASE WHEN nth = 7 THEN printed || '0' ELSE printed END AS printed"],
    ["daily", "CASE WHEN nth = 7 THEN document || 'x' ELSE document END AS document"],
    ["daily", "CASE WHEN nth = 1 THEN NULL ELSE published_at END AS published_at"],
    [
      "daily",
      "CASE WHEN nth = 7 THEN retrieved_at + INTERVAL 1 MILLISECOND ELSE retrieved_at END AS retrieved_at",
    ],
    ["revisions", "CASE WHEN nth = 1 THEN revision + 1 ELSE revision END AS revision"],
    ["held", "CASE WHEN nth = 1 THEN reason || '.' ELSE reason END AS reason"],
  ] as const)("a row of %s with %s", async (name, replaced) => {
    const files = await altered(name, replaced);
    expect(files).toHaveLength(adds[name].length);
    expect(await compare(() => ({ [name]: files }))).toMatch(/would lose or change 1 rows and make up \d/);
  });
});
