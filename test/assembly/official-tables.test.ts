import { expect, test } from "bun:test";
import { openTableStatus } from "#assembly/official.ts";
import { LedgerDamaged } from "#domain/account/ledger.ts";
import type { OfficialState } from "#domain/official/publication.ts";
import { collectedForEach, DOF, FIX } from "#test/official/collected.ts";

const world = collectedForEach();
const TABLES = [FIX, DOF];
const clock = { now: () => 0 };

const stateOf = ({ id }: { readonly id: string }): OfficialState => ({
  table: id,
  outcome: "publications",
  lastAttemptAt: 1,
  lastSuccessAt: 1,
  detail: null,
  held: [],
});

test("what is damaged fails its own table alone, with the reason", async () => {
  await world.publish(FIX, "2026-04-13");
  await world.publish(DOF, "2026-04-13-dof", { validFrom: "2026-04-13" });
  await world.damage("2026-04-13");
  const states = async () => TABLES.map(stateOf);
  const [fix, dof] = await openTableStatus(world.ledger, { states }, TABLES, clock)();
  expect(fix).toMatchObject({ table: FIX.id, outcome: "failed", newest: null, lastSuccessAt: 1 });
  expect(fix?.detail).toContain("version 1 of publication 2026-04-13 of mex_fix is damaged");
  expect(dof).toMatchObject({ outcome: "publications", detail: null });
  expect(dof?.newest?.publication).toBe("2026-04-13-dof");
});

test("a ledger that is damaged fails all of them, with the reason", async () => {
  const reason = "ledger.sqlite: the ledger is damaged (…): restore a backup";
  const ledger = { ...world.ledger, probe: () => Promise.reject(new LedgerDamaged(reason)) };
  const states = async () => TABLES.map(stateOf);
  const statuses = await openTableStatus(ledger, { states }, TABLES, clock)();
  expect(statuses.map(({ table, outcome, detail }) => [table, outcome, detail])).toEqual(
    TABLES.map(({ id }) => [id, "failed", reason]),
  );
});
