/** A lake beside another ledger, or beside one that was restored from a backup, becomes a copy of what the ledger has. */

import { expect, test } from "bun:test";
import type { Ledger } from "#ports/ledger.ts";
import { filesOf } from "#store/delta/snapshot.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { CUSTOMS, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { diedAfter, type Work, workBetween } from "#test/store/died-writer.ts";
import { copyOf, query } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Copy, expected, from, openCopy, rowsOf, stored } from "./copies.ts";

const world = collectedForEach();

async function newLedger(): Promise<Ledger> {
  const newId = (prefix: string) => `${prefix}${crypto.randomUUID()}`;
  const options = { emit: () => {}, newId, clock: { now: () => NOW } };
  const ledger = await openLedger({ directory: temporaryDirectory() }, options);
  atEnd(() => ledger.close());
  return ledger;
}

/** A ledger that holds what the world's holds now: a backup of it. */
async function backup(): Promise<Ledger> {
  const ledger = await newLedger();
  for (const table of [FIX, DOF]) {
    const { versions } = await world.ledger.history.page(table.id, null, 1000);
    for (const version of versions) await ledger.outbox.publish([{ version, event: null }], NOW);
  }
  return ledger;
}

/** A copy of the world's two publications, and a ledger that was restored from a backup which was made between them. */
async function copiedAndRestored() {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  const restored = await backup();
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(2) });
  const copy = openCopy();
  await copy.follow(from(world.ledger));
  // The second time it has compared the versions one by one, and does not again unless it is told to.
  await copy.follow(from(world.ledger));
  return { copy, restored };
}

/** Publishes the world's second version in another ledger, with another content. */
async function publishOther(ledger: Ledger): Promise<void> {
  const { versions } = await world.ledger.history.page(FIX.id, { publication: "2026-04-09", version: 1 }, 1);
  for (const version of versions)
    await ledger.outbox.publish([{ version: { ...version, retrievedAt: NOW + 5 }, event: null }], NOW);
}

test("a ledger that was restored: what it lost goes, and stays readable; then it goes on", async () => {
  const { copy, restored } = await copiedAndRestored();
  const before = copy.table.latest()?.version ?? 0;
  const next = openCopy(copy.directory);
  expect(await next.follow(from(restored))).toEqual(["mex_fix"]);
  expect(await stored(copy.directory)).toEqual([...(await expected(restored))]);
  expect(next.table.at(before)?.files.size).toBe(1);
  await publishOther(restored);
  expect(await next.follow(from(restored))).toEqual(["mex_fix"]);
  expect(await stored(copy.directory)).toEqual([...(await expected(restored))]);
});

test.each([
  ["the next process", (directory: string) => openCopy(directory)],
  [
    "a running process, which was told,",
    (_: string, running: Copy) => {
      running.forget();
      return running;
    },
  ],
])(
  "a ledger that was restored and has as many versions again, but other ones: %s makes the table its copy",
  async (_, by) => {
    const { copy, restored } = await copiedAndRestored();
    await publishOther(restored);
    expect(await by(copy.directory, copy).follow(from(restored))).toEqual(["mex_fix"]);
    expect(await stored(copy.directory)).toEqual([...(await expected(restored))]);
    expect(await openCopy(copy.directory).follow(from(restored))).toEqual([]);
  },
);

test("another ledger: one version makes the table its copy, however much was there, and its tables alone are left", async () => {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  await world.publish(DOF, "2026-04-09");
  const copy = openCopy();
  await copy.follow(from(world.ledger, "ins_one"));
  const before = copy.table.latest()?.version ?? 0;
  const other = await newLedger();
  const { versions } = await world.ledger.history.page(FIX.id, null, 1);
  for (const version of versions) {
    const another = { ...version, publication: "2026-04-08", validFrom: version.validFrom - 1 };
    await other.outbox.publish([{ version: another, event: null }], NOW);
  }
  const next = openCopy(copy.directory);
  expect(await next.follow(from(other, "ins_two"))).toEqual(["mex_fix", "mex_dof"]);
  expect(next.table.latest()?.version).toBe(before + 1);
  expect(await stored(copy.directory)).toEqual([...(await expected(other))]);
  const again = openCopy(copy.directory);
  expect(await again.follow(from(other, "ins_two"))).toEqual([]);
  expect(await again.follow(from(world.ledger, "ins_one"))).toEqual(["mex_fix", "mex_dof"]);
  expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
});

// A copy that ended between any two of its effects: readers see the state before or after it, and the next run completes it, once.
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
