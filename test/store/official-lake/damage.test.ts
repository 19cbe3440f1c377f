/** Damage on either side of the copy: nothing is written over what is damaged, other tables go on, and the ledger mends the lake. */

import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import { repairTable } from "#store/delta/repair.ts";
import { OFFICIAL, OFFICIAL_LOCK } from "#store/official-lake/official-lake.ts";
import { CUSTOMS, collectedForEach, FIX, NOW } from "#test/official/collected.ts";
import { flip } from "#test/store/delta/sample.ts";
import { type Copy, expected, from, openCopy, rowsOf, stored } from "./copies.ts";

const world = collectedForEach();
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

test("a log that lost its newest entry is refused by the copy and continues after a repair, complete again", async () => {
  const { copy } = await copied();
  const version = copy.table.latest()?.version ?? 0;
  rmSync(join(copy.table.log.folder, `${String(version).padStart(20, "0")}.json`));
  await expect(openCopy(copy.directory).follow(from(world.ledger))).rejects.toThrow(LakeDamaged);
  expect((await repair(copy.directory, true)).length).toBeGreaterThan(0);
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
