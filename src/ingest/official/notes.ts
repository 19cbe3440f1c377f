/** The ledger's notes about a table between collections: its last outcome, and what is held. */

import type { HeldReading } from "#domain/official/doubts.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfficialState } from "#ports/official.ts";
import type { OfficialIngestDeps } from "./deps.ts";

export interface TableNote extends Omit<OfficialState, "table" | "held"> {
  /** When the window of `recent` was last read whole. */
  readonly rereadAt: Instant | null;
  /** When the whole history was last read without a fault; null where it never was. */
  readonly historyAt: Instant | null;
  /** By publication. */
  readonly held: Readonly<Record<string, HeldReading>>;
}

export const NOTHING_NOTED: TableNote = {
  outcome: "never",
  lastAttemptAt: null,
  lastSuccessAt: null,
  detail: null,
  rereadAt: null,
  historyAt: null,
  held: {},
};

/** Of a table that was never collected `NOTHING_NOTED`. Rejects with LedgerUnavailable. */
export async function readNote(
  { notes }: { readonly notes: Pick<OfficialIngestDeps["notes"], "read"> },
  table: string,
): Promise<TableNote> {
  const text = await notes.read(nameOf(table));
  return text === null ? NOTHING_NOTED : { ...NOTHING_NOTED, ...(JSON.parse(text) as Partial<TableNote>) };
}

export async function writeNote(
  { notes }: Pick<OfficialIngestDeps, "notes">,
  table: string,
  note: TableNote,
): Promise<void> {
  await notes.write(nameOf(table), JSON.stringify(note));
}

function nameOf(table: string): string {
  return `official:${table}`;
}

/** The public part of a note. */
export function stateOf(
  table: string,
  { outcome, lastAttemptAt, lastSuccessAt, detail, held }: TableNote,
): OfficialState {
  return { table, outcome, lastAttemptAt, lastSuccessAt, detail, held: Object.keys(held).sort() };
}
