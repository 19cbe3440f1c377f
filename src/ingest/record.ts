/** Collection, second half: intact documents are judged and committed as one change; only then anything is said or remembered. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance, DocumentReading } from "#domain/acceptance/judgement.ts";
import type { Instant } from "#domain/day.ts";
import type { Figure } from "#domain/observation.ts";
import type { Reading, Window } from "#domain/reading.ts";
import type { DailySource } from "#domain/source.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { advanceCoverage, coveredThrough } from "./coverage.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import type { Gathered } from "./gather.ts";
import { countFromRelease } from "./released.ts";
import type { ReadDocument } from "./route.ts";

export interface Recorded extends Pick<Acceptance, "newlyHeld" | "released"> {
  /** How many figures are new or revised; a completed publication instant is neither. */
  readonly accepted: number;
  readonly revised: number;
  readonly withdrawn: number;
  /** Version of the dataset, null when the commit left it as it was. */
  readonly newVersion: string | null;
}

/** The lake could not be read or written; what was collected is not in it, and nothing was remembered. */
export class LakeFault extends Error {
  constructor(cause: unknown) {
    super(`the lake: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "LakeFault";
  }
}

/**
 * Judges and commits what was gathered; resolves when it is durable. The readings are taken out of `gathered` and let go as
 * they are judged, the observations when they are durable: a history of them is large. Rejects with LakeFault, or with an
 * error of the program.
 */
export async function record(
  { lake, upstream }: Pick<IngestDeps, "lake" | "upstream">,
  source: DailySource,
  { read, complete }: Gathered,
  { reach, to: today }: Window,
  progress: StageProgress,
): Promise<Recorded> {
  const documents = read.map(({ document }) => document);
  const retrievedAt = Math.max(...documents.map((document) => document.retrievedAt));
  const spokenThrough = coveredThrough(read);
  const large = read.reduce((sum, { said }) => sum + figuresIn(said).length, 0) >= LARGE;
  // What the parsers left behind, and then what the judgement did, must not stand beside what comes next.
  if (large) Bun.gc(true);
  let judged: Judged | null = null;
  let bug: { readonly error: unknown } | null = null;

  const decide = (current: LakeRecord): LakeChange | null => {
    try {
      const acceptance = accept(current, source, takenFrom(source, read), today, null, sweeping());
      judged = { ...summaryOf(acceptance), versionBefore: current.version };
      const begins = reach === "history" && complete;
      const goesOn = reach !== "history" && current.coverage.some((entry) => entry.source === source);
      const day = begins || goesOn ? spokenThrough : null;
      const coverage = advanceCoverage(current.coverage, source, day, retrievedAt);
      return changeOf(current, acceptance, coverage, retrievedAt);
    } catch (error) {
      bug = { error };
      throw error;
    } finally {
      if (large) Bun.gc(true);
    }
  };
  const version = await lake
    .commit(decide, (written, total) => progress("partitions", written, total))
    .catch((fault: unknown) => {
      if (bug !== null) throw bug.error;
      throw new LakeFault(fault);
    });
  if (large) Bun.gc(true);
  // Only what is durable may be asked for conditionally; it must be the very object that the client gave out.
  for (const document of documents) upstream.remember(document);
  const { versionBefore, ...summary } = judged as unknown as Judged;
  return { ...summary, newVersion: version === versionBefore ? null : version };
}

interface Judged extends Omit<Recorded, "newVersion"> {
  readonly versionBefore: string;
}

/** So many figures are a history: worth the tens of milliseconds that collecting garbage at once takes. */
const LARGE = 20_000;

/** Judging leaves some 600 bytes of garbage a figure, which would grow to as much as everything else before the runtime looks. */
const SWEPT_AFTER = 60_000;

/** Collects garbage each time when so many figures were judged; never for less. */
function sweeping(): (figures: number) => void {
  let since = 0;
  return (figures) => {
    since += figures;
    if (since < SWEPT_AFTER) return;
    since = 0;
    Bun.gc(true);
  };
}

function figuresIn(said: Reading): readonly Figure[] {
  return said.outcome === "figures" ? said.figures : [];
}

/** Each reading once, in order; from then on it is only where the judgement keeps it. */
function* takenFrom(source: DailySource, read: ReadDocument[]): Generator<DocumentReading> {
  for (let next = read.shift(); next !== undefined; next = read.shift()) {
    const { url, sha256, retrievedAt } = next.document;
    yield {
      provenance: { source, document: url, documentSha256: sha256, retrievedAt },
      figures: figuresIn(next.said),
      withdrawals: next.said.outcome === "figures" ? next.said.withdrawals : [],
    };
  }
}

function summaryOf({ accepted, completed, revised, withdrawn, newlyHeld, released }: Acceptance) {
  return {
    accepted: accepted.length - completed,
    revised: revised.length,
    withdrawn: withdrawn.length,
    newlyHeld,
    released,
  };
}

/** Null when the judgement leaves everything as it is: then nothing is written. */
function changeOf(
  current: LakeRecord,
  { accepted, withdrawn, held, newlyHeld, released }: Acceptance,
  coverage: LakeRecord["coverage"],
  retrievedAt: Instant,
): LakeChange | null {
  const sameHeld = newlyHeld.length === 0 && released.length === 0 && held.length === current.held.length;
  const same = accepted.length === 0 && withdrawn.length === 0 && sameHeld && coverage === current.coverage;
  if (same) return null;
  return { accepted: countFromRelease(accepted, released, retrievedAt), withdrawn, held, coverage };
}
