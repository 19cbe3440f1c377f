/** A copy that ended between any two of its effects: readers see the state before or after it, and the next run completes it, once. */

import { expect, test } from "bun:test";
import { filesOf } from "#store/delta/snapshot.ts";
import { CUSTOMS, collectedForEach, FIX } from "#test/official/collected.ts";
import { diedAfter, type Work, workBetween } from "#test/store/died-writer.ts";
import { copyOf, query } from "#test/store/lake/sample.ts";
import { expected, from, openCopy, rowsOf, stored } from "./copies.ts";

const world = collectedForEach();

const ORDER = [
  /^official\/table_id=.*\.parquet$/,
  /^official\/_delta_log\/\d+\.json$/,
  /^official\/_delta_log\/\.head\.json$/,
  /^current\//,
];

/** A lake before and after a copy of news, corrections and a table's first publication. */
async function copied(): Promise<Work> {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(2) });
  const copy = openCopy();
  await copy.follow(from(world.ledger));
  const before = copyOf(copy.directory);
  await world.publish(FIX, "2026-04-13", { rows: rowsOf(3) });
  await world.publish(FIX, "2026-04-09", { version: 2, rows: rowsOf(4) });
  await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", rows: rowsOf(5) });
  await copy.follow(from(world.ledger));
  return workBetween(before, copy.directory, ORDER);
}

/** Lines of the files that the log names, as any reader of the log finds them. */
async function seen(directory: string): Promise<readonly string[]> {
  const { table } = openCopy(directory);
  const snapshot = table.latest();
  if (snapshot === null) return [];
  expect(await table.verifier.audit(snapshot.files.values())).toEqual([]);
  const rows: string[] = [];
  for (const add of filesOf(snapshot))
    for (const row of await query(
      `SELECT publication, version, base, printed FROM read_parquet('${table.pathOf(add)}', file_row_number = true)
       ORDER BY file_row_number`,
    ))
      rows.push(`${add.partitionValues["table_id"]} ${Object.values(row).join(" ")}`);
  return rows;
}

test("a copy that ended after any of its effects is seen whole or not at all, and is completed by the next run", async () => {
  const made = await copied();
  expect(made.effects).toHaveLength(6);
  const complete = await expected(world.ledger);
  for (let count = 0; count <= made.effects.length; count++) {
    const directory = diedAfter(made, count);
    const committed = count >= 3;
    expect(await seen(directory)).toEqual([...(await seen(committed ? made.after : made.before))]);

    const next = openCopy(directory);
    expect(await next.follow(from(world.ledger))).toEqual(committed ? [] : ["mex_fix", "gbr_customs"]);
    expect(await stored(directory)).toEqual([...complete]);
    expect(await seen(directory)).toEqual([...(await seen(made.after))]);
    const { version = 0 } = next.table.latest() ?? {};
    expect(await next.follow(from(world.ledger))).toEqual([]);
    expect(next.table.latest()?.version).toBe(version);
    expect(next.emitted).toEqual([]);
  }
});
