/** Collection, second half: decides whether one publication is a new version, which doubts it raises, and whether it is published now. */

import {
  type CorrectionFault,
  doubtsOf,
  type HeldDecision,
  type HeldReading,
  holdsBack,
  type OfficialDoubt,
  type OfficialHoldRule,
} from "#domain/official/doubts.ts";
import { type OfficialTable, officialEvent, type PublicationVersion } from "#domain/official/publication.ts";
import { fingerprintOf } from "#domain/official/versions.ts";
import type { Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { ReadPublication } from "./deps.ts";

export type Judgement =
  /** An operator has discarded this reading. */
  | { readonly verdict: "discarded" }
  | { readonly verdict: "held"; readonly held: HeldReading & Required<Why> }
  | {
      readonly verdict: "new";
      readonly version: PublicationVersion;
      readonly event: WebhookEvent | null;
      readonly doubts: readonly OfficialDoubt[];
    };

/** What one reading is judged by. */
export interface Evidence {
  /** The publication before it by validity, in its newest version: not the version that this one may correct. */
  readonly predecessor: PublicationVersion | null;
  /** What is held of this publication, and what an operator has decided about it. */
  readonly held: HeldReading | null;
  readonly decision: HeldDecision | null;
  /** Why its document is not believed. */
  readonly suspect: CorrectionFault | null;
  /** A correction of this table is held, because its document had too many. */
  readonly isTableSuspect: boolean;
  /** One of a few that are valid later than all there is: news, however old a clock that may be wrong makes it. */
  readonly isNewest: boolean;
  /** When the newest version of the table was retrieved: instants do not go back with a clock. */
  readonly notBefore: Instant;
}

/** A reading that is not stored yet; `next` is the number of the version that it would be. */
export function judge(
  table: OfficialTable,
  { reading, document }: ReadPublication,
  next: number,
  evidence: Evidence,
): Judgement {
  const { predecessor, held, decision, isNewest, notBefore } = evidence;
  const fingerprint = fingerprintOf(reading);
  const decided = decision?.fingerprint === fingerprint ? decision.verdict : null;
  if (decided === "discard") return { verdict: "discarded" };
  const { retrievedAt: readAt, url, sha256 } = document;
  const doubts = doubtsOf(reading, predecessor);
  const isNews = isNewest || next > 1;
  const isRepeated = held?.fingerprint === fingerprint;
  // A clock that was ahead at the first reading does not make the second one wait for it.
  const firstReadAt = isRepeated ? Math.min(held.firstReadAt, readAt) : readAt;
  if (decided === null) {
    const before = isRepeated ? { ...held, firstReadAt } : null;
    const why =
      faultOf(evidence, before, next) ??
      (holdsBack(reading, doubts, before, readAt, isNews) ? whyOf(doubts) : null);
    if (why !== null) return { verdict: "held", held: { fingerprint, firstReadAt, version: next, ...why } };
  }
  const version: PublicationVersion = {
    ...reading,
    table: table.id,
    version: next,
    retrievedAt: Math.max(readAt, notBefore),
    sourceUrl: url,
    documentSha256: sha256,
    fingerprint,
  };
  return {
    verdict: "new",
    version,
    event: officialEvent(table, version, { readAt, isNews: isNewest }),
    doubts,
  };
}

interface Why {
  readonly rule: OfficialHoldRule;
  readonly reason: string;
}

/**
 * Of a document with too many corrections a later reading may show a few only, and today's publication alone: what was held
 * of it stays held, the publication for as long as a correction is.
 */
function faultOf(
  { suspect, isTableSuspect }: Evidence,
  before: HeldReading | null,
  next: number,
): Why | null {
  if (suspect !== null || before?.rule !== "many_corrections") return suspect;
  return next > 1 || isTableSuspect ? { rule: before.rule, reason: before.reason ?? "" } : null;
}

const MOST_TOLD = 3;

export function sentences(doubts: readonly OfficialDoubt[]): string {
  const listed = doubts.slice(0, MOST_TOLD).map(({ detail }) => detail);
  if (doubts.length > MOST_TOLD) listed.push(`and ${doubts.length - MOST_TOLD} more`);
  return listed.join("; ");
}

function whyOf(doubts: readonly OfficialDoubt[]): Why {
  const rule = doubts.some((doubt) => doubt.rule === "exchanged") ? "exchanged" : "decimal_slip";
  return { rule, reason: sentences(doubts.filter((doubt) => doubt.rule === rule)) };
}
