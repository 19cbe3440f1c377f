/** Collection, second half: finds documents that are wrong about what is stored, before anything of them is recorded. */

import {
  type Correction,
  type CorrectionFault,
  faultOf,
  type HeldDecision,
  MOST_CORRECTIONS,
} from "#domain/official/doubts.ts";
import type { PublicationVersion } from "#domain/official/publication.ts";
import { fingerprintOf, nextVersion } from "#domain/official/versions.ts";
import type { Publications } from "#ports/official.ts";
import type { ReadPublication } from "./deps.ts";

/** By the SHA-256 of a document, why nothing new of it is believed. */
export type Suspects = ReadonlyMap<string, CorrectionFault>;

/** What another route of the authority states of a publication; null where there is none, or it does not answer. */
export type Elsewhere = (one: ReadPublication) => Promise<Correction["elsewhere"]>;

export interface SuspectContext {
  /** Of every publication that was read its newest version; absent where there is none. */
  readonly newest: ReadonlyMap<string, PublicationVersion>;
  readonly decisions: Readonly<Record<string, HeldDecision>>;
  readonly find: Publications["find"];
  /** The publication before this one by validity, in its newest version. */
  readonly before: (one: ReadPublication) => Promise<PublicationVersion | null>;
  readonly elsewhere: Elsewhere;
}

/**
 * A fault of one publication is one of its whole document: a document that is wrong about the past is not believed about today. With
 * more corrections than an authority makes at once, every document that has one is held. Rejects with LedgerUnavailable.
 */
export async function suspectsOf(
  context: SuspectContext,
  read: readonly ReadPublication[],
): Promise<Suspects> {
  const suspects = new Map<string, CorrectionFault>();
  const { newest, decisions } = context;
  const isNew = ({ reading }: ReadPublication) =>
    nextVersion(newest.get(reading.publication) ?? null, reading) !== null;
  const corrections = read.filter((one) => newest.has(one.reading.publication) && isNew(one));
  if (corrections.length > MOST_CORRECTIONS) {
    const [first, last] = [corrections[0], corrections.at(-1)].map((one) => one?.reading.publication);
    const reason = `${corrections.length} publications would be corrected at once, from ${first} to ${last}`;
    for (const { document } of corrections)
      suspects.set(document.sha256, { rule: "many_corrections", reason });
    return suspects;
  }
  for (const one of read) {
    const { reading, document, contradiction } = one;
    const decision = decisions[reading.publication];
    if (decision?.fingerprint === fingerprintOf(reading) || suspects.has(document.sha256)) continue;
    const fault = corrections.includes(one) ? await faultOfOne(context, one, read) : null;
    if (fault !== null) suspects.set(document.sha256, fault);
    else if (contradiction !== null && isNew(one)) suspects.set(document.sha256, contradiction);
  }
  return suspects;
}

async function faultOfOne(
  { newest: newestOf, find, before, elsewhere }: SuspectContext,
  one: ReadPublication,
  read: readonly ReadPublication[],
): Promise<CorrectionFault | null> {
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
  const correction = {
    reading,
    newest,
    earlier: earlier.filter(isThere),
    neighbours: neighbours.filter(isThere),
  };
  return (
    faultOf({ ...correction, elsewhere: null }) ?? faultOf({ ...correction, elsewhere: await elsewhere(one) })
  );
}
