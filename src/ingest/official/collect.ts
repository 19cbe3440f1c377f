/** One collection of one official table: its windows in turn, each gathered, recorded, and only then remembered. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Instant } from "#domain/time/day.ts";
import { oneAtATime } from "#ingest/queue.ts";
import type { OfficialAdapter, OfficialCollector, OfficialState, OfficialWindow } from "#ports/official.ts";
import { CollectionStopped, type OfficialIngestDeps, type OfficialProgress } from "./deps.ts";
import { gatherOfficial, type OfficialGathered } from "./gather.ts";
import { NOTHING_NOTED, readNote, stateOf, type TableNote, writeNote } from "./notes.ts";
import { type OfficialRecorded, recordOfficial } from "./record.ts";
import { windowsAt } from "./windows.ts";

type Reach = OfficialWindow["reach"];

/** What a collection came to, over all its windows. */
interface Sum {
  readonly outcome: OfficialGathered["outcome"];
  readonly detail: string | null;
  readonly complete: boolean;
  readonly published: number;
  readonly corrected: number;
}

/** Makes the collector. `collect` rejects for an unknown table and for errors of the program only. */
export function createOfficialCollector(deps: OfficialIngestDeps): OfficialCollector {
  const queue = oneAtATime<string, Reach, OfficialState>();
  return {
    collect(id, reach, progress = () => {}) {
      return queue(id, reach, async () => {
        const table = deps.tables.find((candidate) => candidate.id === id);
        if (table === undefined) throw new Error(`there is no table ${id} to collect`);
        return await collectTable(deps, table, reach, progress);
      });
    },
    states: () => Promise.all(deps.tables.map(async ({ id }) => stateOf(id, await readNote(deps, id)))),
  };
}

async function collectTable(
  deps: OfficialIngestDeps,
  table: OfficialAdapter,
  reach: Reach,
  progress: OfficialProgress,
): Promise<OfficialState> {
  const began = deps.clock.now();
  let before = NOTHING_NOTED;
  try {
    before = await readNote(deps, table.id);
    const sum = await collectWindows(deps, table, reach, before, progress);
    const note = noteAfter(await readNote(deps, table.id), sum, reach, began);
    await writeNote(deps, table.id, note);
    report(deps, table.id, sum, deps.clock.now() - began);
    return stateOf(table.id, note);
  } catch (error) {
    if (error instanceof CollectionStopped) return stateOf(table.id, before);
    const isLedger = error instanceof LedgerUnavailable;
    const detail = isLedger ? error.message : "internal error";
    deps.tell({ kind: "official_failed", table: table.id, detail });
    const failed = { ...before, outcome: "failed", detail, lastAttemptAt: began } as const;
    if (isLedger) return stateOf(table.id, failed);
    await writeNote(deps, table.id, failed).catch(() => {});
    throw error;
  }
}

/** Two windows in a row in which the authority was away: years more would only wait. A year that is missing is skipped. */
const MOST_AWAY_IN_A_ROW = 2;

async function collectWindows(
  deps: OfficialIngestDeps,
  table: OfficialAdapter,
  reach: Reach,
  { rereadAt }: TableNote,
  progress: OfficialProgress,
): Promise<Sum> {
  const all = windowsAt(deps.clock.now(), table, reach, rereadAt);
  // Years before the table began say nothing about it: neither that it is empty nor that anything was read.
  const asked = all.filter((window) => documentsOf(table, window) > 0);
  const windows = asked.length > 0 ? asked : all;
  const total = windows.reduce((sum, window) => sum + documentsOf(table, window), 0);
  const upstream = deps.upstreamFor(reach);
  let done = 0;
  const onDocument = () => progress(Math.min(++done, total), total);
  let sum: Sum | null = null;
  let away = 0;
  for (const window of windows) {
    if (deps.isClosing()) throw new CollectionStopped();
    const gathered = await gatherOfficial(deps, upstream, table, window, onDocument);
    const recorded = await recordWindow(deps, table, gathered);
    // A history's answers are never asked for again: what remembers them would forget others.
    if (reach !== "history") {
      const sure = gathered.documents.filter(({ sha256 }) => !recorded.withheld.has(sha256));
      for (const document of sure) upstream.remember(document);
    }
    sum = added(sum, gathered, recorded);
    away = gathered.outcome === "failed" && gathered.isAway ? away + 1 : 0;
    if (away === MOST_AWAY_IN_A_ROW) break;
  }
  return sum as Sum;
}

function documentsOf(table: OfficialAdapter, window: OfficialWindow): number {
  return table.routes(window)[0]?.requests.length ?? 0;
}

/** What is held is noted at once: a crash must not make the next reading look like the first. */
async function recordWindow(
  deps: OfficialIngestDeps,
  table: OfficialAdapter,
  { read }: OfficialGathered,
): Promise<OfficialRecorded> {
  const note = await readNote(deps, table.id);
  const recorded = await recordOfficial(deps, table, read, note.held);
  if (!Bun.deepEquals(recorded.held, note.held))
    await writeNote(deps, table.id, { ...note, held: recorded.held });
  return recorded;
}

/** What some windows found outweighs what others did not; that some could not be read outweighs that others were empty. */
const STRENGTH = ["empty", "failed", "unchanged", "publications"] as const;

function added(sum: Sum | null, gathered: OfficialGathered, recorded: OfficialRecorded): Sum {
  const { outcome, complete } = gathered;
  // That a year of a history is empty is no news, where others are not.
  const detail = outcome === "empty" && sum !== null && complete ? null : gathered.detail;
  if (sum === null) return { ...recorded, outcome, detail, complete };
  const stronger = STRENGTH.indexOf(outcome) > STRENGTH.indexOf(sum.outcome);
  const said = [sum.outcome === "empty" && sum.complete && stronger ? null : sum.detail, detail];
  return {
    outcome: stronger ? outcome : sum.outcome,
    detail: said.filter((text) => text !== null).join("; ") || null,
    complete: sum.complete && complete,
    published: sum.published + recorded.published,
    corrected: sum.corrected + recorded.corrected,
  };
}

function noteAfter(note: TableNote, sum: Sum, reach: Reach, at: Instant): TableNote {
  const { detail, complete } = sum;
  const failed = { ...note, outcome: "failed", lastAttemptAt: at, detail } as const;
  if (sum.outcome === "failed") return failed;
  const unchanged = note.outcome === "empty" ? "empty" : "publications";
  return {
    ...note,
    outcome: sum.outcome === "unchanged" ? unchanged : sum.outcome,
    lastAttemptAt: at,
    lastSuccessAt: at,
    detail,
    rereadAt: complete && reach !== "latest" ? at : note.rereadAt,
    historyAt: complete && reach === "history" ? at : note.historyAt,
  };
}

function report({ tell }: OfficialIngestDeps, table: string, sum: Sum, milliseconds: number): void {
  const { outcome, detail, published, corrected } = sum;
  if (outcome === "failed") tell({ kind: "official_failed", table, detail: detail ?? "" });
  else if (published + corrected === 0) tell({ kind: "official_nothing_new", table, outcome });
  else tell({ kind: "official_collected", table, published, corrected, milliseconds });
}
