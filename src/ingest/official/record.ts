/** Collection, second half: writes new versions into the ledger with their events, in bounded transactions, and reports doubts. */

import type { HeldReading, OfficialDoubt } from "#domain/official/doubts.ts";
import type { OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { CollectionStopped, type OfficialIngestDeps, type ReadPublication } from "./deps.ts";
import { type Compared, type Judgement, judge } from "./judge.ts";

export interface OfficialRecorded {
  readonly published: number;
  readonly corrected: number;
  /** By publication; those of before that were not read again included. */
  readonly held: Readonly<Record<string, HeldReading>>;
  /** SHA-256 of documents that must be read again, because something of them is not published yet. */
  readonly withheld: ReadonlySet<string>;
}

/** The ledger stores as many in one transaction. */
const AT_ONCE = 32;

/**
 * Judges publications and stores what is new; they are in the order of their validity, each once. Resolves when all is durable; repeating it stores nothing
 * twice. Rejects with LedgerUnavailable or CollectionStopped: then what was stored stays, and the rest comes next time.
 */
export async function recordOfficial(
  deps: OfficialIngestDeps,
  table: OfficialTable,
  read: readonly ReadPublication[],
  heldBefore: Readonly<Record<string, HeldReading>>,
): Promise<OfficialRecorded> {
  const held = { ...heldBefore };
  const withheld = new Set<string>();
  const stored: PublicationVersion[] = [];
  let fresh: Extract<Judgement, { verdict: "new" }>[] = [];
  let last: PublicationVersion | null = null;
  const publications = await compared(deps, table);
  const flush = async () => {
    if (fresh.length === 0) return;
    if (!(await deps.mayPublish())) throw new CollectionStopped();
    stored.push(...(await deps.outbox.publish(fresh, deps.clock.now())));
    for (const { version, event, doubts } of fresh) {
      // A history is full of what was once remarkable.
      if (event !== null) emitDoubts(deps, table, version.publication, doubts);
      if (held[version.publication] === undefined) continue;
      delete held[version.publication];
      deps.emit({ kind: "official_released", table: table.id, publication: version.publication });
    }
    fresh = [];
  };
  for (const one of read) {
    const { publication } = one.reading;
    const before = held[publication] ?? null;
    const judgement = await judge(publications, table, one, last, before);
    if (judgement.verdict === "known") delete held[publication];
    if (judgement.verdict === "held") {
      held[publication] = judgement.held;
      withheld.add(one.document.sha256);
      if (before?.fingerprint !== judgement.held.fingerprint)
        emitHeld(deps, table, publication, judgement.doubts);
    }
    if (judgement.verdict !== "new") continue;
    last = judgement.version;
    fresh.push(judgement);
    if (fresh.length === AT_ONCE) await flush();
  }
  await flush();
  const published = stored.filter(({ version }) => version === 1).length;
  return { published, corrected: stored.length - published, held, withheld };
}

/**
 * What readings are compared with. Before a table's first publication that is nothing: the readings are in order and each is of
 * another publication, so that the one before is the one judged last. The ledger is not asked, a thousand times at a first start.
 */
async function compared({ publications }: OfficialIngestDeps, { id }: OfficialTable): Promise<Compared> {
  const [known] = await publications.list({ table: id, from: null, to: null, after: null, limit: 1 });
  if (known === undefined) return { newest: async () => null, before: async () => null };
  return {
    newest: (table, publication) => publications.find(table, publication, null),
    before: async (table, { validFrom, publication }) => {
      const after = { validFrom, publication };
      const [last] = await publications.list({ table, from: null, to: validFrom, after, limit: 1 });
      return last ?? null;
    },
  };
}

function emitHeld(
  { emit }: OfficialIngestDeps,
  { id }: OfficialTable,
  publication: string,
  doubts: readonly OfficialDoubt[],
): void {
  const slips = doubts.filter(({ rule }) => rule === "decimal_slip");
  emit({
    kind: "official_held",
    table: id,
    publication,
    rule: "decimal_slip",
    reason: sentences(slips),
  });
}

/** One line a publication and rule, however many rows it is about. */
function emitDoubts(
  { emit }: OfficialIngestDeps,
  { id }: OfficialTable,
  publication: string,
  doubts: readonly OfficialDoubt[],
): void {
  for (const rule of new Set(doubts.map((doubt) => doubt.rule))) {
    const same = doubts.filter((doubt) => doubt.rule === rule);
    emit({ kind: "official_doubted", table: id, publication, rule, reason: sentences(same) });
  }
}

const MOST_TOLD = 3;

function sentences(doubts: readonly OfficialDoubt[]): string {
  const listed = doubts.slice(0, MOST_TOLD).map(({ detail }) => detail);
  if (doubts.length > MOST_TOLD) listed.push(`and ${doubts.length - MOST_TOLD} more`);
  return listed.join("; ");
}
