/** One collection of an official table, route → fetch → parse → judge → record: window by window, each noted when it is durable. */

import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Window } from "#domain/intake/reading.ts";
import type { HeldReading } from "#domain/official/doubts.ts";
import type { OfficialState, OfficialTable } from "#domain/official/publication.ts";
import { oneAtATime } from "#domain/queues/fair-queue.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, dayOf, type Instant, yearOf } from "#domain/time/day.ts";
import type { Progress } from "#ingest/gather.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import {
  CollectionStopped,
  gatherOfficial,
  type OfficialGathered,
  type OfficialIngestDeps,
  readElsewhere,
} from "./gather.ts";
import {
  NOTHING_NOTED,
  readDecisions,
  readNote,
  stateOf,
  type TableNote,
  undecided,
  writeNote,
} from "./notes.ts";
import { type OfficialRecorded, recordOfficial } from "./record.ts";

type Reach = Window["reach"];

interface Sum {
  readonly outcome: OfficialGathered["outcome"];
  readonly detail: string | null;
  readonly complete: boolean;
  readonly published: number;
  readonly corrected: number;
}

export type OfficialCollector = ReturnType<typeof createOfficialCollector>;

export function createOfficialCollector(deps: OfficialIngestDeps) {
  const queue = oneAtATime<string, Reach, OfficialState>();
  const left: NotesLeft = new Map();
  return {
    /**
     * A fault of an upstream or of the ledger becomes the state: it rejects for an unknown table and for errors of the program only. One
     * run per table at a time.
     */
    collect: (id: string, reach: Reach, progress: Progress = () => {}) =>
      queue(id, reach, async () => {
        const table = deps.tables.find((candidate) => candidate.id === id);
        if (table === undefined) throw new Error(`there is no table ${id} to collect`);
        return await collectTable(deps, left, table, reach, progress);
      }),
    /** Read from the ledger: other processes' collections are included. Rejects with LedgerUnavailable. */
    states: () => Promise.all(deps.tables.map(({ id }) => stateNoted(deps, id))),
  };
}

async function stateNoted(deps: OfficialIngestDeps, id: string): Promise<OfficialState> {
  return stateOf(id, await readNote(deps, id), await readDecisions(deps, id));
}

/** By table, the note that this process wrote last; null from a collection's start until it writes its note. */
type NotesLeft = Map<string, TableNote | null>;

async function collectTable(
  deps: OfficialIngestDeps,
  left: NotesLeft,
  table: OfficialAdapter,
  reach: Reach,
  progress: Progress,
): Promise<OfficialState> {
  const began = deps.clock.now();
  let before = NOTHING_NOTED;
  try {
    before = await readNote(deps, table.id);
    // The note is not the one that this process left: a restored ledger may lack documents that the clients remember.
    if (left.has(table.id) && !Bun.deepEquals(left.get(table.id), before)) deps.forget();
    left.set(table.id, null);
    const sum = await collectWindows(deps, table, reach, before, progress);
    const note = noteAfter(await readNote(deps, table.id), sum, reach, began);
    await writeNote(deps, table.id, note);
    left.set(table.id, note);
    report(deps, table.id, sum, deps.clock.now() - began);
    return await stateNoted(deps, table.id);
  } catch (error) {
    if (error instanceof CollectionStopped) return stateOf(table.id, before, {});
    const isLedger = error instanceof LedgerUnavailable;
    const detail = isLedger ? error.message : "internal error";
    const milliseconds = deps.clock.now() - began;
    deps.emit({ kind: "official_failed", table: table.id, detail, milliseconds });
    const failed = { ...before, outcome: "failed", detail, lastAttemptAt: began } as const;
    if (isLedger) return stateOf(table.id, failed, {});
    await writeNote(deps, table.id, failed).catch(() => {});
    throw error;
  }
}

/** A collection ends after this many windows in a row while the authority is away: more would only wait. A missing year is skipped. */
const MOST_AWAY_IN_A_ROW = 2;

async function collectWindows(
  deps: OfficialIngestDeps,
  table: OfficialAdapter,
  reach: Reach,
  { rereadAt, held }: TableNote,
  progress: Progress,
): Promise<Sum> {
  const waiting = undecided(held, await readDecisions(deps, table.id));
  // A correction that a history has shown may be older than the last weeks.
  const isHistory = reach === "recent" && table.historyAtStart === true && waiting.length > 0;
  const all = windowsAt(deps.clock.now(), table, isHistory ? "history" : reach, rereadAt);
  // Windows without a document, before the table began, must not count as empty or as read.
  const useful = all.filter((window) => documentsOf(table, window) > 0);
  const windows = useful.length > 0 ? useful : all;
  const total = windows.reduce((sum, window) => sum + documentsOf(table, window), 0);
  // Held publications are compared with each reading, and "unchanged" would not say whether they are still stated. A history is
  // read once, so no answer need be remembered.
  const isWhole = reach === "history" || waiting.length > 0;
  const upstream = deps.upstreamFor(isWhole ? "history" : reach);
  let done = 0;
  const onDocument = () => progress(Math.min(++done, total), total);
  let sum: Sum | null = null;
  let away = 0;
  for (const window of windows) {
    deps.closing.throwIfAborted();
    const gathered = await gatherOfficial(deps, upstream, table, window, onDocument);
    const recorded = await recordWindow(deps, table, { ...window, reach }, gathered);
    // The client for histories remembers no document.
    if (!isWhole) {
      const sure = gathered.documents.filter(({ sha256 }) => !recorded.withheld.has(sha256));
      for (const document of sure) upstream.remember(document);
    }
    sum = added(sum, gathered, recorded);
    away = gathered.outcome === "failed" && gathered.isAway ? away + 1 : 0;
    if (away === MOST_AWAY_IN_A_ROW) break;
  }
  return sum as Sum;
}

function documentsOf(table: OfficialAdapter, window: Window): number {
  return table.routes(window)[0]?.requests.length ?? 0;
}

/** Notes held publications at once: after a crash the next reading must not pass for the first. */
async function recordWindow(
  deps: OfficialIngestDeps,
  table: OfficialAdapter,
  { reach, from, to }: Window,
  { read, outcome, complete }: OfficialGathered,
): Promise<OfficialRecorded> {
  const note = await readNote(deps, table.id);
  // If all documents of a held first version's days lack it, the authority no longer states it.
  const isWhole = reach !== "latest" && outcome === "publications" && complete;
  const isStated = ([publication, { version, validFrom }]: [string, HeldReading]) =>
    version > 1 ||
    !(validFrom >= from && validFrom <= to) ||
    read.some(({ reading }) => reading.publication === publication);
  const stated = Object.fromEntries(Object.entries(note.held).filter((one) => !isWhole || isStated(one)));
  const recorded = await recordOfficial(deps, table, read, {
    held: stated,
    decisions: await readDecisions(deps, table.id),
    reach,
    // For the client for histories nothing is remembered, so each document comes in full.
    elsewhere: (one) => readElsewhere(deps, deps.upstreamFor("history"), table, one),
  });
  if (!Bun.deepEquals(recorded.held, note.held))
    await writeNote(deps, table.id, { ...note, held: recorded.held });
  return recorded;
}

/** Outcomes from the weakest to the strongest. The strongest outcome of the windows is that of the collection. */
const STRENGTH = ["empty", "failed", "unchanged", "publications"] as const;

function added(sum: Sum | null, gathered: OfficialGathered, recorded: OfficialRecorded): Sum {
  const { outcome, complete } = gathered;
  // After another window an empty one, which was read whole, is not worth a report.
  const detail = outcome === "empty" && sum !== null ? null : gathered.detail;
  if (sum === null) return { ...recorded, outcome, detail, complete };
  const stronger = STRENGTH.indexOf(outcome) > STRENGTH.indexOf(sum.outcome);
  const details = [sum.outcome === "empty" && stronger ? null : sum.detail, detail];
  return {
    outcome: stronger ? outcome : sum.outcome,
    detail: details.filter((text) => text !== null).join("; ") || null,
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

function report({ emit }: OfficialIngestDeps, table: string, sum: Sum, milliseconds: number): void {
  const { outcome, detail, published, corrected } = sum;
  if (outcome === "failed") emit({ kind: "official_failed", table, detail: detail ?? "", milliseconds });
  else if (published + corrected === 0) emit({ kind: "official_nothing_new", table, outcome, milliseconds });
  else emit({ kind: "official_collected", table, published, corrected, milliseconds });
}

/** How far back corrections are looked for: a route by days sends some two dozen requests for a month. */
const RECENT_DAYS: Record<OfficialTable["cadence"], number> = {
  daily: 30,
  weekly: 60,
  monthly: 100,
  quarterly: 200,
};
/** After a pause of the service `recent` reaches back at most so far; older days need `history`. */
const LONGEST_MADE_GOOD_DAYS = 400;
/** No table has an earlier publication. Adapters begin with their own first year. */
const FIRST_YEAR = 1990;
/** A last window shorter than this could lie in an authority's pause. */
const SHORTEST_HISTORY_DAYS = 60;

/**
 * The windows of a collection, ascending. `latest` and `recent` have one. `history` has one for each `historyYears` calendar years, which
 * makes progress durable; its last window also covers a year that has just begun. `rereadAt` is when `recent` was last read whole: after a
 * longer pause the window begins there.
 */
export function windowsAt(
  now: Instant,
  { zone, cadence, historyYears = 1 }: Pick<OfficialAdapter, "zone" | "cadence" | "historyYears">,
  reach: Window["reach"],
  rereadAt: Instant | null,
): readonly Window[] {
  const to = dayInZone(zone, now);
  if (reach === "latest") return [{ reach, from: to, to }];
  if (reach === "recent") {
    const reread = rereadAt === null ? to : dayInZone(zone, rereadAt) - 1;
    const from = Math.min(to - RECENT_DAYS[cadence], Math.max(reread, to - LONGEST_MADE_GOOD_DAYS));
    return [{ reach, from, to }];
  }
  const first = (year: number): Day => dayOf(year, 1, 1) as Day;
  const lastYear = to - first(yearOf(to)) < SHORTEST_HISTORY_DAYS ? yearOf(to) - 1 : yearOf(to);
  const count = Math.ceil((lastYear - FIRST_YEAR + 1) / historyYears);
  return Array.from({ length: count }, (_, nth) => {
    const year = FIRST_YEAR + nth * historyYears;
    const next = year + historyYears;
    return { reach, from: first(year), to: next > lastYear ? to : first(next) - 1 };
  });
}
