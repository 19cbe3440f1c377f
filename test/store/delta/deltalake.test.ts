/** Another implementation of the Delta protocol reads the tables: newest and older versions, with and without checkpoints. */

import { describe, expect, test } from "bun:test";
import { filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { checkpoint, cleanUp } from "#store/delta/upkeep.ts";
import { openLake } from "#store/lake/lake.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { copyOf, firstChange, query, secondChange } from "#test/store/lake/sample.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { DAY, grow, open, START } from "./sample.ts";

const python = optionalPython(["deltalake", "pyarrow"], "tables read by deltalake");

/** Prints for each requested version its number, its schema, and its rows as sorted JSON texts. */
const SCRIPT = `
import json, sys
from deltalake import DeltaTable

def answer(path, version):
    table = DeltaTable(path, version=version)
    rows = table.to_pyarrow_table().to_pylist()
    return {
        "version": table.version(),
        "files": len(table.file_uris()),
        "types": {field.name: str(field.type.type) for field in table.schema().fields},
        "comments": all(field.metadata.get("comment") for field in table.schema().fields),
        "rows": sorted(json.dumps(row, sort_keys=True, default=lambda value: value.isoformat()) for row in rows),
    }

print(json.dumps([answer(path, version) for path, version in json.load(sys.stdin)]))
`;

interface Answer {
  readonly version: number;
  readonly files: number;
  readonly types: Readonly<Record<string, string>>;
  readonly comments: boolean;
  readonly rows: readonly string[];
}

async function answersOf(
  questions: readonly (readonly [string, number | null])[],
): Promise<readonly Answer[]> {
  const child = Bun.spawn([python as string, "-c", SCRIPT], {
    stdin: new Blob([JSON.stringify(questions)]),
    stdout: "pipe",
    stderr: "inherit",
  });
  return JSON.parse(await new Response(child.stdout).text());
}

/** The same of a snapshot, by DuckDB over its list of files. */
async function rowsOf(table: Table, snapshot: Snapshot): Promise<readonly string[]> {
  const files = filesOf(snapshot).map((add) => `'${table.pathOf(add)}'`);
  if (files.length === 0) return [];
  const { partitions, columns } = table.definition;
  const printed = [...partitions, ...columns]
    .map(({ name, type }) => {
      const value =
        type === "timestamp"
          ? `strftime(${name}, CASE WHEN epoch_us(${name}) % 1000000 = 0 THEN '%Y-%m-%dT%H:%M:%S+00:00' ELSE '%Y-%m-%dT%H:%M:%S.%f+00:00' END)`
          : type === "date"
            ? `${name}::VARCHAR`
            : name;
      return [name, `${value} AS ${name}`] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text);
  const rows = await query(
    `SELECT ${printed.join(", ")} FROM read_parquet([${files.join(", ")}], hive_partitioning = true)`,
  );
  return rows.map((row) => JSON.stringify(canonical(row))).sort();
}

/** DuckDB's whole numbers beyond 32 bits come as texts. */
function canonical(row: Record<string, unknown>): Record<string, unknown> {
  const number = (name: string, value: unknown) =>
    typeof value === "string" && ["units", "year"].includes(name) ? Number(value) : value;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, number(name, value)]));
}

/** Python's texts parsed, so that spaces and digits of printing say nothing. */
function parsed(rows: readonly string[]): unknown[] {
  return rows.map((row) => JSON.stringify(JSON.parse(row))).sort();
}

describe.skipIf(python === null)("deltalake", () => {
  test("reads every version that is kept, also beyond a checkpoint and after entries and files were removed", async () => {
    const plain = temporaryDirectory();
    await grow(plain, open(plain), 8);
    const marked = copyOf(plain);
    const cleaned = copyOf(plain);
    for (const directory of [marked, cleaned]) {
      const table = open(directory);
      for (const version of [3, 6]) {
        const snapshot = table.at(version) as Snapshot;
        const retention = { now: snapshot.timestamp, keptMilliseconds: 9 * DAY };
        await withEngine(directory, (connection) => checkpoint(table, snapshot, connection, retention));
      }
    }
    const short = open(cleaned);
    await cleanUp(short, { now: START + 8 * DAY, keptMilliseconds: 2.5 * DAY });
    short.log.removeBefore(6);
    expect(short.at(5)).toBeNull();

    const questions = [
      ...[null, 8, 6, 4, 3, 0].map((version) => [plain, version] as const),
      ...[null, 8, 6, 4, 3, 0].map((version) => [marked, version] as const),
      ...[null, 8, 7, 6].map((version) => [cleaned, version] as const),
    ];
    const answers = await answersOf(
      questions.map(([directory, version]) => [open(directory).directory, version]),
    );
    for (const [nth, [directory, version]] of questions.entries()) {
      const table = open(directory);
      const snapshot = (version === null ? table.latest() : table.at(version)) as Snapshot;
      const { rows, ...answer } = answers[nth] as Answer;
      expect(answer).toMatchObject({ version: version ?? 8, files: snapshot.files.size, comments: true });
      expect(rows).toHaveLength(15 + (version ?? 8));
      expect(parsed(rows)).toEqual(parsed(await rowsOf(table, snapshot)));
    }
    expect(answers[0]?.types).toEqual({
      city: "string",
      day: "date",
      number: "integer",
      value: "double",
      word: "string",
      taken_at: "timestamp",
      note: "string",
    });
  }, 30_000);

  test("reads the tables of daily figures", async () => {
    const directory = temporaryDirectory();
    const lake = await openLake({ directory, simulated: false });
    await lake.commit(() => firstChange());
    await lake.commit(() => secondChange());
    await lake.upkeep();
    const { daily, revisions, held } = lake.tables;
    const tables = [daily, revisions, held];
    const older = (daily.latest()?.version as number) - 1;
    const answers = await answersOf([
      ...tables.map((table) => [table.directory, null] as const),
      [daily.directory, older] as const,
    ]);
    for (const [nth, table] of [...tables, daily].entries()) {
      const snapshot = (nth < 3 ? table.latest() : table.at(older)) as Snapshot;
      expect(parsed(answers[nth]?.rows ?? [])).toEqual(parsed(await rowsOf(table, snapshot)));
      expect(answers[nth]?.comments).toBe(true);
    }
    expect(answers.map(({ rows }) => rows.length)).toEqual([7, 2, 1, 6]);
    await lake.close();
  }, 30_000);
});
