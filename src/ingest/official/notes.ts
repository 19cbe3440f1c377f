/** The ledger's notes about a table between collections: its last outcome, and its held publications. */

import type { HeldDecision, HeldReading } from "#domain/official/doubts.ts";
import type { OfficialState } from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfficialIngestDeps } from "./gather.ts";

type Notes = OfficialIngestDeps["notes"];
type Reading = { readonly notes: Pick<Notes, "read"> };

export interface TableNote extends Omit<OfficialState, "table" | "held"> {
  /** When the window of `recent` was last read whole. */
  readonly rereadAt: Instant | null;
  /** When the whole history was last read without a fault; null where it never was. */
  readonly historyAt: Instant | null;
  /** Held readings by publication. */
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

/** `NOTHING_NOTED` for a table that was never collected. Rejects with LedgerUnavailable. */
export async function readNote({ notes }: Reading, table: string): Promise<TableNote> {
  const text = await notes.read(nameOf(table));
  return text === null ? NOTHING_NOTED : { ...NOTHING_NOTED, ...(JSON.parse(text) as Partial<TableNote>) };
}

export async function writeNote({ notes }: { readonly notes: Notes }, table: string, note: TableNote) {
  await notes.write(nameOf(table), JSON.stringify(note));
}

type Decisions = Readonly<Record<string, HeldDecision>>;
/** Older ones are forgotten first. */
const MOST_DECISIONS = 2000;

/** Operators' decisions by publication. They have a note of their own, which a collection never writes. Rejects with LedgerUnavailable. */
export async function readDecisions({ notes }: Reading, table: string): Promise<Decisions> {
  const text = await notes.read(decisionsOf(table));
  return text === null ? {} : (JSON.parse(text) as Decisions);
}

export function undecided(held: TableNote["held"], decisions: Decisions): readonly [string, HeldReading][] {
  return Object.entries(held)
    .filter(([publication, { fingerprint }]) => decisions[publication]?.fingerprint !== fingerprint)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Notes a verdict on held readings. Later collections apply it while the authority states the same. */
export async function noteDecisions(
  { notes }: { readonly notes: Notes },
  table: string,
  readings: readonly { readonly publication: string; readonly fingerprint: string }[],
  verdict: HeldDecision["verdict"],
): Promise<void> {
  const before = Object.entries(await readDecisions({ notes }, table));
  const names = new Set(readings.map(({ publication }) => publication));
  const kept = before.filter(([publication]) => !names.has(publication));
  const added = readings.map(
    ({ publication, fingerprint }) => [publication, { fingerprint, verdict }] as const,
  );
  const all = [...kept, ...added].slice(-MOST_DECISIONS);
  await notes.write(decisionsOf(table), JSON.stringify(Object.fromEntries(all)));
}

function decisionsOf(table: string): string {
  return `official-decisions:${table}`;
}

function nameOf(table: string): string {
  return `official:${table}`;
}

export function stateOf(
  table: string,
  { outcome, lastAttemptAt, lastSuccessAt, detail, held }: TableNote,
  decisions: Decisions,
): OfficialState {
  const names = undecided(held, decisions).map(([publication]) => publication);
  return { table, outcome, lastAttemptAt, lastSuccessAt, detail, held: names };
}
