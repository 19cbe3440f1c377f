/** Collection, second half: decides whether one publication is a new version, which doubts it raises, and whether it is published now. */

import { doubtsOf, type HeldReading, holdsBack, type OfficialDoubt } from "#domain/official/doubts.ts";
import type { OfficialReading, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { fingerprintOf, nextVersion } from "#domain/official/versions.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import { officialEvent } from "#domain/webhook/events.ts";
import type { OfficialIngestDeps, ReadPublication } from "./deps.ts";

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

/**
 * `pending`: the version judged just before and not stored yet, which may be the predecessor. `held`: what was held of
 * this publication. Rejects with LedgerUnavailable.
 */
export async function judge(
  { publications }: { readonly publications: Pick<OfficialIngestDeps["publications"], "find" | "list"> },
  table: OfficialTable,
  { reading, document }: ReadPublication,
  pending: PublicationVersion | null,
  held: HeldReading | null,
): Promise<Judgement> {
  const { retrievedAt, url, sha256 } = document;
  const known = await publications.find(table.id, reading.publication, null);
  const next = nextVersion(known, reading);
  if (next === null) return { verdict: "known" };
  const doubts = doubtsOf(reading, await predecessorOf(publications, table.id, reading, pending));
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
  publications: Pick<OfficialIngestDeps["publications"], "list">,
  table: string,
  { validFrom, publication }: OfficialReading,
  pending: PublicationVersion | null,
): Promise<PublicationVersion | null> {
  const after = { validFrom, publication };
  const [stored] = await publications.list({ table, from: null, to: validFrom, after, limit: 1 });
  const isBefore = (one: PublicationVersion) =>
    one.validFrom < validFrom || (one.validFrom === validFrom && one.publication < publication);
  if (pending === null || !isBefore(pending)) return stored ?? null;
  const isLater =
    stored === undefined ||
    pending.validFrom > stored.validFrom ||
    (pending.validFrom === stored.validFrom && pending.publication >= stored.publication);
  return isLater ? pending : stored;
}
