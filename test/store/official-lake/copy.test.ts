/** The lake's table of publications is the ledger's content: every row of every version, once, in order, whatever came when. */

import { describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openChain } from "#store/chain/chain.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { repairTable } from "#store/delta/repair.ts";
import { WrongMode } from "#store/delta/schema.ts";
import { OFFICIAL, OFFICIAL_LOCK, openOfficialLake } from "#store/official-lake/official-lake.ts";
import { CUSTOMS, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { entriesOf } from "#test/store/chain/signed-lake.ts";
import { flip } from "#test/store/delta/sample.ts";
import { query } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Copy, expected, filesBesideLog, from, openCopy, rowsOf, stored, watched } from "./copies.ts";

const world = collectedForEach();

describe("what is copied", () => {
  test("is every row of every version with its validity, its digits and its document, in order", async () => {
    await world.publish(FIX, "2026-04-10", { rate: "17.3400", publishedAt: 1_775_000_000_123 });
    await world.publish(CUSTOMS, "2026-05", {
      validFrom: "2026-05-01",
      validTo: "2026-05-31",
      rows: rowsOf(5, 7),
    });
    await world.publish(FIX, "2026-04-13", { rows: rowsOf(9) });
    await world.publish(FIX, "2026-04-13", { version: 2, rows: rowsOf(10), retrievedAt: 1_776_100_000_001 });
    await world.publish(FIX, "b-2026-04-10", { validFrom: "2026-04-10", rate: "0017.5" });
    const copy = openCopy();
    expect(await copy.follow(from(world.ledger))).toEqual(["mex_fix", "gbr_customs"]);
    const lines = await stored(copy.directory);
    expect(lines).toEqual([...(await expected(world.ledger))]);
    expect(lines).toHaveLength(15);
    expect(lines.find((line) => line.includes("b-2026-04-10"))).toContain(" 17.5 0017.5 1 mid ");
    expect(copy.emitted).toEqual([]);
  });

  test("is signed commit by commit, from the one that makes the table on", async () => {
    const dataDir = temporaryDirectory();
    const directory = join(dataDir, "lake");
    const chain = openChain({ directory, keys: { dataDir, fromSetting: [] }, mode: "real" });
    const lake = openOfficialLake({ directory, simulated: false, chain });
    await world.publish(FIX, "2026-04-10");
    await lake.follow(from(world.ledger));
    await lake.close();
    expect(entriesOf(dataDir)).toMatchObject([
      { kind: "begin" },
      { table: "official", version: 0 },
      { table: "official", version: 1 },
    ]);
  });

  test("follows corrections that move a publication, and publications that come late or lie ahead", async () => {
    const copy = openCopy();
    const dates = ["2026-04-09", "2026-04-01", "2026-04-13", "2026-04-02", "2026-05-01"];
    for (const [nth, date] of dates.entries()) {
      await world.publish(FIX, date, { rows: rowsOf(nth) });
      await copy.follow(from(world.ledger));
      expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
    }
    await world.publish(FIX, "2026-04-09", { version: 2, validFrom: "2026-03-15", rows: rowsOf(77) });
    expect(await copy.follow(from(world.ledger))).toEqual(["mex_fix"]);
    expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
    expect(copy.table.latest()?.files.size).toBe(1);
  });

  test("what is in the lake of a table that is unknown to this release is left unchanged", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(DOF, "2026-04-10");
    const copy = openCopy();
    await copy.follow(from(world.ledger));
    await world.publish(DOF, "2026-04-13");
    await copy.follow({ ...from(world.ledger), tables: [DOF] });
    expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
  });
});

describe("when it is copied", () => {
  test("a run that finds nothing new makes no version and reads no rates, in this process and in the next", async () => {
    await world.publish(FIX, "2026-04-10");
    const copy = openCopy();
    await copy.follow(from(world.ledger));
    const version = copy.table.latest()?.version;
    let reads = 0;
    for (const one of [copy, openCopy(copy.directory)])
      expect(await one.follow(watched(from(world.ledger), () => (reads += 1)))).toEqual([]);
    expect([copy.table.latest()?.version, reads]).toEqual([version, 0]);
  });

  test("only tables with something new get a file, all of them in one version", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01" });
    const copy = openCopy();
    await copy.follow(from(world.ledger));
    const before = copy.table.latest();
    const kept = [...(before?.files.keys() ?? [])].find((path) => path.includes("gbr_customs")) ?? "";
    await world.publish(FIX, "2026-04-13");
    await world.publish(DOF, "2026-04-13");
    await copy.follow(from(world.ledger));
    const after = copy.table.latest();
    expect(after?.version).toBe((before?.version ?? 0) + 1);
    expect(after?.files.has(kept)).toBe(true);
    expect(after?.files.size).toBe(3);
  });

  test("two processes copy the same ledger into one lake, and each version is there once", async () => {
    const first = openCopy();
    const second = openCopy(first.directory);
    for (const date of ["2026-04-08", "2026-04-09", "2026-04-10", "2026-04-13"]) {
      await world.publish(FIX, date);
      await Promise.all([first.follow(from(world.ledger)), second.follow(from(world.ledger))]);
    }
    expect(await stored(first.directory)).toEqual([...(await expected(world.ledger))]);
  });

  test("nothing is made before the first run, and nothing of the other kind of rates is touched", async () => {
    const copy = openCopy();
    expect(existsSync(join(copy.directory, "official"))).toBe(false);
    expect(await copy.audit()).toEqual([]);
    await copy.upkeep();
    expect(existsSync(join(copy.directory, "official"))).toBe(false);
    await copy.follow(from(world.ledger));
    const other = openOfficialLake({ directory: copy.directory, simulated: true });
    await expect(other.follow(from(world.ledger))).rejects.toThrow(WrongMode);
    await other.close();
  });

  test("a run that is called off leaves nothing behind, and the next one copies everything", async () => {
    for (let nth = 0; nth < 80; nth++) await world.publish(FIX, `p-${nth}`, { validFrom: "2026-04-01" });
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01" });
    const copy = openCopy();
    const ending = new AbortController();
    let reads = 0;
    const called = watched(from(world.ledger), () => {
      reads += 1;
      // The file of the first table is written then.
      if (reads === 3) ending.abort();
    });
    await expect(copy.follow(called, ending.signal)).rejects.toThrow();
    expect(reads).toBe(3);
    expect(filesBesideLog(copy.directory)).toEqual([]);
    await copy.follow(from(world.ledger));
    expect(await stored(copy.directory)).toHaveLength(81);
  });
});

test("the fixed name below current/ is the table's own file, and the file has the columns of the table", async () => {
  await world.publish(FIX, "2026-04-10");
  const copy = openCopy();
  await copy.follow(from(world.ledger));
  const [add] = [...(copy.table.latest()?.files.values() ?? [])];
  const current = join(copy.directory, "current/official/table_id=mex_fix/publications.parquet");
  expect(statSync(current).ino).toBe(statSync(join(copy.directory, "official", add?.path ?? "")).ino);
  const columns = await query(`DESCRIBE SELECT * FROM read_parquet('${current}', hive_partitioning = false)`);
  expect(columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
    "country VARCHAR",
    "authority VARCHAR",
    "publication VARCHAR",
    "version INTEGER",
    "valid_from DATE",
    "valid_to DATE",
    "published_at TIMESTAMP WITH TIME ZONE",
    "retrieved_at TIMESTAMP WITH TIME ZONE",
    "base VARCHAR",
    "quote VARCHAR",
    "rate DOUBLE",
    "printed VARCHAR",
    "unit INTEGER",
    "kind VARCHAR",
    "source_url VARCHAR",
    "document_sha256 VARCHAR",
  ]);
});

// Damage on either side of the copy: nothing is written over what is damaged, other tables go on, and the ledger mends the lake.
const repair = (directory: string, apply: boolean) =>
  repairTable(directory, OFFICIAL, [OFFICIAL_LOCK], NOW, apply);

const HARMS: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path),
  changed: (path) => flip(path, 50),
};

/** Two tables in a lake; the path of the file of one of them, as the log says it. */
async function copied(): Promise<{ readonly copy: Copy; readonly path: string }> {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(2) });
  await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01" });
  const copy = openCopy();
  await copy.follow(from(world.ledger));
  const found = [...(copy.table.latest()?.files.keys() ?? [])].find((path) => path.includes(FIX.id)) ?? "";
  return { copy, path: found };
}

describe.each(Object.entries(HARMS))("a file of the lake that is %s", (kind, harm) => {
  test("is reported, named by an audit, and not overwritten; other tables continue", async () => {
    const { copy, path } = await copied();
    harm(join(copy.directory, "official", path));
    const next = openCopy(copy.directory);
    expect(await next.audit()).toMatchObject([{ table: "official", path, kind }]);
    await world.publish(FIX, "2026-04-13");
    await world.publish(CUSTOMS, "2026-05", { validFrom: "2026-05-01" });
    for (const written of [["gbr_customs"], []])
      expect(await next.follow(from(world.ledger))).toEqual(written);
    expect(next.table.latest()?.files.has(path)).toBe(true);
    const lines = await stored(copy.directory).catch(() => []);
    expect(lines.filter((line) => line.includes("2026-05"))).toHaveLength(kind === "missing" ? 1 : 0);
    expect(next.emitted).toHaveLength(1);
    expect(next.emitted[0]).toMatchObject({ kind: "lake_damaged", detail: expect.stringContaining(path) });
  });

  test("is set aside by the operator's repair, and the next run brings its rows back", async () => {
    const { copy, path } = await copied();
    harm(join(copy.directory, "official", path));
    await copy.close();
    expect(await repair(copy.directory, false)).toEqual([expect.stringContaining(`official/${path}`)]);
    expect(openCopy(copy.directory).table.latest()?.files.has(path)).toBe(true);
    expect(await repair(copy.directory, true)).toHaveLength(1);
    expect(await repair(copy.directory, true)).toEqual([]);
    const next = openCopy(copy.directory);
    expect(await next.audit()).toEqual([]);
    const aside = [...new Bun.Glob(`damaged/*/official/${path}`).scanSync(copy.directory)];
    expect(aside).toHaveLength(kind === "missing" ? 0 : 1);
    expect(await next.follow(from(world.ledger))).toEqual(["mex_fix"]);
    expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
  });
});

test.each([
  ["a log that lost its newest entry", "00000000000000000001.json"],
  ["a table that lost its log", ""],
])("%s is refused by the copy and continues after a repair, complete again", async (_, lost) => {
  const { copy } = await copied();
  expect(copy.table.latest()?.version).toBe(1);
  rmSync(join(copy.table.log.folder, lost), { recursive: true });
  await expect(openCopy(copy.directory).follow(from(world.ledger))).rejects.toThrow(LakeDamaged);
  const plan = await repair(copy.directory, false);
  expect(plan.length).toBeGreaterThan(0);
  expect(await repair(copy.directory, true)).toEqual(expect.arrayContaining([...plan]));
  const next = openCopy(copy.directory);
  expect(await next.follow(from(world.ledger))).not.toEqual([]);
  expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
});

test("a table with a version that is damaged in the ledger stays as it is in the lake, reported once; others go on", async () => {
  const { copy } = await copied();
  const before = await stored(copy.directory);
  await world.damage("2026-04-09");
  await world.publish(FIX, "2026-04-13", { rows: rowsOf(3) });
  await world.publish(CUSTOMS, "2026-05", { validFrom: "2026-05-01" });
  for (const written of [["gbr_customs"], []]) expect(await copy.follow(from(world.ledger))).toEqual(written);
  const lines = await stored(copy.directory);
  expect(lines.filter((line) => !line.includes("2026-05"))).toEqual([...before]);
  expect(lines).toHaveLength(before.length + 1);
  expect(copy.emitted).toMatchObject([
    { kind: "publication_damaged", table: "mex_fix", publication: "2026-04-09" },
  ]);
});
