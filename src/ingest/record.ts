/** The last steps of a daily collection, judge → record: intact documents become one change of the lake. Validators follow the commit. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance, DocumentReading } from "#domain/acceptance/judgement.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { HeldFigure, Reading, Window } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { LakeChange, LakeRecord } from "#ports.ts";
import {
  advanceCoverage,
  advanceRetrievals,
  coveredThrough,
  neededReach,
  oldCopyOf,
  type RouteRead,
} from "./coverage.ts";
import type { Gathered, IngestDeps, ReadDocument } from "./gather.ts";
import { countFromRelease } from "./held.ts";

export interface Recorded extends Pick<Acceptance, "newlyHeld" | "released" | "torn" | "distrusted"> {
  /** How many figures are new or revised; a completed publication instant is neither. */
  readonly accepted: number;
  readonly revised: number;
  readonly withdrawn: number;
  /** All held figures afterwards. */
  readonly held: readonly HeldFigure[];
  /** Why the documents are an older copy than before; their changes are then ignored. Null if they are not. */
  readonly oldCopy: string | null;
  /** Version of the dataset, null when the commit left it as it was. */
  readonly newVersion: string | null;
}

/**
 * Judges and commits what was gathered; resolves when it is durable. Readings are removed from `read` as they are judged, because a
 * history is large. `kinds` are the kinds of routes that can be asked. Rejects as the lake, or with an error of the program.
 */
export async function record(
  { lake, upstream }: Pick<IngestDeps, "lake" | "upstream">,
  source: DailySource,
  { voice, read, complete }: Pick<Gathered, "voice" | "read" | "complete">,
  { reach, from: windowFrom, to: today }: Window,
  kinds: readonly string[],
): Promise<Recorded> {
  const documents = read.map(({ document }) => document);
  const retrievedAt = Math.max(...documents.map((document) => document.retrievedAt));
  const publishedThrough = coveredThrough(read);
  const look = complete ? readOf(voice, read, windowFrom) : null;
  let judged: Judged | null = null;

  const decide = (current: LakeRecord): LakeChange | null => {
    const oldCopy = look === null ? null : oldCopyOf(current.retrievals, source, look);
    const readings = takenFrom(source, read, oldCopy === null ? null : voice);
    const acceptance = accept(current, source, readings, today, { kinds });
    const { held, newlyHeld, released, torn, distrusted } = acceptance;
    judged = {
      ...{ oldCopy, versionBefore: current.version, held, newlyHeld, released, torn, distrusted },
      // Not the figures themselves: a history is large.
      accepted: acceptance.accepted.length - acceptance.completed,
      revised: acceptance.revised.length,
      withdrawn: acceptance.withdrawn.length,
    };
    // Where only a history closes the gap before a document, the document covers nothing.
    const covers = reach === "history" ? complete : neededReach(current.coverage, source, today) === "recent";
    // A distrusted document proves no coverage. It does not move the route's newest day either: the true document after it would
    // count as an old copy.
    const isDistrusted = distrusted.some(({ route }) => route === voice);
    const day = covers && oldCopy === null && !isDistrusted ? publishedThrough : null;
    const coverage = advanceCoverage(current.coverage, source, day, retrievedAt);
    const shown = isDistrusted && look !== null ? { ...look, newest: null, modifiedAt: null } : look;
    const retrievals =
      shown === null || oldCopy !== null
        ? current.retrievals
        : advanceRetrievals(current.retrievals, source, shown);
    return changeOf(current, acceptance, { coverage, retrievals }, retrievedAt);
  };
  const version = await lake.commit(decide);
  const { versionBefore, ...summary } = judged as unknown as Judged;
  // Doubted documents and old copies are not remembered: they are read whole again, and reported each time.
  const doubted = new Set([...summary.torn, ...summary.distrusted].map(({ document }) => document));
  // Only durable documents may make requests conditional. `remember` needs the very object that the client returned.
  if (summary.oldCopy === null)
    for (const document of documents) if (!doubted.has(document.url)) upstream.remember(document);
  return { ...summary, newVersion: version === versionBefore ? null : version };
}

type Judged = Omit<Recorded, "newVersion"> & { readonly versionBefore: string };

function figuresIn(content: Reading): readonly Figure[] {
  return content.outcome === "figures" ? content.figures : [];
}

/** The days of the route's own documents: from their first figure, or from the window's first day where they have no figure. */
function readOf(route: string, read: readonly ReadDocument[], windowFrom: Day): RouteRead {
  const documents = read.filter((document) => document.route === route);
  const firsts = documents.flatMap(({ content }) => figuresIn(content)[0]?.date ?? []);
  const lasts = documents.flatMap(({ content }) => figuresIn(content).at(-1)?.date ?? []);
  return {
    route,
    from: firsts.length === 0 ? windowFrom : Math.min(...firsts),
    at: Math.min(...documents.map(({ document }) => document.retrievedAt)),
    newest: lasts.length === 0 ? null : Math.max(...lasts),
    modifiedAt: documents.length === 1 ? (documents[0]?.document.modifiedAt ?? null) : null,
  };
}

/** Notes that a route was read and had nothing new. Rejects as the lake. */
export async function recordLook(
  { lake }: Pick<IngestDeps, "lake">,
  source: DailySource,
  look: RouteRead,
): Promise<void> {
  const { retrievals } = await lake.read();
  // Checked before the writer's lock is taken: most looks are no news.
  if (advanceRetrievals(retrievals, source, look) === retrievals) return;
  await lake.commit((current) => {
    const { held, coverage } = current;
    const advanced = advanceRetrievals(current.retrievals, source, look);
    return { accepted: [], withdrawn: [], held, coverage, retrievals: advanced };
  });
}

/** Yields each reading once, in order, and drops it: a history is large. */
function* takenFrom(
  source: DailySource,
  read: ReadDocument[],
  oldRoute: string | null,
): Generator<DocumentReading> {
  for (let next = read.shift(); next !== undefined; next = read.shift())
    yield { ...readingOf(source, next), isOldCopy: next.route === oldRoute };
}

export function readingOf(source: DailySource, { document, content, route }: ReadDocument): DocumentReading {
  const { url, sha256, retrievedAt } = document;
  return {
    provenance: { source, document: url, documentSha256: sha256, retrievedAt },
    route,
    figures: figuresIn(content),
    withdrawals: content.outcome === "figures" ? content.withdrawals : [],
  };
}

/** Null when the judgement changes nothing: then nothing is written. */
function changeOf(
  current: LakeRecord,
  { accepted, withdrawn, held, newlyHeld, released, statements }: Acceptance,
  { coverage, retrievals }: Pick<LakeRecord, "coverage" | "retrievals">,
  retrievedAt: Instant,
): LakeChange | null {
  const sameHeld = newlyHeld.length === 0 && released.length === 0 && held.length === current.held.length;
  const sameReads =
    coverage === current.coverage &&
    retrievals === current.retrievals &&
    JSON.stringify(statements) === JSON.stringify(current.statements);
  if (accepted.length === 0 && withdrawn.length === 0 && sameHeld && sameReads) return null;
  const counted = countFromRelease(accepted, released, retrievedAt);
  return { accepted: counted, withdrawn, held, coverage, retrievals, statements };
}
