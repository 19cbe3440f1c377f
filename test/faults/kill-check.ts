/** Whether everything acknowledged is there exactly once, for Delta readers before the next start and for every reader after it. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { Observation } from "#domain/history/observation.ts";
import { formatDay } from "#domain/time/day.ts";
import type { LakeRecord } from "#ports.ts";
import { startAnswering } from "#test/support/answering.ts";
import { contentsOf, type DailyState } from "./daily-work.ts";
import { openBoth, quoteLine, quoteLines, type Reached } from "./kill-script.ts";

const TABLES = ["daily", "revisions", "held"] as const;
const DAY = 86_400_000;
const NEVER = Number.MAX_SAFE_INTEGER;
const NOTHING_KEPT = { daily: NEVER, revisions: NEVER, held: NEVER, intraday: NEVER };

type TableAnswer =
  | null
  | { readonly fault: string }
  | {
      readonly version: number;
      readonly digest: string;
      readonly files: number;
      readonly older: readonly string[];
      readonly pinned: { readonly revisions?: string; readonly held?: string };
    };

/** What Delta readers see of a lake; versions replaced after `kept` must be readable. */
type DeltaReader = (
  lake: string,
  kept: Readonly<Record<string, number>>,
) => Promise<Readonly<Record<string, TableAnswer>>>;

/** An independent Delta reader (tables.py) as a process that answers again and again. */
export function startDeltaReader(python: string): { readonly ask: DeltaReader; end(): Promise<void> } {
  const program = startAnswering([python, join(import.meta.dir, "tables.py")]);
  return {
    ask: async (lake, kept) => JSON.parse(await program.ask(JSON.stringify({ lake, kept }))),
    end: program.end,
  };
}

/**
 * `least` is acknowledged, `most` was under way; a commit or a poll in between is there or not. `now` is the clock of the
 * next start, of which the milliseconds are returned. `mayLack`: a conversion that never ended has made no table yet.
 */
export async function checkKilled(
  directory: string,
  states: readonly DailyState[],
  { least, most, now, mayLack }: { least: Reached; most: Reached; now: number; mayLack: boolean },
  deltaReader: DeltaReader | null,
): Promise<number> {
  const lake = join(directory, "lake");
  const possible = states.slice(least.commits, most.commits + 1);
  const kept = { daily: now - 7 * DAY, revisions: now - 7 * DAY, held: now - 7 * DAY, intraday: now - DAY };
  const before = (await deltaReader?.(lake, kept)) ?? null;
  if (before !== null) checkBefore(before, states.slice(0, most.commits + 1), least, most, mayLack);

  const started = performance.now();
  const opened = await openBoth(directory, () => now);
  const openMilliseconds = performance.now() - started;
  const record = contentsOfRecord(await opened.lake.read());
  const state = possible.find((one) => TABLES.every((table) => one[table].digest === record[table].digest));
  if (state === undefined)
    throw new Error(
      `after the start: ${describe(record)} instead of one of ${possible.map(describe).join(", ")}`,
    );
  const quotes = (await opened.archive.quotes(0, now + 100 * DAY)).map(quoteLine);
  checkQuotes(quotes, least.polls, most.polls);

  // Long after: no version but the newest is retained, and nothing that a dead process left.
  await opened.close();
  const later = await openBoth(directory, () => now + 100 * DAY);
  await later.lake.upkeep();
  await later.archive.upkeep();
  await later.close();
  checkFiles(lake);
  const after = (await deltaReader?.(lake, NOTHING_KEPT)) ?? null;
  if (after !== null) {
    const seen = (table: string, digest: string) => {
      const answer = after[table] ?? null;
      if (answer === null || "fault" in answer || answer.digest !== digest)
        throw new Error(`after the start Delta readers see ${table} as ${JSON.stringify(answer)}`);
      return answer;
    };
    for (const table of TABLES)
      if (seen(table, state[table].digest).files !== partFiles(lake, table))
        throw new Error(`${table} has files that its log does not know`);
    seen("intraday", contentsOf(quotes).digest);
  }
  return openMilliseconds;
}

/** What Delta readers see while no process has run since the kill. */
function checkBefore(
  found: Readonly<Record<string, TableAnswer>>,
  states: readonly DailyState[],
  least: Reached,
  most: Reached,
  mayLack: boolean,
): void {
  const lines = quoteLines(most.polls);
  const known: Record<string, ReadonlySet<string>> = {
    intraday: new Set(
      Array.from({ length: lines.length + 1 }, (_, count) => contentsOf(lines.slice(0, count)).digest),
    ),
  };
  for (const table of TABLES) known[table] = new Set(states.map((state) => state[table].digest));
  for (const [table, answer] of Object.entries(found)) {
    if (answer === null) {
      if (!mayLack) throw new Error(`${table} has no commit`);
      continue;
    }
    if ("fault" in answer) throw new Error(`before the start: ${table}: ${answer.fault}`);
    for (const digest of [answer.digest, ...answer.older])
      if (!known[table]?.has(digest))
        throw new Error(`before the start: ${table} has a version that was never written`);
    if (table !== "daily") continue;
    const { digest, pinned, version } = answer;
    const isState = states
      .slice(least.commits)
      .some(
        ({ daily, revisions, held }) =>
          daily.digest === digest && revisions.digest === pinned.revisions && held.digest === pinned.held,
      );
    if (!isState)
      throw new Error(`before the start: daily at version ${version} is no state that was committed`);
  }
}

/** A poll that was not acknowledged may be there by half: each of its quotes is whole. */
function checkQuotes(found: readonly string[], least: number, most: number): void {
  const lines = new Set(found);
  if (lines.size !== found.length) throw new Error("a quote is there twice");
  for (const line of quoteLines(least))
    if (!lines.has(line)) throw new Error(`the quote ${line} was acknowledged and is lost`);
  const known = new Set(quoteLines(most));
  for (const line of lines) if (!known.has(line)) throw new Error(`the quote ${line} was never given`);
}

function describe(state: Pick<DailyState, "daily" | "revisions" | "held">): string {
  return TABLES.map((table) => `${state[table].rows} ${table}`).join(" ");
}

function contentsOfRecord({ observations, superseded, held }: LakeRecord) {
  const { count, source, date, base, quote, units, scale, revision, retrievedAt } = observations;
  const at = (column: { readonly [row: number]: number }, row: number) => column[row] as number;
  const daily = Array.from({ length: count }, (_, row) => {
    const key = `${DAILY_SOURCES[at(source, row)]} ${formatDay(at(date, row))}`;
    const pair = `${currencyCode(at(base, row))} ${currencyCode(at(quote, row))}`;
    const printed = (at(units, row) / 10 ** at(scale, row)).toFixed(at(scale, row));
    return `${key} ${pair} ${printed} ${at(revision, row)} ${at(retrievedAt, row)}`;
  });
  const nameOf = (row: Pick<Observation, "source" | "date" | "base" | "quote" | "printed">) =>
    `${row.source} ${formatDay(row.date)} ${row.base} ${row.quote} ${row.printed}`;
  const revisions = superseded.map((row) => {
    const ended = `${row.supersededAt} ${row.why}`;
    return `${nameOf(row)} ${row.revision} ${row.retrievedAt} ${ended}`;
  });
  return {
    ...{ daily: contentsOf(daily), revisions: contentsOf(revisions) },
    held: contentsOf(held.map((row) => `${nameOf(row)} ${row.rule}`)),
  };
}

/** `current/` is the very files of the tables, and nothing that a dead process left is still there. */
function checkFiles(lake: string): void {
  const entries = readdirSync(lake, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(lake.length + 1));
  const left = entries.filter(
    (path) => path.endsWith(".tmp") || /(^|\/)(manifest\.json|superseded)/.test(path),
  );
  if (left.length > 0) throw new Error(`left behind: ${left.join(" ")}`);
  const digest = (path: string) => Bun.hash(readFileSync(join(lake, path)));
  const parts = entries.filter((path) => !path.startsWith("current/") && /part-[^/]*\.parquet$/.test(path));
  const current = entries.filter((path) => path.startsWith("current/"));
  const [ofParts, ofCurrent] = [parts, current].map((paths) => paths.map(digest).sort().join(" "));
  if (ofParts !== ofCurrent) throw new Error("current/ does not have the files of the tables");
}

function partFiles(lake: string, table: string): number {
  return readdirSync(join(lake, table), { recursive: true }).filter((path) =>
    /part-[^/]*\.parquet$/.test(`${path}`),
  ).length;
}
