/** The last steps of an official collection, judge → record: new versions go into the ledger with their events, in bounded transactions. */

import type { Window } from "#domain/intake/reading.ts";
import {
  FEW_COMPARED,
  type HeldDecision,
  type HeldReading,
  MOST_COMPARED,
  nextVersion,
} from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Publications } from "#ports/official.ts";
import type { OfficialIngestDeps, ReadPublication } from "./gather.ts";
import { type Elsewhere, isLasting, type Judgement, judge, suspectsOf } from "./judge.ts";

export type OfficialRecorded = Awaited<ReturnType<typeof recordOfficial>>;

export interface RecordContext {
  readonly held: Readonly<Record<string, HeldReading>>;
  readonly decisions: Readonly<Record<string, HeldDecision>>;
  readonly reach: Window["reach"];
  readonly elsewhere: Elsewhere;
}

/** Up to this many publications after every stored one are news. More come from a long pause or a history: then their age counts. */
const MOST_NEWER = 3;
/** Versions stored in one transaction. */
const AT_ONCE = 32;

/**
 * Judges publications, given in the order of their validity and each once, and stores what is new. Resolves when all is durable;
 * repeating it stores nothing twice. Rejects with LedgerUnavailable or CollectionStopped: what was stored stays, and the next collection
 * stores the rest.
 */
export async function recordOfficial(
  deps: OfficialIngestDeps,
  table: OfficialTable,
  read: readonly ReadPublication[],
  { held: heldBefore, decisions, reach, elsewhere }: RecordContext,
) {
  /** Held readings by publication, also earlier ones that were not read again. */
  const held = { ...heldBefore };
  /** SHA-256 of documents to read again, because something in them is not published yet. */
  const withheld = new Set<string>();
  const stored: PublicationVersion[] = [];
  let fresh: Extract<Judgement, { verdict: "new" }>[] = [];
  let last: PublicationVersion | null = null;
  const compared = await comparedWith(deps.publications, table, read);
  const before = async ({ reading }: ReadPublication) => (await compared.before(reading, 1))[0] ?? null;
  const { find } = deps.publications;
  const context = { newest: compared.newest, decisions, find, before, elsewhere };
  const { suspects, confirmed } = await suspectsOf(context, read);
  const flush = async () => {
    if (fresh.length === 0) return;
    deps.closing.throwIfAborted();
    stored.push(...(await deps.outbox.publish(fresh, deps.clock.now())));
    for (const { version } of fresh) {
      if (held[version.publication] === undefined) continue;
      delete held[version.publication];
      deps.emit({ kind: "official_released", table: table.id, publication: version.publication });
    }
    fresh = [];
  };
  const { last: lastStored } = compared;
  const newer =
    lastStored === null || reach === "history"
      ? []
      : read.filter(({ reading }) => comesBefore(lastStored, reading));
  let notBefore: Instant | null = null;
  for (const one of read) {
    const { reading, document } = one;
    const { publication } = reading;
    const newest = compared.newest.get(publication) ?? null;
    const next = nextVersion(newest, reading);
    if (next === null) {
      delete held[publication];
      continue;
    }
    const heldOfIt = held[publication] ?? null;
    notBefore ??= (await deps.publications.newestRetrieval(table.id)) ?? 0;
    const isNewest = newer.length <= MOST_NEWER && newer.includes(one);
    const older = await compared.before(reading, isNewest ? MOST_COMPARED : FEW_COMPARED);
    const judgement = judge(table, one, next, {
      predecessor: laterOf(last, older[0] ?? null),
      older,
      held: heldOfIt,
      decision: decisions[publication] ?? null,
      newest,
      suspect: suspects.get(document.sha256) ?? null,
      isConfirmed: confirmed.has(one),
      isTableSuspect: Object.values(held).some((reading) => reading.version > 1 && isLasting(reading)),
      isNewest,
      notBefore,
    });
    if (judgement.verdict === "held") {
      held[publication] = judgement.held;
      withheld.add(document.sha256);
      const { rule, reason, fingerprint } = judgement.held;
      if (heldOfIt?.fingerprint !== fingerprint)
        deps.emit({ kind: "official_held", table: table.id, publication, rule, reason });
    }
    if (judgement.verdict !== "new") continue;
    last = judgement.version;
    notBefore = last.retrievedAt;
    fresh.push(judgement);
    if (fresh.length === AT_ONCE) await flush();
  }
  await flush();
  const published = stored.filter(({ version }) => version === 1).length;
  return { published, corrected: stored.length - published, held, withheld };
}

type Place = Pick<OfficialReading, "validFrom" | "publication">;

/** Publications are in the order of their validity. */
function comesBefore(one: Place, other: Place): boolean {
  if (one.validFrom !== other.validFrom) return one.validFrom < other.validFrom;
  return one.publication < other.publication;
}

/** The predecessor of a reading: the one stored, or `pending`, which was judged just before and may not be stored yet. */
function laterOf(
  pending: PublicationVersion | null,
  stored: PublicationVersion | null,
): PublicationVersion | null {
  if (pending === null) return stored;
  return stored === null || !comesBefore(pending, stored) ? pending : stored;
}

/**
 * The stored versions that readings are compared with; `last` is the last stored publication. An empty table is not queried for each
 * reading: a first start has thousands.
 */
async function comparedWith(
  publications: Publications,
  { id: table }: OfficialTable,
  read: readonly ReadPublication[],
) {
  const [last = null] = await publications.list({ table, from: null, to: null, after: null, limit: 1 });
  const newest = new Map<string, PublicationVersion>();
  if (last === null) return { last, newest, before: async () => [] };
  for (const { reading } of read) {
    const version = await publications.find(table, reading.publication, null);
    if (version !== null) newest.set(reading.publication, version);
  }
  return {
    last,
    newest,
    /** The newest versions of the last publications before a place, the latest first. */
    before: async (
      { validFrom, publication }: Place,
      limit: number,
    ): Promise<readonly PublicationVersion[]> => {
      const after = { validFrom, publication };
      return await publications.list({ table, from: null, to: validFrom, after, limit });
    },
  };
}
