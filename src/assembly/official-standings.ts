/** How every official table stands, for /status, metrics and the command line: read from the ledger, whoever collected. */

import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger-faults.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCollector, OfficialStanding, OfficialState } from "#ports/official.ts";
import type { Clock } from "#ports.ts";

/** It is asked often, and reads a few rows a table. */
const KEPT_MILLISECONDS = 2_000;

/** Never rejects: while the ledger cannot be read or is damaged, that is what failed of every table. */
export function openStandings(
  ledger: Pick<Ledger, "publications" | "probe">,
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
  { publications, probe }: Pick<Ledger, "publications" | "probe">,
  { states }: Pick<OfficialCollector, "states">,
): Promise<readonly OfficialStanding[]> {
  // Where access is open, nothing else of the status knows of a ledger that is damaged.
  await probe();
  return await Promise.all(
    (await states()).map(async (state) => {
      const { table } = state;
      const newest = { table, from: null, to: null, after: null, limit: 1 };
      return await publications.list(newest).then(
        ([found = null]) => ({ ...state, newest: found }),
        (fault: unknown) => damaged(state, fault),
      );
    }),
  );
}

/** What cannot be served has failed, of its own table alone. */
function damaged(state: OfficialState, fault: unknown): OfficialStanding {
  if (!(fault instanceof PublicationDamaged)) throw fault;
  return { ...state, outcome: "failed", detail: fault.message, newest: null };
}

function unreadable(tables: readonly { readonly id: string }[], fault: unknown): readonly OfficialStanding[] {
  const detail = fault instanceof LedgerUnavailable ? fault.message : "internal error";
  const unknown = { lastAttemptAt: null, lastSuccessAt: null, held: [], newest: null };
  return tables.map(({ id: table }) => ({ ...unknown, table, outcome: "failed", detail }));
}
