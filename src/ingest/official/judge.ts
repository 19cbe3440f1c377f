/** Judges official publications: which documents are not believed, whether a reading is a new version, and whether it is published now. */

import {
  type Correction,
  type CorrectionFault,
  contradictionOf,
  doubtsOf,
  faultOf,
  fingerprintOf,
  type HeldDecision,
  type HeldReading,
  holdingRule,
  holdsBack,
  isReadAgain,
  MOST_CORRECTIONS,
  nextVersion,
  type OfficialDoubt,
  type OfficialHoldRule,
  unlikenessOf,
} from "#domain/official/doubts.ts";
import {
  type OfficialReading,
  type OfficialTable,
  officialEvent,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { Publications } from "#ports/official.ts";
import type { ReadPublication } from "./gather.ts";

export type Judgement =
  | { readonly verdict: "discarded" }
  | { readonly verdict: "held"; readonly held: HeldReading }
  | {
      readonly verdict: "new";
      readonly version: PublicationVersion;
      readonly event: WebhookEvent | null;
    };

export interface Evidence {
  /** The publication before it by validity, in its newest version: not the version that this one may correct. */
  readonly predecessor: PublicationVersion | null;
  /** The stored publications before it, as many as are compared. */
  readonly older: readonly PublicationVersion[];
  /** The held reading of this publication, and an operator's decision about it. */
  readonly held: HeldReading | null;
  readonly decision: HeldDecision | null;
  /** The version that it would correct. */
  readonly newest: PublicationVersion | null;
  /** Why its document is not believed. */
  readonly suspect: CorrectionFault | null;
  /** Another route of the authority states the same. */
  readonly isConfirmed: boolean;
  /** A correction of this table is held by a fault that lasts. */
  readonly isTableSuspect: boolean;
  /** Whether it is one of a few publications after all stored ones: then it is news, even if a wrong clock makes it look old. */
  readonly isNewest: boolean;
  /** When the newest version of the table was retrieved: later versions are not dated before it. */
  readonly notBefore: Instant;
}

/** Judges a reading that is not stored yet; `next` would be its version number. */
export function judge(
  table: OfficialTable,
  { reading, document }: ReadPublication,
  next: number,
  evidence: Evidence,
): Judgement {
  const { predecessor, older, held, decision, isNewest, notBefore } = evidence;
  const fingerprint = fingerprintOf(reading);
  const decided = decision?.fingerprint === fingerprint ? decision.verdict : null;
  if (decided === "discard") return { verdict: "discarded" };
  const { retrievedAt: readAt, url, sha256 } = document;
  const unlike = unlikenessOf(table, reading, predecessor);
  const doubts = [...doubtsOf(reading, predecessor, older, table), ...(unlike === null ? [] : [unlike])];
  const isNews = isNewest || next > 1;
  const isRepeated = held?.fingerprint === fingerprint;
  // A clock that was ahead at the first reading does not make the second one wait for it.
  const firstReadAt = isRepeated ? Math.min(held.firstReadAt, readAt) : readAt;
  if (decided === null) {
    const before = isRepeated ? { ...held, firstReadAt } : null;
    const why =
      suspicionOf(evidence, before, next) ??
      (holdsBack(reading, doubts, before, readAt, isNews) ? whyOf(doubts) : null) ??
      (isReadAgain(reading, before, readAt) ? null : unconfirmed(reading, evidence));
    const { validFrom } = reading;
    const to = { fingerprint, firstReadAt, version: next, validFrom };
    if (why !== null) return { verdict: "held", held: { ...to, ...why } };
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
  };
}

interface Why {
  readonly rule: OfficialHoldRule;
  readonly reason: string;
}

/** Whether the held reading stays when a later reading lacks it: the other route may be silent then. */
export function isLasting({ rule }: HeldReading): boolean {
  return rule === "many_corrections" || rule === "contradicted";
}

/**
 * Why a reading is suspect, or null. A later reading of a document with too many corrections may show only a few of them, or only today's
 * publication: a held correction stays held, and so does a new publication while a correction of the table is held.
 */
function suspicionOf(
  { suspect, isConfirmed, isTableSuspect }: Evidence,
  before: HeldReading | null,
  next: number,
): Why | null {
  if (suspect !== null || before === null || !isLasting(before)) return suspect;
  const isOver = next === 1 ? !isTableSuspect : isConfirmed && before.rule === "contradicted";
  return isOver ? null : { rule: before.rule, reason: before.reason };
}

/** A correction that no other route states waits for a second reading: one answer may be a mistake. */
function unconfirmed(reading: OfficialReading, { newest, isConfirmed }: Evidence): Why | null {
  if (newest === null || isConfirmed) return null;
  const version = `version ${newest.version}`;
  const changed = contradictionOf(reading, newest, version)?.reason;
  const reason = changed ?? `${reading.publication} has other rows or another validity than ${version}`;
  return { rule: "unconfirmed", reason };
}

const MOST_LISTED = 3;

function sentences(doubts: readonly OfficialDoubt[]): string {
  const listed = doubts.slice(0, MOST_LISTED).map(({ detail }) => detail);
  if (doubts.length > MOST_LISTED) listed.push(`and ${doubts.length - MOST_LISTED} more`);
  return listed.join("; ");
}

function whyOf(doubts: readonly OfficialDoubt[]): Why {
  const rule = holdingRule(doubts) ?? "decimal_slip";
  return { rule, reason: sentences(doubts.filter((doubt) => doubt.rule === rule)) };
}

// ── Documents that contradict the record ────────────────────────────────────────────────────────

/** The same publication by another route of the authority; null where there is no such route, or it does not answer. */
export type Elsewhere = (
  one: ReadPublication,
) => Promise<{ readonly route: string; readonly reading: OfficialReading } | null>;

export interface SuspectContext {
  /** The newest stored version of each publication that was read. */
  readonly newest: ReadonlyMap<string, PublicationVersion>;
  readonly decisions: Readonly<Record<string, HeldDecision>>;
  readonly find: Publications["find"];
  /** The publication before this one by validity, in its newest version. */
  readonly before: (one: ReadPublication) => Promise<PublicationVersion | null>;
  readonly elsewhere: Elsewhere;
}

/**
 * Why nothing new of a document is believed, by its SHA-256; and the corrections that another route states, too. A fault of one publication is a fault of its whole document: a document that
 * is wrong about the past is not believed about today. With more corrections than an authority makes at once, every document that has one
 * is suspect. Rejects with LedgerUnavailable.
 */
export async function suspectsOf(context: SuspectContext, read: readonly ReadPublication[]) {
  const suspects = new Map<string, CorrectionFault>();
  const confirmed = new Set<ReadPublication>();
  const { newest, decisions } = context;
  const isNew = ({ reading }: ReadPublication) =>
    nextVersion(newest.get(reading.publication) ?? null, reading) !== null;
  const corrections = read.filter((one) => newest.has(one.reading.publication) && isNew(one));
  if (corrections.length > MOST_CORRECTIONS) {
    const [first, last] = [corrections[0], corrections.at(-1)].map((one) => one?.reading.publication);
    const reason = `${corrections.length} publications would be corrected at once, from ${first} to ${last}`;
    for (const { document } of corrections)
      suspects.set(document.sha256, { rule: "many_corrections", reason });
    return { suspects, confirmed };
  }
  for (const one of read) {
    const { reading, document, contradiction } = one;
    const decision = decisions[reading.publication];
    if (decision?.fingerprint === fingerprintOf(reading) || suspects.has(document.sha256)) continue;
    const correction = corrections.includes(one) ? await correctionOf(context, one, read) : null;
    const own = correction && faultOf(correction);
    const other = correction === null || own !== null ? null : await context.elsewhere(one);
    const denied = other && contradictionOf(reading, other.reading, other.route);
    const fault = own ?? denied ?? (isNew(one) ? contradiction : null);
    if (fault !== null) suspects.set(document.sha256, fault);
    else if (other !== null && fingerprintOf(other.reading) === fingerprintOf(reading)) confirmed.add(one);
  }
  return { suspects, confirmed };
}

async function correctionOf(
  { newest: newestOf, find, before }: SuspectContext,
  one: ReadPublication,
  read: readonly ReadPublication[],
): Promise<Correction> {
  const { reading } = one;
  const newest = newestOf.get(reading.publication) as PublicationVersion;
  const numbers = Array.from({ length: newest.version - 1 }, (_, nth) => nth + 1);
  const earlier = await Promise.all(numbers.map((nth) => find(newest.table, reading.publication, nth)));
  const after = read[read.indexOf(one) + 1];
  const neighbours = [
    await before(one),
    after === undefined ? undefined : newestOf.get(after.reading.publication),
  ];
  const isThere = (version: PublicationVersion | null | undefined) => version != null;
  return { reading, newest, earlier: earlier.filter(isThere), neighbours: neighbours.filter(isThere) };
}
