/** A lake beside another ledger, or beside one that was restored from a backup, becomes a copy of what the ledger has, and reports it. */

import { expect, test } from "bun:test";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expected, from, openCopy, rowsOf, stored } from "./copies.ts";

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
    const { versions } = await world.ledger.history.read(
      table.id,
      await world.ledger.history.keys(table.id, null, 1000),
    );
    for (const version of versions) await ledger.outbox.publish([{ version, event: null }], NOW);
  }
  return ledger;
}

test("a ledger that was restored: what it lost goes, also where it has collected as many versions since", async () => {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  const restored = await backup();
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(2) });
  const copy = openCopy();
  await copy.follow(from(world.ledger));
  const before = copy.table.latest()?.version ?? 0;

  const [version] = (await world.ledger.history.read(FIX.id, [{ publication: "2026-04-10", version: 1 }]))
    .versions;
  if (version === undefined) throw new Error("not published");
  await restored.outbox.publish([{ version: { ...version, retrievedAt: NOW + 5 }, event: null }], NOW);
  const next = openCopy(copy.directory);
  expect(await next.follow(from(restored))).toEqual({ added: 1, dropped: 1, lacking: 0 });
  expect(await stored(copy.directory)).toEqual([...(await expected(restored))]);
  expect(next.emitted).toEqual([
    {
      kind: "lake_repaired",
      detail: `official: 1 versions that the ledger does not have were taken out by version ${before + 1} of the table; version ${before} has them, and is kept for 7 days`,
    },
  ]);
  expect(next.table.at(before)?.files.size).toBe(1);
});

test("another ledger: one version makes the table its copy, however much was there, and its tables alone are left", async () => {
  await world.publish(FIX, "2026-04-09", { rows: rowsOf(1) });
  await world.publish(DOF, "2026-04-09");
  const copy = openCopy();
  await copy.follow(from(world.ledger, "ins_one"));
  const before = copy.table.latest()?.version ?? 0;
  const other = await newLedger();
  const [version] = (await world.ledger.history.read(FIX.id, [{ publication: "2026-04-09", version: 1 }]))
    .versions;
  if (version === undefined) throw new Error("not published");
  const another = { ...version, publication: "2026-04-08", validFrom: version.validFrom - 1 };
  await other.outbox.publish([{ version: another, event: null }], NOW);

  const next = openCopy(copy.directory);
  expect(await next.follow(from(other, "ins_two"))).toEqual({ added: 1, dropped: 2, lacking: 0 });
  expect(next.table.latest()?.version).toBe(before + 1);
  expect(await stored(copy.directory)).toEqual([...(await expected(other))]);
  expect(next.emitted).toMatchObject([
    {
      kind: "lake_repaired",
      detail: expect.stringContaining("copy of another ledger (ins_one); 2 versions"),
    },
  ]);
  const again = openCopy(copy.directory);
  expect(await again.follow(from(other, "ins_two"))).toEqual({ added: 0, dropped: 0, lacking: 0 });
  expect(again.emitted).toEqual([]);
  expect(await again.follow(from(world.ledger, "ins_one"))).toMatchObject({ added: 2, dropped: 1 });
  expect(await stored(copy.directory)).toEqual([...(await expected(world.ledger))]);
});

test("the same ledger under another name changes nothing but the note of it", async () => {
  await world.publish(FIX, "2026-04-09");
  const copy = openCopy();
  await copy.follow(from(world.ledger, "ins_one"));
  const files = [...(copy.table.latest()?.files.keys() ?? [])];
  expect(await copy.follow(from(world.ledger, "ins_two"))).toEqual({ added: 0, dropped: 0, lacking: 0 });
  expect([...(copy.table.latest()?.files.keys() ?? [])]).toEqual(files);
  expect(copy.emitted).toHaveLength(1);
});
