/** How every official table stands, for /status, metrics and the command line: read from the ledger, whoever collected. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCollector, OfficialStanding } from "#ports/official.ts";
import type { Clock } from "#ports.ts";

/** It is asked often, and reads a few rows a table. */
const KEPT_MILLISECONDS = 2_000;

/** Never rejects: while the ledger cannot be read, that is what failed of every table. */
export function openStandings(
  ledger: Pick<Ledger, "publications">,
  collector: Pick<OfficialCollector, "states">,
  tables: readonly { readonly id: string }[],
  clock: Clock,
): () => Promise<readonly OfficialStanding[]> {
  let last: { readonly at: number; readonly value: Promise<readonly OfficialStanding[]> } | null = null;
  const read = () => standingsOf(ledger, collector).catch((fault: unknown) => unreadable(tables, fault));
  return () => {
    if (last === null || Math.abs(clock.now() - last.at) >= KEPT_MILLISECONDS)
      last = { at: clock.now(), value: read() };
    return last.value;
  };
}

async function standingsOf(
  { publications }: Pick<Ledger, "publications">,
  { states }: Pick<OfficialCollector, "states">,
): Promise<readonly OfficialStanding[]> {
  return await Promise.all(
    (await states()).map(async (state) => {
      const { table } = state;
      const [newest = null] = await publications.list({ table, from: null, to: null, after: null, limit: 1 });
      return { ...state, newest };
    }),
  );
}

function unreadable(tables: readonly { readonly id: string }[], fault: unknown): readonly OfficialStanding[] {
  const detail = fault instanceof LedgerUnavailable ? fault.message : "internal error";
  const unknown = { lastAttemptAt: null, lastSuccessAt: null, held: [], newest: null };
  return tables.map(({ id: table }) => ({ ...unknown, table, outcome: "failed", detail }));
}
