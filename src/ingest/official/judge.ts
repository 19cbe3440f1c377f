/** Collection, second half: decides whether one publication is a new version, which doubts it raises, and whether it is published now. */

import { doubtsOf, type HeldReading, holdsBack, type OfficialDoubt } from "#domain/official/doubts.ts";
import { officialEvent } from "#domain/official/events.ts";
import type { OfficialReading, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { fingerprintOf, nextVersion } from "#domain/official/versions.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { ReadPublication } from "./deps.ts";

export type Judgement =
  /** The ledger has the same already. */
  | { readonly verdict: "known" }
  | { readonly verdict: "held"; readonly held: HeldReading; readonly doubts: readonly OfficialDoubt[] }
  | {
      readonly verdict: "new";
      readonly version: PublicationVersion;
      readonly event: WebhookEvent | null;
      readonly doubts: readonly OfficialDoubt[];
    };

/** What a reading is compared with, by the id of its table. Each rejects with LedgerUnavailable. */
export interface Compared {
  /** The newest version of a publication. */
  newest(table: string, publication: string): Promise<PublicationVersion | null>;
  /** The last publication before a place in the order of publications, in its newest version. */
  before(table: string, place: Place): Promise<PublicationVersion | null>;
}

type Place = Pick<OfficialReading, "validFrom" | "publication">;

/** Publications are in the order of their validity. */
function comesBefore(one: Place, other: Place): boolean {
  if (one.validFrom !== other.validFrom) return one.validFrom < other.validFrom;
  return one.publication < other.publication;
}

/**
 * `pending`: the version judged just before and not stored yet, which may be the predecessor. `held`: what was held of
 * this publication. Rejects with LedgerUnavailable.
 */
export async function judge(
  compared: Compared,
  table: OfficialTable,
  { reading, document }: ReadPublication,
  pending: PublicationVersion | null,
  held: HeldReading | null,
): Promise<Judgement> {
  const { retrievedAt, url, sha256 } = document;
  const known = await compared.newest(table.id, reading.publication);
  const next = nextVersion(known, reading);
  if (next === null) return { verdict: "known" };
  const doubts = doubtsOf(reading, await predecessorOf(compared, table.id, reading, pending));
  const fingerprint = fingerprintOf(reading);
  if (holdsBack(reading, doubts, held, retrievedAt)) {
    const firstReadAt = held?.fingerprint === fingerprint ? held.firstReadAt : retrievedAt;
    return { verdict: "held", held: { fingerprint, firstReadAt }, doubts };
  }
  const version: PublicationVersion = {
    ...reading,
    table: table.id,
    version: next,
    retrievedAt,
    sourceUrl: url,
    documentSha256: sha256,
    fingerprint,
  };
  return { verdict: "new", version, event: officialEvent(table, version), doubts };
}

/** The publication before this one by validity, in its newest version: not the version that this one may correct. */
async function predecessorOf(
  compared: Compared,
  table: string,
  reading: OfficialReading,
  pending: PublicationVersion | null,
): Promise<PublicationVersion | null> {
  const stored = await compared.before(table, reading);
  if (pending === null || !comesBefore(pending, reading)) return stored;
  return stored === null || !comesBefore(pending, stored) ? pending : stored;
}
