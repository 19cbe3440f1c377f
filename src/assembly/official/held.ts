/** Held publications of the official tables, and what operators decide about them, in the notes of the ledger. */

import type { HeldDecision, HeldPublication } from "#domain/official/doubts.ts";
import { noteDecisions, readDecisions, readNote, undecided } from "#ingest/official/notes.ts";
import type { Installation } from "#ports/ledger.ts";

export function heldPublications(
  notes: Pick<Installation, "read" | "write">,
  tables: readonly { readonly id: string }[],
) {
  return {
    /** Those that wait for a decision, by table and name. Rejects with LedgerUnavailable. */
    list: async (): Promise<readonly HeldPublication[]> => {
      const each = tables.map(async ({ id: table }) => {
        const { held } = await readNote({ notes }, table);
        const waiting = undecided(held, await readDecisions({ notes }, table));
        return waiting.map(([publication, reading]) => ({ ...reading, table, publication }));
      });
      return (await Promise.all(each)).flat();
    },
    /** The next collection of each table follows it, where the authority still states the same. Rejects with LedgerUnavailable. */
    decide: async (readings: readonly HeldPublication[], verdict: HeldDecision["verdict"]): Promise<void> => {
      for (const [table, some] of Map.groupBy(readings, (reading) => reading.table))
        await noteDecisions({ notes }, table, some, verdict);
    },
  };
}
