/** Collection, second half: intact documents are judged and committed as one change; only then anything is said or remembered. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance, DocumentReading } from "#domain/acceptance/judgement.ts";
import type { Instant } from "#domain/day.ts";
import type { Window } from "#domain/reading.ts";
import type { DailySource } from "#domain/source.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { advanceCoverage, coveredThrough } from "./coverage.ts";
import type { IngestDeps, StageProgress } from "./deps.ts";
import type { Gathered } from "./gather.ts";
import { countFromRelease } from "./released.ts";
import type { ReadDocument } from "./route.ts";

export interface Recorded {
  readonly acceptance: Acceptance;
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

/** Judges and commits what was gathered; resolves when it is durable. Rejects with LakeFault, or with an error of the program. */
export async function record(
  { lake, upstream }: Pick<IngestDeps, "lake" | "upstream">,
  source: DailySource,
  { read, complete }: Gathered,
  { reach, to: today }: Window,
  progress: StageProgress,
): Promise<Recorded> {
  const documents = read.map((one) => documentReading(source, one));
  const retrievedAt = Math.max(...read.map(({ document }) => document.retrievedAt));
  let judged: { readonly acceptance: Acceptance; readonly versionBefore: string } | null = null;
  let bug: { readonly error: unknown } | null = null;

  const decide = (current: LakeRecord): LakeChange | null => {
    try {
      const acceptance = accept(current, source, documents, today);
      judged = { acceptance, versionBefore: current.version };
      const begins = reach === "history" && complete;
      const goesOn = reach !== "history" && current.coverage.some((entry) => entry.source === source);
      const day = begins || goesOn ? coveredThrough(read) : null;
      const coverage = advanceCoverage(current.coverage, source, day, retrievedAt);
      return changeOf(current, acceptance, coverage, retrievedAt);
    } catch (error) {
      bug = { error };
      throw error;
    }
  };
  const version = await lake
    .commit(decide, (written, total) => progress("partitions", written, total))
    .catch((fault: unknown) => {
      if (bug !== null) throw bug.error;
      throw new LakeFault(fault);
    });
  // Only what is durable may be asked for conditionally; it must be the very object that the client gave out.
  for (const { document } of read) upstream.remember(document);
  const { acceptance, versionBefore } = judged as unknown as NonNullable<typeof judged>;
  return { acceptance, newVersion: version === versionBefore ? null : version };
}

function documentReading(source: DailySource, { document, said: reading }: ReadDocument): DocumentReading {
  const { url, sha256, retrievedAt } = document;
  const spoken = reading.outcome === "figures" ? reading : { figures: [], withdrawals: [] };
  return {
    provenance: { source, document: url, documentSha256: sha256, retrievedAt },
    figures: spoken.figures,
    withdrawals: spoken.withdrawals,
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
